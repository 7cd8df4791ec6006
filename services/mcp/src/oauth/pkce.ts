import { toBase64Url } from "@tripline/contract/bytes";
import { isSameSecret } from "@tripline/contract/secrets";

/** An S256 challenge: 32 bytes as base64url. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

export const isChallenge = (text: string): boolean => CHALLENGE.test(text);

/** Whether the verifier matches the S256 challenge (RFC 7636). */
export async function isVerified(verifier: string, challenge: string): Promise<boolean> {
	return VERIFIER.test(verifier) && isSameSecret(await computeChallenge(verifier), challenge);
}

async function computeChallenge(verifier: string): Promise<string> {
	const bytes = new TextEncoder().encode(verifier);
	return toBase64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}
