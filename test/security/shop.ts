import type { ServerResponse } from "node:http";
import type { Received } from "./loopback.ts";
import { ENCODINGS } from "./secret-spellings.ts";

/** A hostile credential host: it echoes what it was sent in every possible way. */
export function answerShop(received: Received, response: ServerResponse): void {
	const [, action = "", first = "", second = ""] = stripPrefix(received.path).split("/");
	const secret = findAuthorization(received);
	const given = decodeURIComponent(first);
	switch (action) {
		case "echo": {
			const body = ENCODINGS[given]?.(secret) ?? "";
			const headers = { "content-type": "text/plain", "x-echo": toHeaderValue(body), etag: `"${secret}"` };
			response.writeHead(200, headers);
			return void response.end(body, /UTF-16/.test(given) ? "latin1" : "utf8");
		}
		case "content": {
			const content = Buffer.from(ENCODINGS[given]?.(secret) ?? "", /UTF-16/.test(given) ? "latin1" : "utf8");
			return void response.end(JSON.stringify({ content: content.toString("base64url") }));
		}
		case "status":
			response.writeHead(Number(first), { "retry-after": "0", "x-echo": toHeaderValue(secret) });
			return void response.end(JSON.stringify({ error: { message: `bad token ${secret}` } }));
		case "redirect":
			response.writeHead(Number(first), { location: insertSecret(decodeURIComponent(second), secret) });
			return void response.end(secret);
		case "link": {
			const next = insertSecret(given, secret);
			response.writeHead(200, { "content-type": "application/json", link: `<${next}>; rel="next"` });
			return void response.end(JSON.stringify({ items: [1], next }));
		}
		case "hang":
			return;
		case "reset":
			response.destroy();
			return;
		case "half":
			response.writeHead(200, { "content-length": "100000" });
			response.write(secret);
			setTimeout(() => response.destroy(), 20);
			return;
		case "not-json":
			return void response.end(`<html>${secret}`);
		case "location":
			response.writeHead(302, { location: `http://${encodeURIComponent(secret)}:x/` });
			return void response.end();
		case "large":
			return void response.end(secret.repeat(800_000));
		default:
			answerAsModel(received, response, secret);
	}
}

function answerAsModel({ path }: Received, response: ServerResponse, secret: string): void {
	response.writeHead(200, { "content-type": "application/json" });
	if (path.includes("/chat/completions")) {
		const choices = [{ message: { content: secret }, finish_reason: secret }];
		return void response.end(JSON.stringify({ model: secret, choices }));
	}
	if (path.includes("/embeddings")) {
		return void response.end(JSON.stringify({ model: secret, data: [{ index: 0, embedding: [1] }] }));
	}
	response.end(JSON.stringify({ secret }));
}

/** The path without a prefix that a credential may have added. */
const stripPrefix = (path: string): string => path.replace(/^\/bot[^/]*/, "").replace(/\?.*/, "");

/** Anything in the request that looks like authorization. */
function findAuthorization({ headers, path, body }: Received): string {
	const authorization = String(headers.authorization ?? "");
	if (authorization.startsWith("Bearer ")) return authorization.slice(7);
	if (authorization.startsWith("Basic ")) {
		return Buffer.from(authorization.slice(6), "base64").toString().replace(/^ada:/, "");
	}
	if (typeof headers["x-key"] === "string") return headers["x-key"].replace(/^Key /, "");
	const { searchParams } = new URL(path, "http://shop");
	const inPath = /^\/bot([^/]*)/.exec(path)?.[1];
	const told =
		searchParams.get("api_key") ?? searchParams.get("value") ?? (inPath && decodeURIComponent(inPath));
	return told || String(headers["x-value"] ?? "").replace(/^a /, "") || authorization || body;
}

const toHeaderValue = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 4_000);

/** Replaces `~base64~` by the secret in base64, and so on. */
const insertSecret = (text: string, secret: string): string =>
	toHeaderValue(
		text.replaceAll(/~([^~]+)~/g, (_, name: string) => encodeURI(ENCODINGS[name]?.(secret) ?? "")),
	);
