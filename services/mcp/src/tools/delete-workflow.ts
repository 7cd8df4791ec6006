import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { createWorkflowNotFound, workflowName } from "./workflow-name.ts";

export const deleteWorkflow = defineTool({
	name: "delete_workflow",
	title: "Delete a workflow",
	description:
		"Deletes a workflow permanently: its webhook_url and schedule stop working. Ask the user first. Read the document with get_workflow before, so that save_workflow can restore it.",
	hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
	input: z.strictObject({ name: workflowName }),
	output: z.object({ name: z.string(), deleted: z.boolean() }),
	async call({ name }, context) {
		if (!(await context.executor.workflows.delete(name))) throw await createWorkflowNotFound(name, context);
		return { structured: { name, deleted: true } };
	},
});
