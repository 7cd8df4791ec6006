import assert from "node:assert/strict";
import { test } from "node:test";
import { candidatesOf } from "../../src/pages/graph/candidates.ts";
import { triplet } from "./triplet.ts";

test("nodes whose names have what was typed come first, the shortest before the others, each once", () => {
	const found = [triplet("steel gear", "is part of", "clock"), triplet("gear", "ships from", "Steel Gear")];
	assert.deepEqual(
		candidatesOf(found, "gear").map(({ name }) => name),
		["gear", "steel gear"],
	);
});

test("where only a predicate has it, all nodes of the facts are offered", () => {
	assert.deepEqual(
		candidatesOf([triplet("Ada", "works at", "Acme")], "works").map(({ name }) => name),
		["Ada", "Acme"],
	);
});
