import assert from "node:assert/strict";
import { it } from "node:test";
import {
	addUpToMost,
	MAX_OPERATIONS,
	type Operation,
	toggle,
} from "../../src/pages/recipes/import/selection.ts";

const operations = Array.from({ length: 80 }, (_, index) => ({ id: `o${index}` }) as Operation);

it("selects no more operations than a recipe may have, and keeps those selected before", () => {
	const all = addUpToMost(new Set(["o79"]), operations);
	assert.equal(all.size, MAX_OPERATIONS);
	assert.ok(all.has("o79") && all.has("o0") && !all.has("o60"));
	assert.equal(toggle(all, "o79").size, MAX_OPERATIONS - 1);
	assert.equal(all.size, MAX_OPERATIONS);
});
