import assert from "node:assert/strict";
import { test } from "node:test";
import { type Inline, parseMarkdown } from "../../src/chat/markdown.ts";

const readInlines = (text: string): readonly Inline[] => {
	const [block] = parseMarkdown(text);
	assert.ok(block?.kind === "paragraph");
	return block.lines.flat();
};

test("blocks of Markdown", () => {
	const text =
		"# Tea\n\nOne\ntwo\n\n- a\n  - b\n\n1. c\n\n> said\n\n```js\n<b>\n```\n\n---\n\n| x | y |\n|---|--:|\n| 1 | 2 |";
	assert.deepEqual(
		parseMarkdown(text).map(({ kind }) => kind),
		["heading", "paragraph", "list", "list", "quote", "code", "rule", "table"],
	);
	const [, , list, numbered, , code, , table] = parseMarkdown(text);
	assert.ok(list?.kind === "list" && numbered?.kind === "list");
	assert.deepEqual(
		[list.isNumbered, list.items.map(({ level }) => level), numbered.isNumbered],
		[false, [0, 1], true],
	);
	assert.deepEqual(code, { kind: "code", text: "<b>" });
	assert.ok(table?.kind === "table");
	assert.deepEqual(
		table.rows.map((row) => row.map(([cell]) => cell?.text)),
		[
			["x", "y"],
			["1", "2"],
		],
	);
});

test("inline Markdown", () => {
	assert.deepEqual(readInlines("a **b** *c* `d` ~~e~~ [f](https://f.example/) http://g.example/x."), [
		{ kind: "text", text: "a " },
		{ kind: "strong", text: "b" },
		{ kind: "text", text: " " },
		{ kind: "em", text: "c" },
		{ kind: "text", text: " " },
		{ kind: "code", text: "d" },
		{ kind: "text", text: " " },
		{ kind: "del", text: "e" },
		{ kind: "text", text: " " },
		{ kind: "link", text: "f", href: "https://f.example/" },
		{ kind: "text", text: " " },
		{ kind: "link", text: "http://g.example/x", href: "http://g.example/x" },
		{ kind: "text", text: "." },
	]);
});

test("only web and mail addresses are linked, and pictures are text", () => {
	for (const hostile of [
		"[x](javascript:alert(1))",
		"[x](JaVaScRiPt:alert)",
		"[x](data:text/html;base64,PHNjcmlwdD4=)",
		"[x](vbscript:x)",
		"[x](//evil.example/)",
		"<img src=x onerror=alert(1)>",
		"<script>alert(1)</script>",
		"[x](https://)",
	])
		assert.ok(
			readInlines(hostile).every(({ kind }) => kind === "text"),
			hostile,
		);
	const picture = readInlines("![secret](https://evil.example/?q=1)");
	assert.ok(
		picture.every(({ kind, text }) => kind === "text" || (kind === "link" && text.startsWith("https://"))),
	);
});

test("long and hostile texts are parsed in a moment", () => {
	for (const piece of ["*", "_", "`", "[", "](", "**a", "~~", "> ", "- ", "|", "```\n", "![", "http://"]) {
		const started = performance.now();
		parseMarkdown(piece.repeat(Math.floor(200_000 / piece.length)));
		assert.ok(performance.now() - started < 1_000, piece);
	}
	assert.deepEqual(
		parseMarkdown("a".repeat(200_001)).map(({ kind }) => kind),
		["code"],
	);
});
