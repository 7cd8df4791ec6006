import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { DOCUMENT_FIELDS } from "@tripline/engine/decompile";
import { Report } from "@tripline/engine/diagnostics";
import { readSourceInto } from "@tripline/engine/source";
import type { DocumentSource } from "@tripline/executor/client";
import { buildDocument } from "@tripline/executor/domain/saved-workflow";
import { renderDocument } from "../diff.ts";
import { toSource } from "./local-compile.ts";

/** The portable document that the service would store; null if the source cannot be read. */
export function buildPortableDocument(
	source: DocumentSource,
	{ named }: { named: boolean },
): JsonObject | null {
	const { definition, triplets } = readSourceInto(new Report(), toSource(source), { named });
	return definition === null ? null : buildDocument(definition, { config: { source: { triplets } } });
}

/** Equal for equal workflows, independent of the order of their fields. */
export const renderCanonical = (document: JsonObject): string[] =>
	Object.keys(document)
		.sort(compareFields)
		.flatMap((field) => renderDocument({ [field]: sortKeys(document[field] as Json) }));

const FIELDS: readonly string[] = DOCUMENT_FIELDS;

const compareFields = (one: string, other: string): number => FIELDS.indexOf(one) - FIELDS.indexOf(other);

function sortKeys(value: Json): Json {
	if (Array.isArray(value)) return value.map(sortKeys);
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(
		Object.keys(value)
			.sort()
			.map((key) => [key, sortKeys(value[key] as Json)]),
	);
}
