import assert from "node:assert/strict";
import { test } from "node:test";
import { NOTHING, withAnswer } from "../../src/pages/graph/knowledge-graph.ts";
import { linksOf } from "../../src/pages/graph/links.ts";
import { drawnOf, type Scene } from "../../src/pages/graph/looks.ts";
import { triplet } from "./triplet.ts";

function sceneOf(count: number, more: Partial<Scene> = {}, ...others: ReturnType<typeof triplet>[]): Scene {
	const triplets = Array.from({ length: count }, (_, nth) =>
		triplet("hub", "has", `part ${nth}`, { id: `${nth}` }),
	);
	const known = withAnswer(NOTHING, { nodes: [], triplets: [...triplets, ...others] });
	const links = linksOf([...known.facts.values()]);
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
	assert.equal(drawnOf(sceneOf(60)).named.length, 60);
	assert.equal(drawnOf(sceneOf(61)).named.length, 0);
	assert.equal(drawnOf(sceneOf(61, { chosenNode: "part 7" })).named.length, 1);
	assert.deepEqual(
		drawnOf(sceneOf(61, { chosenLink: "hub\npart 8" })).named.map(({ target }) => target),
		["part 8"],
	);
});

test("names only rare predicates at a node with many lines", () => {
	const { named } = drawnOf(sceneOf(61, { chosenNode: "hub" }, triplet("hub", "is in", "town", { id: "t" })));
	assert.deepEqual(
		named.map(({ target }) => target),
		["town"],
	);
});

test("treats a selected node and its neighbours as near, and everything when the start is selected", () => {
	assert.deepEqual([...drawnOf(sceneOf(9, { chosenNode: "part 7" })).near], ["part 7", "hub"]);
	assert.equal(drawnOf(sceneOf(9, { chosenNode: "hub" })).near.size, 0);
});
