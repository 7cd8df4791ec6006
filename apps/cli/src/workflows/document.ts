import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { DOCUMENT_FIELDS } from "@tripline/engine/decompile";
import { Report } from "@tripline/engine/diagnostics";
import { readSourceInto } from "@tripline/engine/source";
import type { DocumentSource } from "@tripline/executor/client";
import { documentOf } from "@tripline/executor/domain/saved-workflow";
import { documentLines } from "../diff.ts";
import { readable } from "./local-compile.ts";

/** The portable document that the service would store; null if the source cannot be read. */
export function portableDocument(source: DocumentSource, { named }: { named: boolean }): JsonObject | null {
	const { definition, triplets } = readSourceInto(new Report(), readable(source), { named });
	return definition === null ? null : documentOf(definition, { config: { source: { triplets } } });
}

/** Equal for equal workflows, independent of the order of their fields. */
export const canonicalLines = (document: JsonObject): string[] =>
	Object.keys(document)
		.sort(byPlace)
		.flatMap((field) => documentLines({ [field]: sorted(document[field] as Json) }));

const FIELDS: readonly string[] = DOCUMENT_FIELDS;

const byPlace = (one: string, other: string): number => FIELDS.indexOf(one) - FIELDS.indexOf(other);

function sorted(value: Json): Json {
	if (Array.isArray(value)) return value.map(sorted);
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(
		Object.keys(value)
			.sort()
			.map((key) => [key, sorted(value[key] as Json)]),
	);
}
