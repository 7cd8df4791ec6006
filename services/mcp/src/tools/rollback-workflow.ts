import { TRASH_DAYS } from "@tripline/contract/workflow-versions";
import type { Diagnostic } from "@tripline/contract/workflows";
import { quoteText } from "@tripline/engine/diagnostics";
import { ExecutorRefused } from "@tripline/executor/client";
import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { readDeleted } from "./deleted-workflows.ts";
import { fitDiagnostics } from "./documents.ts";
import { createNotFound } from "./not-found.ts";
import { isUncompilable } from "./save-workflow.ts";
import { type ToolContext, ToolProblem } from "./tool.ts";
import { createVersionNotFound, versionNumber, workflowName } from "./workflow-name.ts";

const MAX_SHOWN_DIAGNOSTICS = 3;

export const rollbackWorkflow = defineTool({
	name: "rollback_workflow",
	title: "Roll back a workflow",
	description:
		"Makes an old version of a workflow the current one. Without version_number, restores a deleted workflow with its versions. Ask the user first.",
	hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
	input: z.strictObject({
		name: workflowName,
		version_number: versionNumber("From list_versions").optional(),
	}),
	output: z.object({ name: z.string(), version_number: z.int(), enabled: z.boolean() }),
	async call({ name, version_number }, context) {
		const changed =
			version_number === undefined
				? await restore(name, context)
				: await rollBack(name, version_number, context);
		return {
			structured: { name: changed.name, version_number: changed.version_number, enabled: changed.enabled },
		};
	},
});

async function rollBack(name: string, version: number, context: ToolContext) {
	try {
		const changed = await context.executor.versions.rollBack(name, version);
		if (changed === null) throw await createVersionNotFound(name, context);
		return changed;
	} catch (error) {
		throw isUncompilable(error) ? describeUncompilable(version, error) : error;
	}
}

function describeUncompilable(version: number, { message, answer }: ExecutorRefused): ToolProblem {
	const found = Array.isArray(answer.diagnostics) ? (answer.diagnostics as Diagnostic[]) : [];
	const { diagnostics } = fitDiagnostics(found, []);
	const lines = diagnostics
		.filter(({ severity }) => severity === "error")
		.slice(0, MAX_SHOWN_DIAGNOSTICS)
		.map(({ code, path, message }) => `\n- ${code} ${path}: ${message}`);
	return new ToolProblem(
		`Version ${version} cannot run today, so nothing was changed: ${message}${lines.join("")}`,
	);
}

/** Several workflows of one name may have been deleted: the last one is restored. */
async function restore(name: string, context: ToolContext) {
	const all = await readDeleted(context);
	const deleted = all.find((each) => each.name === name);
	try {
		const restored =
			deleted === undefined ? null : await context.executor.deletedWorkflows.restore(deleted.id);
		if (restored !== null) return restored;
	} catch (error) {
		if (!(error instanceof ExecutorRefused && error.status === 409)) throw error;
		throw createExisting(name, "To restore the deleted one, the user must rename this one.");
	}
	if ((await context.executor.workflows.describe(name)) !== null) throw createExisting(name, "");
	const names = [...new Set(all.map((each) => each.name))];
	throw createNotFound("deleted workflow", name, names, `They can be restored for ${TRASH_DAYS} days.`);
}

const createExisting = (name: string, hint: string): ToolProblem =>
	new ToolProblem(
		`The workflow ${quoteText(name)} is not deleted. To go back to one of its versions, pass version_number: list_versions lists them. ${hint}`.trim(),
	);
