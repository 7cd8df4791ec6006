import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { createWorkflowNotFound, workflowName } from "./workflow-name.ts";

export const setWorkflowEnabled = defineTool({
	name: "set_workflow_enabled",
	title: "Enable or disable a workflow",
	description:
		"Switches a workflow's triggers on or off. While they are off, its webhook, schedule and events start no run; run_workflow still does.",
	hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
	input: z.strictObject({
		name: workflowName,
		enabled: z.boolean().meta({ description: "False: off" }),
	}),
	output: z.object({ name: z.string(), enabled: z.boolean() }),
	async call({ name, enabled }, context) {
		const changed = await context.executor.workflows.setEnabled(name, enabled);
		if (changed === null) throw await createWorkflowNotFound(name, context);
		return { structured: { name: changed.name, enabled: changed.enabled } };
	},
});
