import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { EDGE_STYLES, relationsIn } from "../../src/pages/workflow/graph/edge-styles.ts";

describe("lines of relations", () => {
	it("tells relations of one colour apart by the line", () => {
		const looks = Object.values(EDGE_STYLES).map(({ tone, dash, isThick }) => `${tone} ${dash} ${isThick}`);
		assert.equal(new Set(looks).size, looks.length);
	});

	it("lists what a graph has, once, in the order of the language", () =>
		assert.deepEqual(relationsIn([{ on: "FOREACH" }, { on: "ON_FAIL" }, { on: "FOREACH" }]), [
			"ON_FAIL",
			"FOREACH",
		]));
});
