import type { JsonObject } from "@tripline/contract/workflows";
import { runWorkflow } from "../run-workflow.ts";
import type { JsonSchema, ToolAnswer } from "../tool.ts";

const MAX_SCHEMA_LENGTH = 8_000;

const NO_DATA = {
	type: "null",
	description: "The run failed, or the data is too long for one answer: see preview",
};
const PREVIEW = { description: "The beginning of data that is too long for one answer" };

/** The answer of `run_workflow`, whose `data` has the workflow's own schema. Null if the schema cannot be shown. */
export function toOutputSchema(given: JsonObject | null): JsonSchema | null {
	if (given === null || JSON.stringify(given).length > MAX_SCHEMA_LENGTH) return null;
	// References start at the top level, so what they refer to must be there.
	const { $schema: _, $id: _id, $defs, definitions, ...schema } = given;
	const { properties, ...answer } = runWorkflow.outputSchema;
	return {
		...answer,
		properties: {
			...(properties as JsonObject),
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
