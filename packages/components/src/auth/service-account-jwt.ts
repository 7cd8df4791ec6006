import { fromBase64, toBase64Url } from "@tripline/contract/bytes";
import type { AuthRecipe } from "@tripline/contract/recipes";
import { TerminalError } from "@tripline/engine/terminal-error";
import { type Credential, fillFields, fillRequired } from "./credential.ts";
import { buildTokenUrl, type TokenRequest } from "./token-endpoint.ts";

type Inject = Extract<AuthRecipe, { type: "service_account_jwt" }>["inject"];

const GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const LIFETIME_S = 3600;
const RS256 = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };

/** RFC 7523: exchanges a signed assertion for an access token. */
export async function buildServiceAccountRequest(
	credential: Credential,
	inject: Inject,
	now: number,
): Promise<TokenRequest> {
	const url = buildTokenUrl(credential, inject.token_url);
	const issuedAt = Math.floor(now / 1000);
	const claims = {
		iss: fillRequired("issuer", inject.issuer, credential),
		...buildClaim("sub", inject.subject, credential),
		...buildClaim("scope", inject.scope, credential),
		aud: url.href,
		iat: issuedAt,
		exp: issuedAt + LIFETIME_S,
	};
	const header = { alg: "RS256", typ: "JWT", ...buildClaim("kid", inject.key_id, credential) };
	const key = await importPrivateKey(credential, fillRequired("private key", inject.private_key, credential));
	const signed = `${encodePart(header)}.${encodePart(claims)}`;
	const signature = await crypto.subtle.sign(RS256, key, utf8(signed));
	const assertion = `${signed}.${toBase64Url(new Uint8Array(signature))}`;
	return { url, form: { grant_type: GRANT, assertion }, secrets: [assertion] };
}

const utf8 = (text: string) => new TextEncoder().encode(text);
const encodePart = (value: unknown) => toBase64Url(utf8(JSON.stringify(value)));

function buildClaim(name: string, text: string | undefined, credential: Credential): Record<string, string> {
	const value = fillFields(text ?? "", credential);
	return value === "" ? {} : { [name]: value };
}

/** Line breaks may be escaped as \n, as in the JSON key file. */
async function importPrivateKey({ name }: Credential, pem: string): Promise<CryptoKey> {
	const lines = pem.replaceAll("\\n", "\n");
	if (lines.includes("BEGIN RSA PRIVATE KEY")) {
		throw new TerminalError(
			`the private key of credential "${name}" is in PKCS#1 format: convert it to PKCS#8 with openssl pkcs8 -topk8 -nocrypt`,
		);
	}
	const [, body = ""] = /-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----/.exec(lines) ?? [];
	const der = fromBase64(body.replace(/\s+/g, ""));
	if (der === null || der.length === 0) throw createUnreadableError(name);
	try {
		return await crypto.subtle.importKey("pkcs8", der, RS256, false, ["sign"]);
	} catch {
		throw createUnreadableError(name);
	}
}

const createUnreadableError = (name: string) =>
	new TerminalError(
		`the private key of credential "${name}" cannot be read: it must be an RSA key from BEGIN PRIVATE KEY to END PRIVATE KEY`,
	);
