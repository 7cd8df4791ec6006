import type { JsonObject } from "@tripline/contract/workflows";
import type { JsonSchema, ToolAnswer } from "../tool.ts";

/** The answer is that of `run_workflow`; this is what a caller reads first. */
export const OUTPUT: JsonSchema = {
	type: "object",
	properties: { success: { type: ["boolean", "null"] }, data: {}, error: {} },
};

const NO_DATA = { type: "null", description: "The run failed or waits, or see preview" };
const PREVIEW = { description: "The beginning of data that is too long" };

/** The answer with the workflow's own schema for `data`. Null if it has none. */
export function toOutputSchema(given: JsonObject | null): JsonSchema | null {
	if (given === null) return null;
	// References start at the top level, so what they refer to must be there.
	const { $schema: _, $id: _id, $defs, definitions, ...schema } = given;
	return {
		...OUTPUT,
		properties: {
			...(OUTPUT.properties as JsonObject),
			data: { anyOf: [schema, NO_DATA] },
			preview: PREVIEW,
		},
		...($defs !== undefined && { $defs }),
		...(definitions !== undefined && { definitions }),
	};
}

/** Shortened data no longer matches the workflow's schema, so it is only a preview. */
export function movePreview({ structured, ...rest }: ToolAnswer): ToolAnswer {
	if (structured.truncated !== true) return { structured, ...rest };
	return { structured: { ...structured, data: null, preview: structured.data }, ...rest };
}
