import assert from "node:assert/strict";
import { test } from "node:test";
import { metadataOf, prettyOf, sameMetadata } from "../../src/pages/knowledge/metadata.ts";

test("metadata is a JSON object", () => {
	assert.deepEqual(metadataOf('{"tags": ["a"]}'), { kind: "object", value: { tags: ["a"] } });
	assert.equal(metadataOf("[]").kind, "not-object");
	assert.equal(metadataOf("null").kind, "not-object");
	assert.equal(metadataOf("{").kind, "not-json");
});

test("how metadata is written makes no difference", () => {
	assert.ok(sameMetadata('{"a":1}', prettyOf('{"a":1}')));
	assert.ok(!sameMetadata('{"a":1}', '{"a":2}'));
});

test("what is no JSON is compared and shown as it is", () => {
	assert.equal(prettyOf("{"), "{");
	assert.ok(sameMetadata("{", "{"));
	assert.ok(!sameMetadata("{", "{}"));
});
