import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { readTypes, type Schemas } from "./schema.ts";
import { toObject, toText } from "./values.ts";

interface Media {
	readonly type: string;
	readonly media: JsonObject;
}

const MAX_TYPES = 50;

const isJsonType = (type: string): boolean =>
	/^(?:application|text)\/(?:[\w.+-]+\+)?json$/.test(type) || type === "*/*";
const isTextType = (type: string): boolean =>
	/^text\//.test(type) ||
	/^application\/(?:[\w.+-]+\+)?(?:xml|yaml|x-yaml|javascript|graphql|sparql-query|x-ndjson|jsonl?)$/.test(
		type,
	);

/** Media types without their parameters, in the order of the description. */
function listMedia(content: JsonObject): Media[] {
	return Object.entries(content)
		.slice(0, MAX_TYPES)
		.map(([type, media]) => ({
			type: (type.split(";", 1)[0] as string).trim().toLowerCase().slice(0, 150),
			media: toObject(media),
		}))
		.filter(({ type }) => /^[\w.+*-]+\/[\w.+*-]+$/.test(type));
}

/** The type that a body is sent as, JSON before others. */
export function chooseBody(
	content: JsonObject,
): (Media & { readonly kind: "json" | "form" | "multipart" | "text" | "file" }) | null {
	const all = listMedia(content);
	const find = (test: (type: string) => boolean) => all.find(({ type }) => test(type));
	const isAny = (type: string) => type === "*/*";
	const json =
		find((type) => type === "application/json") ?? find((type) => isJsonType(type) && !isAny(type));
	if (json !== undefined) return { kind: "json", ...json };
	const form = find((type) => type === "application/x-www-form-urlencoded");
	if (form !== undefined) return { kind: "form", ...form };
	const multipart = find((type) => type === "multipart/form-data");
	if (multipart !== undefined) return { kind: "multipart", ...multipart };
	const any = find(isAny);
	if (any !== undefined) return { kind: isBinary(any.media) ? "file" : "json", ...any };
	const text = find(isTextType);
	if (text !== undefined) return { kind: isBinary(text.media) ? "file" : "text", ...text };
	const file = find((type) => !type.startsWith("multipart/"));
	return file === undefined ? null : { kind: "file", ...file };
}

/** How a response is read. */
export function chooseResponse(
	content: JsonObject,
): (Media & { readonly kind: "json" | "text" | "file"; readonly isOneOfMany: boolean }) | null {
	const all = listMedia(content);
	const isOneOfMany = all.length > 1;
	const json =
		all.find(({ type }) => type === "application/json") ?? all.find(({ type }) => isJsonType(type));
	if (json !== undefined) return { kind: isBinary(json.media) ? "file" : "json", ...json, isOneOfMany };
	const text = all.find(({ type }) => isTextType(type));
	if (text !== undefined) return { kind: isBinary(text.media) ? "file" : "text", ...text, isOneOfMany };
	const [file] = all;
	return file === undefined ? null : { kind: "file", ...file, isOneOfMany };
}

const isBinary = ({ schema }: JsonObject): boolean => toObject(schema).format === "binary";

/** Whether a part of a multipart body is a file, or a list of files. */
export function isFileSchema(schema: JsonObject, schemas: Schemas, path: string): boolean {
	const isFile = (one: JsonObject) =>
		readTypes(one).includes("string")
			? one.format === "binary" || toText(one.contentMediaType) === "application/octet-stream"
			: one.type === undefined && toText(one.contentMediaType) !== "";
	if (!readTypes(schema).includes("array")) return isFile(schema);
	return isFile(schemas.flatten(schema.items as Json | undefined, `${path}.items`));
}
