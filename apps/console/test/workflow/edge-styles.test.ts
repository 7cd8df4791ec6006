import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { EDGE_STYLES, listRelations } from "../../src/pages/workflow/graph/edge-styles.ts";

describe("edge styles of relations", () => {
	it("distinguish relations of one colour by dashes", () => {
		const looks = Object.values(EDGE_STYLES).map(({ tone, dash, isThick }) => `${tone} ${dash} ${isThick}`);
		assert.equal(new Set(looks).size, looks.length);
	});

	it("list the relations of a graph once, in table order", () =>
		assert.deepEqual(listRelations([{ on: "FOREACH" }, { on: "ON_FAIL" }, { on: "FOREACH" }]), [
			"ON_FAIL",
			"FOREACH",
		]));
});
