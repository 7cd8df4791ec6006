import { WorkflowName } from "@tripline/contract/workflows";
import { createNotFound } from "./not-found.ts";
import type { ToolContext, ToolProblem } from "./tool.ts";

export const workflowName = WorkflowName.meta({ description: "The workflow's name" });

export async function createWorkflowNotFound(name: string, { executor }: ToolContext): Promise<ToolProblem> {
	const { workflows } = await executor.workflows.list();
	const names = workflows.map((workflow) => workflow.name);
	return createNotFound("workflow", name, names, "List all with list_workflows.");
}
