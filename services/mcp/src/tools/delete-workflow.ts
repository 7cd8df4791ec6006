import { TRASH_DAYS } from "@tripline/contract/workflow-versions";
import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { next } from "./fields.ts";
import { createWorkflowNotFound, workflowName } from "./workflow-name.ts";

export const deleteWorkflow = defineTool({
	name: "delete_workflow",
	title: "Delete a workflow",
	description: `Deletes a workflow: its webhook_url and schedule stop working. Ask the user first. rollback_workflow restores it within ${TRASH_DAYS} days.`,
	hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
	input: z.strictObject({ name: workflowName }),
	output: z.object({ name: z.string(), deleted: z.boolean(), next }),
	async call({ name }, context) {
		if (!(await context.executor.workflows.delete(name))) throw await createWorkflowNotFound(name, context);
		const undo = `rollback_workflow ${JSON.stringify({ name })}`;
		return {
			structured: { name, deleted: true, next: `It can be restored for ${TRASH_DAYS} days: ${undo}.` },
		};
	},
});
