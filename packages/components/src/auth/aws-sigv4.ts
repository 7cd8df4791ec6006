import { toHex } from "@tripline/contract/bytes";
import type { AuthRecipe } from "@tripline/contract/recipes";
import { encodeQueryText } from "../outbound/query.ts";
import { type Credential, fillFields, fillRequired } from "./credential.ts";
import type { Authorized, AuthRequest } from "./request.ts";
import { digestContent } from "./sha256.ts";

type Inject = Extract<AuthRecipe, { type: "aws_sigv4" }>["inject"];

/** AWS Signature Version 4, in the Authorization header. */
export async function signAwsSigV4(
	credential: Credential,
	inject: Inject,
	request: AuthRequest,
	now: number,
): Promise<Authorized> {
	const keyId = fillRequired("access key id", inject.access_key_id, credential);
	const secret = fillRequired("secret access key", inject.secret_access_key, credential);
	const sessionToken = fillFields(inject.session_token ?? "", credential);
	const region = fillRequired("region", inject.region, credential);
	const service = fillRequired("service", inject.service, credential);

	const isS3 = service === "s3";
	const url = toCanonicalUrl(request.url, isS3);
	const bodyHash = await hashBody(request, isS3);
	const time = new Date(now).toISOString().replace(/[-:]|\.\d+/g, "");
	const added: Record<string, string> = { "x-amz-date": time };
	if (sessionToken !== "") added["x-amz-security-token"] = sessionToken;
	if (isS3) added["x-amz-content-sha256"] = bodyHash;

	const signed = listSignedHeaders({ ...request.headers, ...added, host: url.host });
	const names = signed.map(([name]) => name).join(";");
	const canonical = [
		request.method,
		// S3 signs the path as sent; other services encode the encoded path again.
		isS3
			? url.pathname
			: url.pathname
					.replace(/\/{2,}/g, "/")
					.split("/")
					.map(encodeQueryText)
					.join("/"),
		url.search.slice(1),
		...signed.map(([name, value]) => `${name}:${value}`),
		"",
		names,
		bodyHash,
	].join("\n");
	const scope = `${time.slice(0, 8)}/${region}/${service}/aws4_request`;
	const toSign = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${await sha256(canonical)}`;
	const signature = toHex(await hmac(await deriveSigningKey(secret, scope), toSign));
	return {
		url,
		headers: {
			...added,
			authorization: `AWS4-HMAC-SHA256 Credential=${keyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
		},
		secrets: [signature],
	};
}

/**
 * A streamed body is read twice if it must be hashed. S3 does not require that over https, where nobody can change the
 * body on its way.
 */
function hashBody({ body, url }: AuthRequest, isS3: boolean): Promise<string> | string {
	if (typeof body !== "object" || body === null || body instanceof Uint8Array) return sha256(body ?? "");
	return isS3 && url.protocol === "https:" ? "UNSIGNED-PAYLOAD" : digestContent(body.open());
}

/** The URL is sent exactly as it is signed, so that the server cannot interpret it differently. */
function toCanonicalUrl(given: URL, isS3: boolean): URL {
	const url = new URL(given);
	if (isS3)
		url.pathname = url.pathname
			.split("/")
			.map((part) => encodeQueryText(tryDecode(part)))
			.join("/");
	url.search = [...new URLSearchParams(url.search)]
		.map(([name, value]) => [encodeQueryText(name), encodeQueryText(value)] as const)
		.sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
		.map(([name, value]) => `${name}=${value}`)
		.join("&");
	return url;
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Headers that proxies may change are not signed. */
const UNSIGNED = new Set([
	"accept",
	"accept-encoding",
	"accept-language",
	"authorization",
	"cache-control",
	"user-agent",
]);

const listSignedHeaders = (headers: Readonly<Record<string, string>>): [string, string][] =>
	Object.entries(headers)
		.filter(([name]) => !UNSIGNED.has(name))
		.map(([name, value]): [string, string] => [name, value.trim().replace(/ {2,}/g, " ")])
		.sort(([a], [b]) => compare(a, b));

function tryDecode(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}

const HMAC = { name: "HMAC", hash: "SHA-256" };
const utf8 = (text: string) => new TextEncoder().encode(text);

async function sha256(body: Uint8Array | string): Promise<string> {
	const bytes = typeof body === "string" ? utf8(body) : Uint8Array.from(body);
	return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

async function hmac(key: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array<ArrayBuffer>> {
	const imported = await crypto.subtle.importKey("raw", key, HMAC, false, ["sign"]);
	return new Uint8Array(await crypto.subtle.sign("HMAC", imported, utf8(text)));
}

async function deriveSigningKey(secret: string, scope: string): Promise<Uint8Array<ArrayBuffer>> {
	let key = utf8(`AWS4${secret}`);
	for (const part of scope.split("/")) key = await hmac(key, part);
	return key;
}
