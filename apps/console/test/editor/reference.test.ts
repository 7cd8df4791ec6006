import assert from "node:assert/strict";
import { test } from "node:test";
import { parseReference } from "../../src/editor/reference.ts";

test("completes names as the first word", () => {
	assert.deepEqual(parseReference("in"), { kind: "head", from: 0 });
	assert.deepEqual(parseReference("input.total > or"), { kind: "head", from: 14 });
});

test("completes members after a dot", () => {
	assert.deepEqual(parseReference("order.customer.na"), {
		kind: "member",
		steps: ["order", "customer"],
		from: 15,
	});
	assert.deepEqual(parseReference("訂單.金"), { kind: "member", steps: ["訂單"], from: 3 });
});

test("reads quoted names of nodes with several words", () => {
	assert.deepEqual(parseReference('nodes["big o'), { kind: "node name", quote: '"', from: 7 });
	assert.deepEqual(parseReference("nodes['big one'].to"), { kind: "member", steps: ["big one"], from: 17 });
});

test("completes filters after one pipe but not after two", () => {
	assert.deepEqual(parseReference("input.name | up"), { kind: "filter", from: 13 });
	assert.deepEqual(parseReference("a ||"), { kind: "head", from: 4 });
});

test("completes references in the argument of default, and in that of no other filter", () => {
	assert.deepEqual(parseReference("input.x | default(or"), { kind: "head", from: 18 });
	assert.deepEqual(parseReference("input.x | default(order.na"), {
		kind: "member",
		steps: ["order"],
		from: 24,
	});
	assert.deepEqual(parseReference("a | default(b.y) | fi"), { kind: "filter", from: 19 });
	assert.deepEqual(parseReference('a | join(",") | default(b'), { kind: "head", from: 24 });
	assert.equal(parseReference("input.x | slice(or"), null);
	assert.deepEqual(parseReference("a || size(or"), { kind: "head", from: 10 });
});

test("completes nothing inside quotes", () => {
	assert.equal(parseReference('input.x | default("no'), null);
});

test("does not complete after an array index", () => {
	assert.equal(parseReference("input.list[0].na"), null);
});
