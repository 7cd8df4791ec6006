import * as z from "zod";
import { tool } from "./described.ts";
import { diagnosed, diagnosticFields, document, HOW_TO_MEND, sourceOf } from "./documents.ts";
import { next } from "./fields.ts";

export const validateWorkflow = tool({
	name: "validate_workflow",
	title: "Validate a workflow",
	description:
		"Compiles a workflow document without saving it and returns all its diagnostics at once. save_workflow runs the same checks, so call this only to check without saving.",
	hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
	input: z.strictObject({ document }),
	output: z.object({
		valid: z.boolean(),
		...diagnosticFields,
		nodes: z.int().meta({ description: "Number of nodes in the graph" }),
		next,
	}),
	async call({ document }, { executor }) {
		const { valid, diagnostics, missing, graph } = await executor.workflows.validate(sourceOf(document));
		const next = valid ? "Save it with save_workflow." : `${HOW_TO_MEND} Then validate or save it again.`;
		return {
			structured: { valid, ...diagnosed(diagnostics, missing), nodes: graph?.nodes.length ?? 0, next },
		};
	},
});
