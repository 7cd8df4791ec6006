import { Diagnostic, type JsonObject } from "@tripline/contract/workflows";
import type { DocumentSource } from "@tripline/executor/client";
import * as z from "zod";
import { LANGUAGE_URI } from "../resources/uris.ts";
import { shorten, takeFitting } from "./budget.ts";
import { isObject, parseObject } from "./fields.ts";

/** A workflow document as the caller sent it. */
export const document = z
	.custom<JsonObject | string>(
		(value) => isObject(value) || (typeof value === "string" && value.trim() !== ""),
		"must be a workflow document: an object, or YAML text",
	)
	.meta({
		anyOf: [{ type: "object", additionalProperties: true }, { type: "string" }],
		description: "The workflow document: an object, or YAML text, which is saved with its comments",
	});

/** JSON text is parsed as JSON; any other text is YAML, whose diagnostics have line and column. */
export function toSource(given: JsonObject | string): DocumentSource {
	if (typeof given !== "string") return { json: given };
	const json = parseObject(given);
	return json === null ? { yaml: given } : { json };
}

/** The diagnostics of a document, in source order. */
export const diagnosticFields = {
	diagnostics: z.array(z.object(Diagnostic.shape)),
	more_diagnostics: z.int(),
	missing: z.array(z.string()).meta({ description: "Nodes whose component does not exist" }),
} as const;

const MAX_DIAGNOSTICS_LENGTH = 12_000;
const MAX_MISSING_LENGTH = 2_000;
const MAX_MESSAGE_LENGTH = 600;

/** As many diagnostics as fit, errors first if not all do. */
export function fitDiagnostics(found: readonly Diagnostic[], missing: readonly string[]) {
	const all = found.map(({ severity, code, message, path, line, column, hint }) => ({
		severity,
		code,
		message: shorten(message, MAX_MESSAGE_LENGTH),
		path: shorten(path, 200),
		...(line !== undefined && { line }),
		...(column !== undefined && { column }),
		...(hint !== undefined && { hint: shorten(hint, MAX_MESSAGE_LENGTH) }),
	}));
	const whole = takeFitting(all, MAX_DIAGNOSTICS_LENGTH);
	const diagnostics =
		whole.length === all.length
			? all
			: takeFitting(
					all.toSorted((one, other) => rankSeverity(one) - rankSeverity(other)),
					MAX_DIAGNOSTICS_LENGTH,
				);
	return {
		diagnostics,
		more_diagnostics: all.length - diagnostics.length,
		missing: takeFitting(missing, MAX_MISSING_LENGTH),
	};
}

const rankSeverity = ({ severity }: Pick<Diagnostic, "severity">): number => (severity === "error" ? 0 : 1);

export const HOW_TO_FIX = `Fix what the diagnostics report: get_component returns a component's parameters, list_components finds components, and the resource ${LANGUAGE_URI} explains the language.`;
