import assert from "node:assert/strict";
import { test } from "node:test";
import { metadataOf, prettyOf, sameMetadata } from "../../src/pages/knowledge/metadata.ts";

test("accepts only JSON objects as metadata", () => {
	assert.deepEqual(metadataOf('{"tags": ["a"]}'), { kind: "object", value: { tags: ["a"] } });
	assert.equal(metadataOf("[]").kind, "not-object");
	assert.equal(metadataOf("null").kind, "not-object");
	assert.equal(metadataOf("{").kind, "not-json");
});

test("ignores formatting when comparing metadata", () => {
	assert.ok(sameMetadata('{"a":1}', prettyOf('{"a":1}')));
	assert.ok(!sameMetadata('{"a":1}', '{"a":2}'));
});

test("compares and shows invalid JSON unchanged", () => {
	assert.equal(prettyOf("{"), "{");
	assert.ok(sameMetadata("{", "{"));
	assert.ok(!sameMetadata("{", "{}"));
});
