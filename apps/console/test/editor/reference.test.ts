import assert from "node:assert/strict";
import { test } from "node:test";
import { referenceIn } from "../../src/editor/reference.ts";

test("completes names as the first word", () => {
	assert.deepEqual(referenceIn("in"), { kind: "head", from: 0 });
	assert.deepEqual(referenceIn("input.total > or"), { kind: "head", from: 14 });
});

test("completes members after a dot", () => {
	assert.deepEqual(referenceIn("order.customer.na"), {
		kind: "member",
		steps: ["order", "customer"],
		from: 15,
	});
	assert.deepEqual(referenceIn("訂單.金"), { kind: "member", steps: ["訂單"], from: 3 });
});

test("reads quoted names of nodes with several words", () => {
	assert.deepEqual(referenceIn('nodes["big o'), { kind: "node name", quote: '"', from: 7 });
	assert.deepEqual(referenceIn("nodes['big one'].to"), { kind: "member", steps: ["big one"], from: 17 });
});

test("completes filters after one pipe but not after two", () => {
	assert.deepEqual(referenceIn("input.name | up"), { kind: "filter", from: 13 });
	assert.deepEqual(referenceIn("a ||"), { kind: "head", from: 4 });
});

test("completes nothing inside quotes", () => {
	assert.equal(referenceIn('input.x | default("no'), null);
});

test("does not complete after an array index", () => {
	assert.equal(referenceIn("input.list[0].na"), null);
});
