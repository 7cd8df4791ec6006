import assert from "node:assert/strict";
import { test } from "node:test";
import type { Lines, Place } from "../../src/editor/place.ts";
import { findPlace } from "../../src/editor/place-at.ts";

/** The place at the mark ‸ in a text. */
function findMarkedPlace(marked: string): Place | null {
	const lines = marked.split("\n");
	const number = lines.findIndex((line) => line.includes("‸"));
	const column = lines[number]?.indexOf("‸") ?? 0;
	const texts = lines.map((line) => line.replace("‸", ""));
	const doc: Lines = { lines: texts.length, line: (of) => ({ text: texts[of - 1] ?? "" }) };
	return findPlace(doc, number + 1, column);
}

const getPath = (place: Place | null): string | null =>
	place === null || place.kind === "triplet" ? null : `${place.kind} ${place.path.join(".")}`;

test("treats an unindented word as a document key", () => {
	assert.equal(getPath(findMarkedPlace("name: x\ntri‸")), "key ");
});

test("lists sibling keys", () => {
	const place = findMarkedPlace(
		"config:\n  a:\n    component: template\n    t‸\n    retry: {}\n  b:\n    x: 1",
	);
	assert.deepEqual(place?.kind === "key" && place.siblings, ["component", "retry"]);
});

test("assigns parameters to nodes by indentation", () => {
	assert.equal(
		getPath(findMarkedPlace("config:\n  a:\n    component: x\n  b c:\n    te‸")),
		"key config.b c",
	);
});

test("places an empty line by its indentation", () => {
	assert.equal(getPath(findMarkedPlace("config:\n  a:\n    component: x\n\n    ‸")), "key config.a");
	assert.equal(getPath(findMarkedPlace("config:\n  a:\n    component: x\n\n  ‸")), "key config");
});

test("expects a value after the colon", () => {
	assert.equal(getPath(findMarkedPlace("config:\n  a:\n    component: ht‸")), "value config.a.component");
	assert.equal(getPath(findMarkedPlace("config:\n  a:\n    component: ‸")), "value config.a.component");
});

test("finds the same places in flow style", () => {
	assert.equal(getPath(findMarkedPlace("trigger: { type: schedule, cr‸")), "key trigger");
	assert.equal(getPath(findMarkedPlace("trigger: { type: ‸")), "value trigger.type");
	assert.equal(getPath(findMarkedPlace("config:\n  a: { retry: { ma‸ } }")), "key config.a.retry");
	assert.equal(getPath(findMarkedPlace("config:\n  a: { values: [x, ‸")), "value config.a.values.[]");
});

test("finds no keys in a block scalar", () => {
	assert.equal(findMarkedPlace("config:\n  a:\n    code: |\n      const x = { a: 1 };\n      if: re‸"), null);
});

test("finds keys after a block scalar", () => {
	assert.equal(getPath(findMarkedPlace("config:\n  a:\n    code: |\n      x: 1\n    in‸")), "key config.a");
});

test("finds nothing in a comment", () => {
	assert.equal(findMarkedPlace("name: x # na‸"), null);
	assert.equal(findMarkedPlace("# na‸"), null);
});

test("splits a triplet into three parts that may contain spaces", () => {
	assert.deepEqual(findMarkedPlace("triplets:\n  - big or‸"), { kind: "triplet", part: 0, from: 4 });
	assert.deepEqual(findMarkedPlace("triplets:\n  - a >> if t‸"), { kind: "triplet", part: 1, from: 9 });
	assert.deepEqual(findMarkedPlace("triplets:\n- a >> then >> ‸"), { kind: "triplet", part: 2, from: 15 });
	assert.deepEqual(findMarkedPlace('triplets: ["a >> th‸'), { kind: "triplet", part: 1, from: 17 });
});

test("finds a reference between braces in any text", () => {
	const inQuotes = findMarkedPlace('config:\n  a:\n    text: "Hello {{inp‸"');
	assert.deepEqual(inQuotes?.kind === "template" && [inQuotes.text, inQuotes.path], [
		"inp",
		["config", "a", "text"],
	]);
	const inBlock = findMarkedPlace("config:\n  a:\n    text: |\n      # Hello {{inp‸");
	assert.equal(inBlock?.kind, "template");
});

test("ignores a closed template", () => {
	assert.equal(getPath(findMarkedPlace('config:\n  a:\n    text: "{{a}} b‸"')), "value config.a.text");
});

test("does not treat code as a template", () => {
	assert.equal(findMarkedPlace("config:\n  a:\n    code: |\n      x = {{a‸"), null);
});

test("places list elements of a node below their key", () => {
	assert.equal(
		getPath(findMarkedPlace("config:\n  a:\n    multipart:\n      - name: x\n        te‸")),
		"key config.a.multipart.[]",
	);
	assert.equal(
		getPath(findMarkedPlace("config:\n  a:\n    multipart:\n      - na‸")),
		"key config.a.multipart.[]",
	);
});
