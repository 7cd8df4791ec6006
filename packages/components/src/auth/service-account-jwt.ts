import { fromBase64, toBase64Url } from "@tripline/contract/bytes";
import type { AuthRecipe } from "@tripline/contract/recipes";
import { TerminalError } from "@tripline/engine/component";
import { type Credential, filled, needed } from "./credential.ts";
import { type TokenRequest, tokenUrl } from "./token-endpoint.ts";

type Inject = Extract<AuthRecipe, { type: "service_account_jwt" }>["inject"];

const GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const LIFETIME_S = 3600;
const RS256 = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };

/** RFC 7523: exchanges a signed assertion for an access token. */
export async function serviceAccountRequest(
	credential: Credential,
	inject: Inject,
	now: number,
): Promise<TokenRequest> {
	const url = tokenUrl(credential, inject.token_url);
	const issuedAt = Math.floor(now / 1000);
	const claims = {
		iss: needed("issuer", inject.issuer, credential),
		...given("sub", inject.subject, credential),
		...given("scope", inject.scope, credential),
		aud: url.href,
		iat: issuedAt,
		exp: issuedAt + LIFETIME_S,
	};
	const header = { alg: "RS256", typ: "JWT", ...given("kid", inject.key_id, credential) };
	const key = await privateKey(credential, needed("private key", inject.private_key, credential));
	const signed = `${part(header)}.${part(claims)}`;
	const signature = await crypto.subtle.sign(RS256, key, utf8(signed));
	const assertion = `${signed}.${toBase64Url(new Uint8Array(signature))}`;
	return { url, form: { grant_type: GRANT, assertion }, secrets: [assertion] };
}

const utf8 = (text: string) => new TextEncoder().encode(text);
const part = (value: unknown) => toBase64Url(utf8(JSON.stringify(value)));

function given(name: string, text: string | undefined, credential: Credential): Record<string, string> {
	const value = filled(text ?? "", credential);
	return value === "" ? {} : { [name]: value };
}

/** Line breaks may be escaped as \n, as in the JSON key file. */
async function privateKey({ name }: Credential, pem: string): Promise<CryptoKey> {
	const lines = pem.replaceAll("\\n", "\n");
	if (lines.includes("BEGIN RSA PRIVATE KEY")) {
		throw new TerminalError(
			`the private key of credential "${name}" is in PKCS#1 format: convert it to PKCS#8 with openssl pkcs8 -topk8 -nocrypt`,
		);
	}
	const [, body = ""] = /-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----/.exec(lines) ?? [];
	const der = fromBase64(body.replace(/\s+/g, ""));
	if (der === null || der.length === 0) throw unreadable(name);
	try {
		return await crypto.subtle.importKey("pkcs8", der, RS256, false, ["sign"]);
	} catch {
		throw unreadable(name);
	}
}

const unreadable = (name: string) =>
	new TerminalError(
		`the private key of credential "${name}" cannot be read: it must be an RSA key from BEGIN PRIVATE KEY to END PRIVATE KEY`,
	);
