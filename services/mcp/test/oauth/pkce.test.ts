import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { isChallenge, isVerified } from "../../src/oauth/pkce.ts";
import { CHALLENGE, VERIFIER } from "./open-server.ts";

describe("PKCE", () => {
	it("verifies the example of RFC 7636, appendix B", async () => {
		assert.equal(await isVerified(VERIFIER, CHALLENGE), true);
		assert.equal(isChallenge(CHALLENGE), true);
	});

	it("accepts verifiers of 43 to 128 unreserved characters", async () => {
		for (const verifier of [
			...[
				"",
				"a".repeat(42),
				"a".repeat(129),
				`${"a".repeat(43)}=`,
				`${"a".repeat(43)}+`,
				`${"a".repeat(43)} `,
			],
			...[`${"a".repeat(43)}é`, `${"a".repeat(43)}\n`, CHALLENGE],
		]) {
			assert.equal(
				await isVerified(verifier, await computeChallenge(verifier)),
				verifier === CHALLENGE,
				verifier,
			);
		}
		for (const verifier of ["a".repeat(43), "a".repeat(128), `-._~${"Az09".repeat(10)}`])
			assert.equal(await isVerified(verifier, await computeChallenge(verifier)), true, verifier);
	});

	it("never accepts the challenge itself as the verifier", async () => {
		assert.equal(await isVerified(CHALLENGE, CHALLENGE), false);
	});

	it("verifies only the verifier that the challenge was made from", () =>
		fc.assert(
			fc.asyncProperty(verifiers, verifiers, async (one, other) => {
				assert.equal(await isVerified(one, await computeChallenge(other)), one === other);
			}),
			{ numRuns: 200 },
		));

	it("accepts only challenges that S256 can produce", () => {
		for (const text of ["", "a".repeat(42), "a".repeat(44), `${"a".repeat(42)}=`, `${"a".repeat(42)}+`])
			assert.equal(isChallenge(text), false, text);
	});
});

const verifiers = fc.string({
	unit: fc.constantFrom(..."abcXYZ019-._~"),
	minLength: 43,
	maxLength: 128,
});

async function computeChallenge(verifier: string): Promise<string> {
	const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
	return Buffer.from(digest).toString("base64url");
}
