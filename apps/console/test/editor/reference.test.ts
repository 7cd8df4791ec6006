import assert from "node:assert/strict";
import { test } from "node:test";
import { referenceIn } from "../../src/editor/reference.ts";

test("the first word is a name that can be read", () => {
	assert.deepEqual(referenceIn("in"), { kind: "head", from: 0 });
	assert.deepEqual(referenceIn("input.total > or"), { kind: "head", from: 14 });
});

test("after a point comes what is inside", () => {
	assert.deepEqual(referenceIn("order.customer.na"), {
		kind: "member",
		steps: ["order", "customer"],
		from: 15,
	});
	assert.deepEqual(referenceIn("訂單.金"), { kind: "member", steps: ["訂單"], from: 3 });
});

test("a node of several words is named in quotes", () => {
	assert.deepEqual(referenceIn('nodes["big o'), { kind: "node name", quote: '"', from: 7 });
	assert.deepEqual(referenceIn("nodes['big one'].to"), { kind: "member", steps: ["big one"], from: 17 });
});

test("after a bar comes a filter, but not after two", () => {
	assert.deepEqual(referenceIn("input.name | up"), { kind: "filter", from: 13 });
	assert.deepEqual(referenceIn("a ||"), { kind: "head", from: 4 });
});

test("a text in quotes has no names", () => {
	assert.equal(referenceIn('input.x | default("no'), null);
});

test("an element by its place is not followed", () => {
	assert.equal(referenceIn("input.list[0].na"), null);
});
