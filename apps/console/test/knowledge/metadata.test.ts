import assert from "node:assert/strict";
import { test } from "node:test";
import { formatMetadata, isSameMetadata, parseMetadata } from "../../src/pages/knowledge/metadata.ts";

test("accepts only JSON objects as metadata", () => {
	assert.deepEqual(parseMetadata('{"tags": ["a"]}'), { kind: "object", value: { tags: ["a"] } });
	assert.equal(parseMetadata("[]").kind, "not-object");
	assert.equal(parseMetadata("null").kind, "not-object");
	assert.equal(parseMetadata("{").kind, "not-json");
});

test("ignores formatting when comparing metadata", () => {
	assert.ok(isSameMetadata('{"a":1}', formatMetadata('{"a":1}')));
	assert.ok(!isSameMetadata('{"a":1}', '{"a":2}'));
});

test("compares and shows invalid JSON unchanged", () => {
	assert.equal(formatMetadata("{"), "{");
	assert.ok(isSameMetadata("{", "{"));
	assert.ok(!isSameMetadata("{", "{}"));
});
