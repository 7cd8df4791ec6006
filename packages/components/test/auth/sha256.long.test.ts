import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { digestContent } from "../../src/auth/sha256.ts";

test("the length is counted in 64 bits", async () => {
	const [chunk, count] = [new Uint8Array(16 * 1024 * 1024), 33];
	async function* content() {
		for (let index = 0; index < count; index++) yield chunk;
	}
	const expected = createHash("sha256");
	for (let index = 0; index < count; index++) expected.update(chunk);
	assert.equal(await digestContent(content()), expected.digest("hex"));
});
