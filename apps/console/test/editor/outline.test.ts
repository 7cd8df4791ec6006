import assert from "node:assert/strict";
import { test } from "node:test";
import { buildOutline } from "../../src/editor/outline.ts";
import type { Lines } from "../../src/editor/place.ts";

function toLines(text: string): Lines {
	const lines = text.split("\n");
	return { lines: lines.length, line: (number) => ({ text: lines[number - 1] ?? "" }) };
}

const readOutline = (text: string) => buildOutline(toLines(text));

test("lists the nodes of triplets and settings once each", () => {
	const { nodes } = readOutline(
		"triplets:\n  - input >> then >> a b\n  - a b >> then >> c\nconfig:\n  c:\n    x: 1\n  d: {}",
	);
	assert.deepEqual(nodes, ["a b", "c", "d"]);
});

test("lists the subject of an incomplete triplet only if a relation follows", () => {
	assert.deepEqual(readOutline("triplets:\n  - half\n  - whole >> ").nodes, ["whole"]);
});

test("finds loop elements in all spellings of FOREACH", () => {
	assert.deepEqual(
		readOutline("triplets:\n  - a >> FOREACH x >> b\n  - c >> for each y >> d\n  - e >> 對每個 z >> f")
			.elements,
		["x", "y", "z"],
	);
});

test("finds the turns of a REPEAT in all spellings", () => {
	assert.deepEqual(
		readOutline("triplets:\n  - a >> REPEAT x >> b\n  - c >> repeat y >> d\n  - e >> 重複 z >> f").turns,
		["x", "y", "z"],
	);
});

test("finds a node's component in block and flow style", () => {
	const { configured } = readOutline(
		'config:\n  a:\n    component: sort\n  b: { component: "if", x: 1 }\n  c:\n    x: 1',
	);
	assert.deepEqual(
		[...configured],
		[
			["a", "sort"],
			["b", "if"],
			["c", null],
		],
	);
});

test("finds no names in a block scalar", () => {
	const { configured } = readOutline("config:\n  a:\n    code: |\n      component: no\n  b: {}");
	assert.deepEqual(
		[...configured],
		[
			["a", null],
			["b", null],
		],
	);
});

test("finds context variables in block and flow style", () => {
	assert.deepEqual(readOutline("context:\n  least: 5\n  deep:\n    inner: 1").context, ["least", "deep"]);
	assert.deepEqual(readOutline("context: { least: 5, most: 9 }").context, ["least", "most"]);
});
