import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { digestContent } from "../../src/auth/sha256.ts";

test("the hash of content in chunks is its SHA-256, for any length and any chunks", async () => {
	const chunk = fc.oneof(
		fc.uint8Array({ maxLength: 200 }),
		fc.integer({ min: 0, max: 5_000 }).map((size) => new Uint8Array(size).fill(size)),
	);
	await fc.assert(
		fc.asyncProperty(fc.array(chunk, { maxLength: 6 }), async (chunks) => {
			async function* content() {
				yield* chunks;
			}
			const expected = createHash("sha256").update(Buffer.concat(chunks)).digest("hex");
			assert.equal(await digestContent(content()), expected);
		}),
		{ numRuns: 300 },
	);
});
