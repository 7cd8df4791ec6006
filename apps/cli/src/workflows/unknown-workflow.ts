import type { TenantExecutor } from "@tripline/executor/client";
import { CliProblem } from "../command.ts";
import { findNearest } from "../nearest.ts";

/** The problem of a name that no workflow has, with the nearest name for the command, such as `run`. */
export async function createUnknownWorkflow(
	{ workflows }: Pick<TenantExecutor, "workflows">,
	command: string,
	name: string,
): Promise<CliProblem> {
	const { workflows: saved } = await workflows.list();
	const near = findNearest(
		name,
		saved.map((each) => each.name),
	);
	return new CliProblem(`there is no workflow ${JSON.stringify(name)}`, {
		hint: near === null ? "save it with: tripline push <path>" : `did you mean: tripline ${command} ${near}`,
	});
}

/** For a filter that found no runs: a workflow that was deleted may still have some. */
export async function requireWorkflow(
	{ workflows }: Pick<TenantExecutor, "workflows">,
	name: string | undefined,
): Promise<void> {
	if (name === undefined || (await workflows.describe(name)) !== null) return;
	throw new CliProblem(`there is no workflow ${JSON.stringify(name)}`, {
		hint: "tripline executions shows those of all workflows",
	});
}
