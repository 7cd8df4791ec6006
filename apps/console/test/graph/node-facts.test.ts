import assert from "node:assert/strict";
import { test } from "node:test";
import { type Fact, mergeAnswer, NOTHING } from "../../src/pages/graph/knowledge-graph.ts";
import { groupLinks } from "../../src/pages/graph/links.ts";
import { findReplacement, groupFacts } from "../../src/pages/graph/node-facts.ts";
import { triplet } from "./triplet.ts";

const buildFacts = (...triplets: ReturnType<typeof triplet>[]): Fact[] => [
	...mergeAnswer(NOTHING, { nodes: [], triplets }).facts.values(),
];

test("groups facts by predicate and direction, largest group first", () => {
	const facts = buildFacts(
		triplet("ada", "knows", "bob"),
		triplet("eve", "knows", "ada", { id: "2" }),
		triplet("ada", "Knows", "eve", { id: "3" }),
		triplet("bob", "knows", "eve", { id: "4" }),
	);
	assert.deepEqual(
		groupFacts("ada", facts).map(({ key, facts: of }) => [key, of.length]),
		[
			["out knows", 2],
			["in knows", 1],
		],
	);
});

test("lists current facts before outdated ones", () => {
	const facts = buildFacts(
		triplet("ada", "works at", "initech", { status: "deprecated" }),
		triplet("ada", "works at", "acme", { id: "2" }),
	);
	assert.deepEqual(
		groupFacts("ada", facts)[0]?.facts.map(({ object }) => object),
		["acme", "initech"],
	);
});

test("finds the replacement of an outdated fact", () => {
	const [old, now] = buildFacts(
		triplet("ada", "works at", "initech", { status: "deprecated", superseded_by: "2" }),
		triplet("ada", "works at", "acme", { id: "2" }),
	) as [Fact, Fact];
	assert.equal(findReplacement(old, [old, now]), now);
	assert.equal(findReplacement(now, [old, now]), null);
	assert.equal(findReplacement(old, [old]), null);
});

test("draws one line for facts between the same nodes and names two of them", () => {
	const facts = buildFacts(
		triplet("a", "p", "b", { status: "deprecated" }),
		triplet("a", "q", "b", { id: "2" }),
		triplet("a", "r", "b", { id: "3" }),
		triplet("b", "p", "a", { id: "4", status: "deprecated" }),
	);
	assert.deepEqual(
		groupLinks(facts).map(({ source, target, label, isActive }) => [source, target, label, isActive]),
		[
			["a", "b", "p, q +1", true],
			["b", "a", "p", false],
		],
	);
});
