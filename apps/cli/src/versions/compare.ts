import type { WorkflowDiff } from "@tripline/contract/workflow-versions";
import type { Graph } from "@tripline/contract/workflows";
import { readSource } from "@tripline/engine/source";
import { yamlSource } from "@tripline/engine/yaml";
import type { TenantExecutor } from "@tripline/executor/client";
import { diffTexts } from "@tripline/executor/domain/line-diff";
import { compareNodes } from "@tripline/executor/domain/node-changes";
import { CliProblem } from "../command.ts";

/** Compares two texts as the service compares versions. */
export function compareTexts(from: string, to: string): Pick<WorkflowDiff, "hunks" | "nodes"> {
	const [before, after] = [readGraph(from), readGraph(to)];
	return {
		hunks: diffTexts(from, to),
		nodes: before === null || after === null ? null : compareNodes(before, after),
	};
}

/** Null if the text cannot be read. */
function readGraph(text: string): Graph | null {
	const { definition, diagnostics } = readSource(yamlSource(text), { named: false });
	return diagnostics.some(({ severity }) => severity === "error") ? null : (definition?.graph ?? null);
}

/** The text of a version or of the draft. */
export async function readSide(
	{ versions, drafts }: TenantExecutor,
	name: string,
	side: number | "draft",
): Promise<string> {
	const found = side === "draft" ? await drafts.get(name) : await versions.get(name, side);
	if (found === null) throw missingSide(name, side);
	return found.text;
}

export const missingSide = (name: string, side: number | "draft"): CliProblem =>
	new CliProblem(
		side === "draft"
			? `${JSON.stringify(name)} has no draft`
			: `${JSON.stringify(name)} has no version ${side}`,
		{ hint: "tripline versions <name> lists its versions, and its draft if there is one" },
	);
