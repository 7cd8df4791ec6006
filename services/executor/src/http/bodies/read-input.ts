import type { AcceptedBody } from "@tripline/contract/webhook-trigger";
import type { JsonObject } from "@tripline/contract/workflows";
import { decodeText, decodeUtf8, decodeUtf8Part, requireUtf8, tryDecodeUtf8 } from "./decode.ts";
import { unsupported } from "./failures.ts";
import { FieldCollector, type Fields, toInput } from "./fields.ts";
import { parseFormText } from "./form.ts";
import { looksLikeJson, readJsonInput, tryJsonInput } from "./json.ts";
import { type MediaType, parseMediaType } from "./media-type.ts";
import { type Part, parseMultipart } from "./multipart.ts";

export interface SentBody {
	/** The header as sent. */
	readonly contentType: string | null;
	readonly bytes: Uint8Array;
}

const FORM_TYPE = "application/x-www-form-urlencoded";
const MULTIPART_TYPE = "multipart/form-data";

/** For messages. */
const TYPES: Readonly<Record<AcceptedBody, string>> = {
	json: "application/json",
	form: FORM_TYPE,
	files: MULTIPART_TYPE,
	text: "text/plain",
	bytes: "application/octet-stream",
};

/**
 * Makes the trigger context of a body, by the bodies that the trigger accepts. Takes time linear in the size of the body;
 * throws `Failed` for what is not accepted (415) and what is malformed (400).
 */
export function readInput({
	accept,
	contentType,
	bytes,
}: SentBody & { readonly accept: readonly AcceptedBody[] }): JsonObject {
	const type = parseMediaType(contentType ?? "");
	const has = (kind: AcceptedBody): boolean => accept.includes(kind);
	const kind = contentType === null || contentType.trim() === "" ? "none" : classify(type);
	if (bytes.length === 0) return kind === "text" && has("text") ? { text: "" } : {};
	switch (kind) {
		case "none":
			return readUntyped(bytes, accept);
		case "form":
			return readFormOrJson(bytes, type, accept);
		case "json":
			if (!has("json")) break;
			requireUtf8(type);
			return readJsonInput(decodeUtf8(bytes, "the body"));
		case "multipart":
			if (type === null || !(has("form") || has("files"))) break;
			return toInput(readMultipartFields(bytes, type));
		case "text":
			if (!has("text")) break;
			return { text: decodeText(bytes, type, "the body") };
		case "bytes":
			if (!has("bytes")) break;
			throw refuseBytes();
	}
	throw refuseType(type, accept);
}

/** The query parameters of a request without a body are its input. `search` has no leading question mark. */
export const readQueryInput = (search: string): JsonObject => toInput(parseFormText(search, "query"));

/** The fields of a posted form, of either content type that browsers send. */
export function readFields({ contentType, bytes }: SentBody): Fields {
	const type = parseMediaType(contentType ?? "");
	const kind = classify(type);
	if (kind === "multipart" && type !== null) return readMultipartFields(bytes, type);
	if (kind !== "form") throw refuseType(type, ["form", "files"]);
	requireUtf8(type);
	return parseFormText(decodeUtf8(bytes, "the form"), "form");
}

type Kind = "json" | "form" | "multipart" | "text" | "bytes";

function classify(type: MediaType | null): Kind {
	const essence = type?.essence ?? "";
	if (essence === FORM_TYPE) return "form";
	if (essence === MULTIPART_TYPE) return "multipart";
	if (essence === "application/json" || essence === "text/json" || essence.endsWith("+json")) return "json";
	return essence.startsWith("text/") ? "text" : "bytes";
}

/** Without a content type JSON is recognised by parsing. */
function readUntyped(bytes: Uint8Array, accept: readonly AcceptedBody[]): JsonObject {
	const has = (kind: AcceptedBody): boolean => accept.includes(kind);
	const mayBeOther = has("bytes") || has("text");
	if (has("json")) {
		if (!mayBeOther) return readJsonInput(decodeUtf8(bytes, "the body"));
		const text = tryDecodeUtf8(bytes);
		const input = text === null ? null : tryJsonInput(text);
		if (input !== null) return input;
	}
	if (has("bytes")) throw refuseBytes();
	if (has("text")) return { text: decodeUtf8(bytes, "the body") };
	throw refuseType(null, accept);
}

/** Some clients, such as curl by default, send JSON with the content type of a form. */
function readFormOrJson(
	bytes: Uint8Array,
	type: MediaType | null,
	accept: readonly AcceptedBody[],
): JsonObject {
	const isForm = accept.includes("form");
	if (!isForm && !accept.includes("json")) throw refuseType(type, accept);
	requireUtf8(type);
	const text = decodeUtf8(bytes, "the body");
	if (accept.includes("json")) {
		if (!isForm && looksLikeJson(text)) return readJsonInput(text);
		const input = !isForm || looksLikeJson(text) ? tryJsonInput(text) : null;
		if (input !== null) return input;
	}
	if (!isForm) throw refuseType(type, accept);
	return toInput(parseFormText(text, "form"));
}

function readMultipartFields(bytes: Uint8Array, type: MediaType): Fields {
	const collector = new FieldCollector();
	for (const part of parseMultipart(bytes, type)) {
		if (part.filename === null) collector.add(part.name, decodePart(part));
		// A file input in which nothing was chosen is sent as an empty part.
		else if (part.filename !== "" || part.bytes.length > 0)
			throw unsupported(`files are not supported yet: the field ${quote(part.name)} holds a file`);
	}
	return collector.fields;
}

const decodePart = ({ name, type, bytes }: Part): string => {
	const what = `the field ${quote(name)}`;
	return type?.parameters.has("charset") === true
		? decodeText(bytes, type, what)
		: decodeUtf8Part(bytes, what);
};

const MAX_QUOTED_LENGTH = 64;
const quote = (name: string): string =>
	JSON.stringify(name.length > MAX_QUOTED_LENGTH ? `${name.slice(0, MAX_QUOTED_LENGTH)}…` : name);

const refuseBytes = () => unsupported("binary bodies are not supported yet: send json, a form or text");

function refuseType(type: MediaType | null, accept: readonly AcceptedBody[]): Error {
	const sent = type === null ? "the content type is missing or malformed" : `${type.essence} is not accepted`;
	const wanted = [
		...new Set(accept.flatMap((kind) => (kind === "form" ? [FORM_TYPE, MULTIPART_TYPE] : TYPES[kind]))),
	];
	return unsupported(`${sent}: send ${wanted.join(" or ")}`);
}
