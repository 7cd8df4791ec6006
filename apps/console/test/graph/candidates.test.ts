import assert from "node:assert/strict";
import { test } from "node:test";
import { listCandidates } from "../../src/pages/graph/candidates.ts";
import { triplet } from "./triplet.ts";

test("lists nodes with matching names first, shortest first, without duplicates", () => {
	const found = [triplet("steel gear", "is part of", "clock"), triplet("gear", "ships from", "Steel Gear")];
	assert.deepEqual(
		listCandidates(found, "gear").map(({ name }) => name),
		["gear", "steel gear"],
	);
});

test("offers all nodes of the facts if only a predicate matches", () => {
	assert.deepEqual(
		listCandidates([triplet("Ada", "works at", "Acme")], "works").map(({ name }) => name),
		["Ada", "Acme"],
	);
});
