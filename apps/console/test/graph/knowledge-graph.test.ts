import assert from "node:assert/strict";
import { test } from "node:test";
import {
	countPredicates,
	filterFacts,
	findCompleteNodes,
	foldName,
	mergeAnswer,
	NOTHING,
} from "../../src/pages/graph/knowledge-graph.ts";
import { triplet } from "./triplet.ts";

test("merges names that fold alike into one node and keeps its gloss", () => {
	const first = mergeAnswer(NOTHING, { nodes: [{ name: "Ada", depth: 0, gloss: "engineer" }], triplets: [] });
	const known = mergeAnswer(first, { nodes: [], triplets: [triplet("ＡＤＡ", "works at", "Acme")] });
	assert.deepEqual([...known.nodes.keys()], ["ada", "acme"]);
	assert.deepEqual(known.nodes.get("ada"), { key: "ada", name: "Ada", gloss: "engineer" });
	assert.equal(foldName(" Straße"), foldName("STRASSE"));
});

test("merges the same statement of two sources into one fact", () => {
	const triplets = [triplet("Ada", "works at", "Acme"), triplet("ada", "Works at", "acme", { id: "2" })];
	const known = mergeAnswer(NOTHING, { nodes: [], triplets });
	assert.equal(known.facts.size, 1);
	assert.equal([...known.facts.values()][0]?.triplets.length, 2);
});

test("replaces a known triplet", () => {
	const first = mergeAnswer(NOTHING, { nodes: [], triplets: [triplet("a", "p", "b")] });
	const known = mergeAnswer(first, {
		nodes: [],
		triplets: [triplet("a", "p", "b", { status: "deprecated" })],
	});
	assert.deepEqual(
		[...known.facts.values()].map(({ isActive, triplets }) => [isActive, triplets.length]),
		[[false, 1]],
	);
});

test("filters by predicate, and includes deprecated facts only on request", () => {
	const triplets = [
		triplet("a", "p", "b"),
		triplet("a", "q", "b", { id: "2" }),
		triplet("a", "p", "c", { id: "3", status: "deprecated" }),
	];
	const known = mergeAnswer(NOTHING, { nodes: [], triplets });
	assert.equal(filterFacts(known, { predicate: null, withDeprecated: false }).length, 2);
	assert.equal(filterFacts(known, { predicate: "P", withDeprecated: false }).length, 1);
	assert.equal(filterFacts(known, { predicate: "p", withDeprecated: true }).length, 2);
});

test("counts predicates, most frequent first", () => {
	const triplets = [
		triplet("a", "p", "b"),
		triplet("a", "q", "b", { id: "2" }),
		triplet("a", "Q", "c", { id: "3" }),
	];
	const facts = filterFacts(mergeAnswer(NOTHING, { nodes: [], triplets }), {
		predicate: null,
		withDeprecated: true,
	});
	assert.deepEqual(countPredicates(facts), [
		{ key: "q", name: "q", count: 2 },
		{ key: "p", name: "p", count: 1 },
	]);
});

test("treats all nodes before the last level of a complete traversal as complete", () => {
	const nodes = [0, 1, 2].map((depth) => ({ name: `n${depth}`, depth, gloss: null }));
	assert.deepEqual([...findCompleteNodes({ nodes, truncated: false }, 2)], ["n0", "n1"]);
	assert.deepEqual([...findCompleteNodes({ nodes, truncated: true }, 2)], ["n0"]);
	assert.deepEqual([...findCompleteNodes({ nodes: nodes.slice(0, 2), truncated: true }, 2)], []);
});
