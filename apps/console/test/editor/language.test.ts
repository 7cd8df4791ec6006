import assert from "node:assert/strict";
import { test } from "node:test";
import { StringStream } from "@codemirror/language";
import { tokens } from "../../src/editor/language.ts";

/** Each line's tokens as `kind:text`, without spaces and tokens without a kind. */
function readTokens(text: string): string[] {
	const state = tokens.startState();
	return text.split("\n").flatMap((line) => {
		const stream = new StringStream(line, 2, 2);
		const found: string[] = [];
		while (!stream.eol()) {
			stream.start = stream.pos;
			const kind = tokens.token(stream, state);
			assert.ok(stream.pos > stream.start, `no step at ${stream.pos} of ${line}`);
			if (kind !== null) found.push(`${kind}:${stream.current()}`);
		}
		return found;
	});
}

test("highlights a triplet as node, relation and node", () => {
	assert.deepEqual(readTokens("triplets:\n  - big one >> on error >> alarm # why").slice(3), [
		"node:big one",
		"arrow:>>",
		"failure:on error",
		"arrow:>>",
		"node:alarm",
		"comment:# why",
	]);
});

test("highlights only the first level of keys in config as nodes", () => {
	const found = readTokens("config:\n  big one:\n    component: sort\n  b: { x: 1 }");
	assert.deepEqual(
		found.filter((token) => /^(?:node|key|section):/.test(token)),
		["section:config", "node:big one", "key:component", "node:b", "key:x"],
	);
});

test("highlights templates in quoted, plain and block scalars", () => {
	const found = readTokens('a: "x {{y}} z"\nb: it is {{y | upper}}\nc: |\n  p {{y}}');
	assert.deepEqual(
		found.filter((token) => token.startsWith("template:")).join(""),
		"template:{{template:y}}template:{{template:y | upper}}template:{{template:y}}",
	);
});

test("ends a block scalar where its indentation ends", () => {
	const found = readTokens("config:\n  a:\n    code: |\n      x: 1\n\n      y: 2\n    input: 3");
	assert.deepEqual(found.slice(-3), ["key:input", "punctuation::", "number:3"]);
	assert.equal(found.includes("key:x"), false);
});

test("continues a quoted text over several lines", () => {
	assert.deepEqual(readTokens('a: "one\n  two" # end').at(-1), "comment:# end");
});

test("distinguishes numbers and keywords from text", () => {
	const found = readTokens("a: { on: true, n: -1.5, t: 1 x, none: null }");
	assert.equal(found.includes("atom:true"), true);
	assert.equal(found.includes("number:-1.5"), true);
	assert.equal(found.includes("atom:null"), true);
	assert.equal(found.includes("string:1"), true);
});

test("highlights malformed text to its end", () => {
	const removeSpaces = (text: string) => text.replace(/\s/g, "");
	for (const text of [
		"{",
		"]]]",
		"- - -",
		": :",
		'"',
		"'it''s",
		"a: >>",
		"? x",
		"triplets:\n  - >> >> >>",
		"|",
		"\t- x",
		"{{",
		"a: }}",
	]) {
		const highlighted = readTokens(text).map((token) => token.slice(token.indexOf(":") + 1));
		assert.equal(removeSpaces(highlighted.join("")), removeSpaces(text));
	}
});
