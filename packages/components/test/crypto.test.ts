import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { describe, test } from "node:test";
import fc from "fast-check";
import { runForError, runForOutput } from "./run-node.ts";

const ENCODINGS = ["hex", "base64", "base64url"] as const;

describe("crypto", () => {
	test("hashes and signs any text like a reference implementation, in every encoding", async () => {
		const text = fc.string({ unit: "grapheme" });
		const key = fc.string({ unit: "grapheme", minLength: 1 });
		await fc.assert(
			fc.asyncProperty(text, key, fc.constantFrom(...ENCODINGS), async (value, key, encoding) => {
				const input = { value, key };
				const params = { value: "{{input.value}}", encoding };
				assert.equal(
					await runForOutput("crypto", { operation: "sha256", ...params }, { input }),
					createHash("sha256").update(value).digest(encoding),
				);
				assert.equal(
					await runForOutput(
						"crypto",
						{ operation: "hmac_sha256", key: "{{input.key}}", ...params },
						{ input },
					),
					createHmac("sha256", key).update(value).digest(encoding),
				);
			}),
			{ numRuns: 50 },
		);
	});

	test("returns a different id and secret each time", async () => {
		const ids = await Promise.all(
			Array.from({ length: 50 }, () => runForOutput("crypto", { operation: "uuid" })),
		);
		assert.equal(new Set(ids).size, 50);
		for (const id of ids)
			assert.match(String(id), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
		const secrets = await Promise.all(
			Array.from({ length: 50 }, () => runForOutput("crypto", { operation: "random" })),
		);
		assert.equal(new Set(secrets).size, 50);
		for (const secret of secrets) assert.match(String(secret), /^[0-9a-f]{64}$/);
	});

	test("returns the requested number of bytes", async () => {
		for (const bytes of [1, 17, 1024]) {
			const text = await runForOutput("crypto", { operation: "random", bytes, encoding: "base64url" });
			assert.equal(Buffer.from(String(text), "base64url").length, bytes);
		}
		assert.match(
			await runForError("crypto", { operation: "random", bytes: 1025 }),
			/"bytes" must be at most 1024/,
		);
	});

	test("rejects lone surrogates, empty keys and parameters that the operation does not use", async () => {
		const input = { value: "\uD800" };
		const half = runForError("crypto", { operation: "sha256", value: "{{input.value}}" }, { input });
		assert.match(await half, /lone surrogate/);
		assert.match(await runForError("crypto", { operation: "hmac_sha256", value: "a", key: "" }), /"key"/);
		assert.match(
			await runForError("crypto", { operation: "uuid", encoding: "hex" }),
			/"encoding" is not used by uuid/,
		);
	});
});
