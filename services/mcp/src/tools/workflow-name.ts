import { VersionNumber } from "@tripline/contract/workflow-versions";
import { WorkflowName } from "@tripline/contract/workflows";
import { quoteText } from "@tripline/engine/diagnostics";
import { readDeleted } from "./deleted-workflows.ts";
import { createNotFound } from "./not-found.ts";
import { type ToolContext, ToolProblem } from "./tool.ts";

export const workflowName = WorkflowName.meta({ description: "The workflow's name" });

/** Says that the workflow, or else the version, does not exist. */
export async function createVersionNotFound(name: string, context: ToolContext): Promise<ToolProblem> {
	const found = await context.executor.workflows.describe(name);
	if (found === null) return createWorkflowNotFound(name, context);
	const current = found.version_number;
	const there = current === null ? "it has none yet" : `its current version is ${current}`;
	return new ToolProblem(
		`The workflow ${quoteText(name)} has no such version: ${there}. list_versions lists its versions.`,
	);
}

export const versionNumber = (description: string) => VersionNumber.meta({ description });

export async function createWorkflowNotFound(name: string, context: ToolContext): Promise<ToolProblem> {
	const [{ workflows }, deleted] = await Promise.all([
		context.executor.workflows.list(),
		readDeleted(context),
	]);
	const names = workflows.map((workflow) => workflow.name);
	const how = deleted.some((each) => each.name === name)
		? `It was deleted: rollback_workflow ${JSON.stringify({ name })} restores it.`
		: "List all with list_workflows.";
	return createNotFound("workflow", name, names, how);
}
