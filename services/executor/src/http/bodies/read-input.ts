import type { AcceptedBody } from "@tripline/contract/webhook-trigger";
import type { JsonObject } from "@tripline/contract/workflows";
import { CollectedBytes } from "./collected-bytes.ts";
import { decodeText, decodeUtf8, requireUtf8, tryDecodeUtf8 } from "./decode.ts";
import { unsupported } from "./failures.ts";
import { FieldCollector, type Fields, toInput } from "./fields.ts";
import { parseFormText } from "./form.ts";
import { looksLikeJson, readJsonInput, tryJsonInput } from "./json.ts";
import { type MediaType, parseMediaType } from "./media-type.ts";
import { MultipartParser } from "./multipart.ts";
import type { PartHead } from "./part-head.ts";
import { decodePartText, quoteName } from "./part-text.ts";

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

/** How a body becomes files, by the bodies that the trigger accepts and the content type. */
export type FileBody =
	| { readonly kind: "parts"; readonly type: MediaType }
	/** The whole body is one file. */
	| { readonly kind: "file" }
	/** The same, unless it is JSON: that only its text tells. */
	| { readonly kind: "file-or-json" };

/** Null if the body has no files, as nearly all: `readInput` reads it. */
export function findFileBody(accept: readonly AcceptedBody[], contentType: string | null): FileBody | null {
	const has = (kind: AcceptedBody): boolean => accept.includes(kind);
	const type = parseMediaType(contentType ?? "");
	switch (classifyHeader(contentType, type)) {
		case "multipart":
			return has("files") && type !== null ? { kind: "parts", type } : null;
		case "none":
			return has("bytes") ? { kind: has("json") ? "file-or-json" : "file" } : null;
		case "text":
			return has("bytes") && !has("text") ? { kind: "file" } : null;
		case "bytes":
			return has("bytes") ? { kind: "file" } : null;
		default:
			return null;
	}
}

/** The input of a body without a content type that may be a file; null if it is one. */
export function readJsonOrFile(bytes: Uint8Array): JsonObject | null {
	const text = tryDecodeUtf8(bytes);
	return text === null ? null : tryJsonInput(text);
}

/**
 * Makes the trigger context of a body without files, by the bodies that the trigger accepts. Takes time linear in the
 * size of the body; throws `Failed` for what is not accepted (415) and what is malformed (400).
 */
export function readInput({
	accept,
	contentType,
	bytes,
}: SentBody & { readonly accept: readonly AcceptedBody[] }): JsonObject {
	const type = parseMediaType(contentType ?? "");
	const has = (kind: AcceptedBody): boolean => accept.includes(kind);
	const kind = classifyHeader(contentType, type);
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

const classifyHeader = (contentType: string | null, type: MediaType | null): Kind | "none" =>
	contentType === null || contentType.trim() === "" ? "none" : classify(type);

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
	if (has("json")) {
		if (!has("text")) return readJsonInput(decodeUtf8(bytes, "the body"));
		const input = readJsonOrFile(bytes);
		if (input !== null) return input;
	}
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
	const parser = new MultipartParser(type);
	let head: PartHead | null = null;
	let collected = new CollectedBytes();
	const events = parser.push(bytes);
	parser.end();
	for (const event of events) {
		if (event.kind === "begin") {
			head = event.head;
			collected = new CollectedBytes();
		} else if (event.kind === "bytes") collected.add(event.bytes);
		else if (head !== null) addPart(collector, head, collected.bytes);
	}
	return collector.fields;
}

function addPart(collector: FieldCollector, head: PartHead, bytes: Uint8Array): void {
	if (head.filename === null) collector.add(head.name, decodePartText(head, bytes));
	// A file input in which nothing was chosen is sent as an empty part.
	else if (head.filename !== "" || bytes.length > 0)
		throw unsupported(`files are not accepted here: the field ${quoteName(head.name)} holds a file`);
}

function refuseType(type: MediaType | null, accept: readonly AcceptedBody[]): Error {
	const sent = type === null ? "the content type is missing or malformed" : `${type.essence} is not accepted`;
	const wanted = [
		...new Set(accept.flatMap((kind) => (kind === "form" ? [FORM_TYPE, MULTIPART_TYPE] : TYPES[kind]))),
	];
	return unsupported(`${sent}: send ${wanted.join(" or ")}`);
}
