import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { diagnosticFields, document, fitDiagnostics, HOW_TO_FIX, toSource } from "./documents.ts";
import { next } from "./fields.ts";

export const validateWorkflow = defineTool({
	name: "validate_workflow",
	title: "Validate a workflow",
	description:
		"Compiles a workflow document without saving it and returns all its diagnostics. save_workflow runs the same checks, so call this only to check without saving.",
	hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
	input: z.strictObject({ document }),
	output: z.object({
		valid: z.boolean(),
		...diagnosticFields,
		nodes: z.int(),
		next,
	}),
	async call({ document }, { executor }) {
		const { valid, diagnostics, missing, graph } = await executor.workflows.validate(toSource(document));
		const next = valid ? "Save it with save_workflow." : `${HOW_TO_FIX} Then validate or save it again.`;
		return {
			structured: { valid, ...fitDiagnostics(diagnostics, missing), nodes: graph?.nodes.length ?? 0, next },
		};
	},
});
