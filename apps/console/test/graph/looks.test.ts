import assert from "node:assert/strict";
import { test } from "node:test";
import { mergeAnswer, NOTHING } from "../../src/pages/graph/knowledge-graph.ts";
import { groupLinks } from "../../src/pages/graph/links.ts";
import { type Scene, toDrawn } from "../../src/pages/graph/looks.ts";
import { triplet } from "./triplet.ts";

function buildScene(
	count: number,
	more: Partial<Scene> = {},
	...others: ReturnType<typeof triplet>[]
): Scene {
	const triplets = Array.from({ length: count }, (_, nth) =>
		triplet("hub", "has", `part ${nth}`, { id: `${nth}` }),
	);
	const known = mergeAnswer(NOTHING, { nodes: [], triplets: [...triplets, ...others] });
	const links = groupLinks([...known.facts.values()]);
	return {
		start: "hub",
		nodes: known.nodes,
		links,
		shownNodes: new Set(known.nodes.keys()),
		shownLinks: new Map(links.map((link) => [link.key, link])),
		expanded: new Set(),
		chosenNode: null,
		chosenLink: null,
		...more,
	};
}

test("names all of a few lines, but only the selected ones of many", () => {
	assert.equal(toDrawn(buildScene(60)).named.length, 60);
	assert.equal(toDrawn(buildScene(61)).named.length, 0);
	assert.equal(toDrawn(buildScene(61, { chosenNode: "part 7" })).named.length, 1);
	assert.deepEqual(
		toDrawn(buildScene(61, { chosenLink: "hub\npart 8" })).named.map(({ target }) => target),
		["part 8"],
	);
});

test("names only rare predicates at a node with many lines", () => {
	const { named } = toDrawn(
		buildScene(61, { chosenNode: "hub" }, triplet("hub", "is in", "town", { id: "t" })),
	);
	assert.deepEqual(
		named.map(({ target }) => target),
		["town"],
	);
});

test("treats a selected node and its neighbours as near, and everything when the start is selected", () => {
	assert.deepEqual([...toDrawn(buildScene(9, { chosenNode: "part 7" })).near], ["part 7", "hub"]);
	assert.equal(toDrawn(buildScene(9, { chosenNode: "hub" })).near.size, 0);
});
