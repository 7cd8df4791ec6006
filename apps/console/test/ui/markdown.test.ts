import assert from "node:assert/strict";
import { test } from "node:test";
import { buildSummary, parseBlocks } from "../../src/ui/markdown.ts";

test("parses paragraphs, lists and code", () => {
	const text = "Calls `a` and **b**.\nMore.\n\nKinds:\n- one\n  goes on\n- two\n\n```yaml\nx: 1\n```\nEnd.";
	assert.deepEqual(parseBlocks(text), [
		{
			kind: "paragraph",
			inlines: [
				{ kind: "text", text: "Calls " },
				{ kind: "code", text: "a" },
				{ kind: "text", text: " and " },
				{ kind: "strong", text: "b" },
				{ kind: "text", text: ". More." },
			],
		},
		{ kind: "paragraph", inlines: [{ kind: "text", text: "Kinds:" }] },
		{
			kind: "list",
			items: [[{ kind: "text", text: "one goes on" }], [{ kind: "text", text: "two" }]],
		},
		{ kind: "code", text: "x: 1" },
		{ kind: "paragraph", inlines: [{ kind: "text", text: "End." }] },
	]);
});

test("makes links only of http and https URLs", () => {
	const [block] = parseBlocks("[a](https://example.com/x) [b](javascript:alert(1)) <script>");
	assert.deepEqual(block, {
		kind: "paragraph",
		inlines: [
			{ kind: "link", text: "a", href: "https://example.com/x" },
			{ kind: "text", text: " [b](javascript:alert(1)) <script>" },
		],
	});
});

test("summarises the first paragraph without markup", () => {
	assert.equal(buildSummary("Calls `http` **now**.\n\nMore."), "Calls http now.");
	assert.equal(buildSummary(""), "");
});
