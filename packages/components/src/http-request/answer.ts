import { toBase64 } from "@tripline/contract/bytes";
import { type Json, MAX_JSON_DEPTH, nestsTooDeep } from "@tripline/contract/json";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { OutboundAnswer } from "../outbound/call.ts";

export const RESPONSES = ["auto", "json", "text", "base64"] as const;
type Response = (typeof RESPONSES)[number];
type Body = Pick<OutboundAnswer, "headers" | "body">;

/** Converts the response body to a value. An empty body is null, or empty text with `text` and `base64`. */
export function readBody(answer: Body, response: Response): Json {
	const isEmpty = answer.body.length === 0;
	switch (response) {
		case "text":
			return decodeText(answer);
		case "base64":
			return toBase64(answer.body);
		case "json":
			return isEmpty ? null : parseJsonText(decodeText(answer));
		case "auto":
			return isEmpty ? null : detectBody(answer);
	}
}

/** Decodes by byte order mark or by the content type's charset, else as UTF-8; the byte order mark is dropped. */
export function decodeText({ headers, body }: Body): string {
	return pickDecoder(body, headers["content-type"]).decode(body);
}

function parseJsonText(text: string): Json {
	const value = tryParseJson(text);
	if (value === undefined) {
		throw new Error("the response is not JSON; set response to text to get it as text");
	}
	return value;
}

function detectBody(answer: Body): Json {
	const contentType = answer.headers["content-type"];
	const type = contentType === undefined ? "" : parseMediaType(contentType);
	if (type === "") return guessBody(answer.body);
	if (isJson(type)) return parseJsonText(decodeText(answer));
	return isText(type) ? decodeText(answer) : toBase64(answer.body);
}

function guessBody(body: Uint8Array): Json {
	let text: string;
	try {
		text = strictUtf8.decode(body);
	} catch {
		return toBase64(body);
	}
	const value = tryParseJson(text);
	return value === undefined ? text : value;
}

/** Undefined if the text is not JSON. The engine's own error message would quote a part of the text. */
function tryParseJson(text: string): Json | undefined {
	let value: Json;
	try {
		value = JSON.parse(text);
	} catch {
		return undefined;
	}
	if (nestsTooDeep(text)) {
		throw new TerminalError(`the response's JSON nests deeper than ${MAX_JSON_DEPTH} levels`);
	}
	return value;
}

export const parseMediaType = (contentType: string): string =>
	(/^[^;,]*/.exec(contentType)?.[0] ?? "").trim().toLowerCase();

export const isJson = (type: string): boolean =>
	type === "application/json" || type === "text/json" || type.endsWith("+json");

const TEXT_TYPES = new Set([
	"application/ecmascript",
	"application/graphql",
	"application/javascript",
	"application/jsonl",
	"application/ndjson",
	"application/sql",
	"application/toml",
	"application/x-javascript",
	"application/x-ndjson",
	"application/x-sh",
	"application/x-www-form-urlencoded",
	"application/x-yaml",
	"application/xml",
	"application/yaml",
]);

export const isText = (type: string): boolean =>
	type.startsWith("text/") || type.endsWith("+xml") || type.endsWith("+yaml") || TEXT_TYPES.has(type);

const utf8 = new TextDecoder();
const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

function pickDecoder(body: Uint8Array, contentType: string | undefined): TextDecoder {
	if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return utf8;
	if (body[0] === 0xff && body[1] === 0xfe) return createDecoder("utf-16le");
	if (body[0] === 0xfe && body[1] === 0xff) return createDecoder("utf-16be");
	const charset = contentType && /;\s*charset\s*=\s*["']?([^\s"';,]+)/i.exec(contentType)?.[1];
	return charset === undefined || charset === "" || /^utf-?8$/i.test(charset) ? utf8 : createDecoder(charset);
}

function createDecoder(charset: string): TextDecoder {
	try {
		return new TextDecoder(charset);
	} catch {
		return utf8;
	}
}
