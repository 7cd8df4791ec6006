import { Diagnostic, type JsonObject } from "@tripline/contract/workflows";
import type { DocumentSource } from "@tripline/executor/client";
import * as z from "zod";
import { LANGUAGE_URI } from "../resources/uris.ts";
import { firstFitting, shortened } from "./budget.ts";
import { isObject, objectIn } from "./fields.ts";

const EXAMPLE = {
	name: "greet",
	description: "Says hello to the caller",
	version: "1",
	triplets: ["input >> ON_SUCCESS >> hello"],
	config: { hello: { component: "template", text: "Hello {{input.name}}" } },
};

/** A workflow document as the caller sent it. */
export const document = z
	.custom<JsonObject | string>(
		(value) => isObject(value) || (typeof value === "string" && value.trim() !== ""),
		"must be a workflow document: an object, or YAML text",
	)
	.meta({
		anyOf: [{ type: "object", additionalProperties: true }, { type: "string" }],
		description: "The workflow document: an object, or YAML text, which is saved with its comments",
		examples: [EXAMPLE],
	});

/** JSON text is parsed as JSON; any other text is YAML, whose diagnostics have line and column. */
export function sourceOf(given: JsonObject | string): DocumentSource {
	if (typeof given !== "string") return { json: given };
	const json = objectIn(given);
	return json === null ? { yaml: given } : { json };
}

/** The diagnostics of a document, in source order. */
export const diagnosticFields = {
	diagnostics: z.array(z.object(Diagnostic.shape)).meta({
		description: "Errors, which must be fixed, and warnings; path, line and column say where",
	}),
	more_diagnostics: z.int().meta({ description: "How many more diagnostics there are" }),
	missing: z.array(z.string()).meta({ description: "Nodes whose component does not exist" }),
} as const;

const DIAGNOSTICS_ROOM = 12_000;
const MISSING_ROOM = 2_000;
const MOST_MESSAGE = 600;

/** As many diagnostics as fit, errors first if not all do. */
export function diagnosed(found: readonly Diagnostic[], missing: readonly string[]) {
	const all = found.map(({ severity, code, message, path, line, column, hint }) => ({
		severity,
		code,
		message: shortened(message, MOST_MESSAGE),
		path: shortened(path, 200),
		...(line !== undefined && { line }),
		...(column !== undefined && { column }),
		...(hint !== undefined && { hint: shortened(hint, MOST_MESSAGE) }),
	}));
	const whole = firstFitting(all, DIAGNOSTICS_ROOM);
	const diagnostics =
		whole.length === all.length
			? all
			: firstFitting(
					all.toSorted((one, other) => rank(one) - rank(other)),
					DIAGNOSTICS_ROOM,
				);
	return {
		diagnostics,
		more_diagnostics: all.length - diagnostics.length,
		missing: firstFitting(missing, MISSING_ROOM),
	};
}

const rank = ({ severity }: Pick<Diagnostic, "severity">): number => (severity === "error" ? 0 : 1);

export const HOW_TO_MEND = `Fix what the diagnostics report: get_component returns a component's parameters, list_components finds components, and the resource ${LANGUAGE_URI} explains the language.`;
