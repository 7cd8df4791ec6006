import { toHex } from "./bytes.ts";
import { encodeQueryText } from "./query-text.ts";

interface AwsKey {
	readonly keyId: string;
	readonly secret: string;
	/** Empty or omitted for a key that does not expire. */
	readonly sessionToken?: string;
	readonly region: string;
	readonly service: string;
}

interface AwsRequest {
	readonly method: string;
	readonly url: URL;
	/** By lowercase names. */
	readonly headers: Readonly<Record<string, string>>;
	/** SHA-256 of the body in hex, or `UNSIGNED-PAYLOAD` where the service accepts that. */
	readonly bodyHash: string;
}

interface AwsSigned {
	/** The URL is sent exactly as it is signed, so that the server cannot interpret it differently. */
	readonly url: URL;
	/** Added to the request's headers. */
	readonly headers: Readonly<Record<string, string>>;
	readonly signature: string;
}

/** AWS Signature Version 4, in the Authorization header. */
export async function signAwsRequest(key: AwsKey, request: AwsRequest, now: number): Promise<AwsSigned> {
	const { region, service, sessionToken = "" } = key;
	const isS3 = service === "s3";
	const url = toCanonicalUrl(request.url, isS3);
	const time = new Date(now).toISOString().replace(/[-:]|\.\d+/g, "");
	const added: Record<string, string> = { "x-amz-date": time };
	if (sessionToken !== "") added["x-amz-security-token"] = sessionToken;
	if (isS3) added["x-amz-content-sha256"] = request.bodyHash;

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
		request.bodyHash,
	].join("\n");
	const scope = `${time.slice(0, 8)}/${region}/${service}/aws4_request`;
	const toSign = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${await hashSha256(canonical)}`;
	const signature = toHex(await hmac(await deriveSigningKey(key.secret, scope), toSign));
	const authorization = `AWS4-HMAC-SHA256 Credential=${key.keyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
	return { url, headers: { ...added, authorization }, signature };
}

/** In hex. */
export async function hashSha256(content: Uint8Array | string): Promise<string> {
	const bytes = typeof content === "string" ? utf8(content) : new Uint8Array(content);
	return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

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

async function hmac(key: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array<ArrayBuffer>> {
	const imported = await crypto.subtle.importKey("raw", key, HMAC, false, ["sign"]);
	return new Uint8Array(await crypto.subtle.sign("HMAC", imported, utf8(text)));
}

async function deriveSigningKey(secret: string, scope: string): Promise<Uint8Array<ArrayBuffer>> {
	let key = utf8(`AWS4${secret}`);
	for (const part of scope.split("/")) key = await hmac(key, part);
	return key;
}
