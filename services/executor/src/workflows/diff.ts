import type { ListedEntry } from "@tripline/contract/entries";
import { Failed } from "@tripline/contract/failures";
import type { StoredVersion, WorkflowDiff } from "@tripline/contract/workflow-versions";
import type { Graph } from "@tripline/contract/workflows";
import type { Source } from "@tripline/engine/source";
import type { Turns } from "@tripline/platform/turns";
import { diffTexts } from "../domain/line-diff.ts";
import { compareNodes } from "../domain/node-changes.ts";
import { readStoredSource } from "../domain/saved-workflow.ts";
import { toWritten } from "../storage/workflows.ts";
import { readDefinition } from "./compiled.ts";
import type { Drafts } from "./drafts.ts";
import type { StoredWorkflows } from "./stored.ts";

type Side = WorkflowDiff["from"];

interface Compared {
	readonly text: string;
	/** Null if it cannot be read. */
	readonly graph: Graph | null;
}

/** Compares two versions of a workflow, or a version and the draft, by the lines of their texts and by their nodes. */
export const workflowDiffs =
	(deps: {
		readonly stored: StoredWorkflows;
		readonly drafts: Pick<Drafts, "get" | "readSource">;
		readonly turns: Turns;
		/** Throws if there is no such version. */
		getVersion(namespace: string, name: string, number: number): Promise<StoredVersion>;
		/** Throws if there is no such workflow. */
		getEntry(namespace: string, name: string): Promise<ListedEntry>;
	}) =>
	async (
		namespace: string,
		name: string,
		asked: { readonly from?: Side | undefined; readonly to?: Side | undefined },
	): Promise<WorkflowDiff> => {
		const { drafts, turns } = deps;
		const to = asked.to ?? (await deps.getEntry(namespace, name)).version ?? 1;
		const from = asked.from ?? (await getPrevious());
		const [before, after] = await Promise.all([readSide(from), readSide(to)]);
		const hunks = await turns.run(namespace, () => diffTexts(before.text, after.text));
		const nodes = await turns.run(namespace, () =>
			before.graph === null || after.graph === null ? null : compareNodes(before.graph, after.graph),
		);
		return { from, to, hunks, nodes };

		async function getPrevious(): Promise<number> {
			if (to === "draft") return (await drafts.get(namespace, name)).base;
			if (to > 1) return to - 1;
			throw new Failed({ kind: "bad_request", message: "version 1 has no version before it: give from" });
		}

		async function readSide(side: Side): Promise<Compared> {
			if (side === "draft") {
				const draft = await drafts.get(namespace, name);
				return { text: draft.text, graph: await readGraph(await drafts.readSource(namespace, draft)) };
			}
			const version = await deps.getVersion(namespace, name, side);
			const text = await deps.stored.render(namespace, toWritten(version.name, version));
			const json = await turns.run(namespace, () => readStoredSource(version.metadata_json));
			return { text, graph: await readGraph({ json }) };
		}

		async function readGraph(source: Source): Promise<Graph | null> {
			return turns.run(namespace, () => readDefinition(source)?.graph ?? null);
		}
	};
