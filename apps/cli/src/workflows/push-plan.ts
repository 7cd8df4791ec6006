import { type CallFacts, describeCall, takesBody } from "@tripline/contract/calling/facts";
import type { JsonObject } from "@tripline/contract/workflows";
import type { TenantExecutor } from "@tripline/executor/client";
import { CliProblem } from "../command.ts";
import { diffLines } from "../diff.ts";
import { toPrintable } from "../printable.ts";
import type { Base, Bases } from "../sync/bases.ts";
import { isJson } from "../sync/deployed.ts";
import type { WorkflowFile } from "../workflow-files.ts";
import { buildPortableDocument, renderCanonical } from "./document.ts";

export interface PlannedPush {
	readonly name: string;
	readonly file: WorkflowFile;
	readonly change: "create" | "update" | "unchanged";
	readonly diff: readonly string[];
	/** The current version; null in the legacy store, and if there is no such workflow. */
	readonly current: number | null;
	/** What was last pulled or pushed. */
	readonly base: Base | undefined;
	/** Whether anyone can call it with JSON by POST. */
	readonly isPlain: boolean;
}

/** What became of a workflow. */
export interface Pushed {
	/** Null for a workflow that has no file. */
	readonly file: string | null;
	readonly name: string;
	readonly diff: readonly string[];
	readonly result:
		| "created"
		| "updated"
		| "unchanged"
		| "deleted"
		| "failed"
		| `would ${"create" | "update" | "delete"}`;
	readonly version_number: number | null;
	readonly webhook_url: string | null;
	readonly error?: string;
}

export async function planPush(
	executor: TenantExecutor,
	files: readonly WorkflowFile[],
	bases: Bases,
): Promise<PlannedPush[]> {
	const planned: PlannedPush[] = [];
	for (const file of files) {
		const document = buildPortableDocument(file.source, { named: true });
		const name = document?.name;
		if (document === null || typeof name !== "string") throw new CliProblem(`${file.path} cannot be read`);
		const twin = planned.find((each) => each.name === name);
		if (twin !== undefined)
			throw new CliProblem(`${twin.file.path} and ${file.path} are both named ${JSON.stringify(name)}`, {
				hint: "give each workflow a name of its own; nothing was pushed",
			});
		const isPlain = takesPlainJson(describeCall("", document as Parameters<typeof describeCall>[1]));
		const compared = await compareWithDeployed(executor, name, document, file);
		planned.push({ name, file, ...compared, base: bases.find(name), isPlain });
	}
	return planned;
}

/** Workflows that have changed at the service since they were last pulled or pushed. */
export const listConflicts = (planned: readonly PlannedPush[]): PlannedPush[] =>
	planned.filter(
		({ change, base, current }) => change !== "unchanged" && base !== undefined && base.version !== current,
	);

async function compareWithDeployed(
	{ workflows }: TenantExecutor,
	name: string,
	document: JsonObject,
	file: WorkflowFile,
): Promise<Pick<PlannedPush, "change" | "diff" | "current">> {
	// First the version: what is saved between both reads is then refused, not overwritten.
	const current = (await workflows.describe(name))?.version_number ?? null;
	const deployed = await workflows.document(name);
	if (deployed === null) return { change: "create", diff: [], current: null };
	const changed = diffLines(renderCanonical(deployed as JsonObject), renderCanonical(document));
	const diff = changed.length > 0 ? changed : diffComments(await workflows.text(name), file);
	return { change: diff.length === 0 ? "unchanged" : "update", diff, current };
}

/** The changes of texts with equal content, such as comments. JSON and YAML are not compared with each other. */
function diffComments(deployed: string | null, { text }: WorkflowFile): string[] {
	if (deployed === null || deployed === text || isJson(deployed) !== isJson(text)) return [];
	return diffLines(toLines(deployed), toLines(text));
}

const toLines = (text: string): string[] => toPrintable(text).split("\n");

const takesPlainJson = (call: CallFacts): boolean =>
	takesBody(call, "json") && call.methods.includes("POST") && call.auth === null && call.signature === null;
