import type { JsonObject } from "../../api/types.ts";
import type { Pointer } from "../../ui/source-pointer.tsx";

/** Common metadata names of a source; triplets use `source_uri`. */
const NAMES = ["source_uri", "source_url", "source", "sources", "url", "uri"];

/** The sources named in an entry's metadata, without duplicates. */
export function listSources(metadata: JsonObject): Pointer[] {
	const found = NAMES.flatMap((name) => {
		const value = metadata[name];
		return (Array.isArray(value) ? value : [value]).flatMap((each) => toSource(each, metadata) ?? []);
	});
	return [...new Map(found.map((source) => [JSON.stringify(source), source])).values()];
}

function toSource(value: unknown, around: JsonObject): Pointer | null {
	if (typeof value === "string" && value.trim() !== "") return { uri: value.trim(), ...readPlace(around) };
	if (typeof value !== "object" || value === null) return null;
	const given = value as JsonObject;
	const uri = text(given.uri) ?? text(given.url) ?? text(given.href);
	return uri === null ? null : { uri, ...readPlace(given) };
}

const readPlace = (from: JsonObject) => ({
	anchor: text(from.source_anchor) ?? text(from.anchor),
	block: text(from.block_id),
	version: text(from.content_hash) ?? text(from.hash),
});

const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);
