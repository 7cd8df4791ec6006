import { api } from "../../../api/api.ts";
import type { Side, WorkflowDraft } from "../../../api/types.ts";
import { type Query, useQuery } from "../../../api/use-query.ts";
import { getLanguage } from "../../../texts/texts.ts";
import { type Comparison, compareWithNothing, mergeGraphs } from "./comparison.ts";

interface Given {
	readonly name: string;
	/** Null: there is no earlier version. */
	readonly from: Side | null;
	/** Null: nothing is compared. */
	readonly to: Side | null;
	readonly draft: WorkflowDraft | null;
}

/** Loads what changed between two versions, or a version and the draft. */
export function useComparison({ name, from, to, draft }: Given): Query<Comparison> {
	const usesDraft = from === "draft" || to === "draft";
	const key = ["comparison", name, from, to, usesDraft ? draft?.revision : null];
	return useQuery(to === null ? null : JSON.stringify(key), (signal) => load(to ?? 1, signal));

	async function load(later: Side, signal: AbortSignal): Promise<Comparison> {
		const [diff, before, after] = await Promise.all([
			from === null ? null : api.versions.diff(name, from, later, signal),
			from === null ? null : readGraph(from),
			readGraph(later),
		]);
		const { hunks, nodes } = diff ?? compareWithNothing(after.text, after.graph);
		if (nodes === null || after.graph === null || before?.graph === null)
			return { from, to: later, hunks, drawn: null };
		const drawn = mergeGraphs(before?.graph ?? null, after.graph, nodes);
		return { from, to: later, hunks, drawn };

		async function readGraph(side: Side) {
			const text = side === "draft" ? (draft?.text ?? "") : (await api.versions.get(name, side, signal)).text;
			return { text, graph: (await api.workflows.validate(text, getLanguage(), signal)).graph };
		}
	}
}
