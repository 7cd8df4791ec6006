import type { ExecutionRecord, NodeEvent, NodeTrace } from "../../../api/types.ts";
import { type DrawnEdge, INPUT } from "../graph/drawn.ts";

/** State of a node in a run. */
export interface NodeState {
	readonly status: NodeEvent["status"];
	readonly attempts: number;
	readonly duration_ms?: number | undefined;
	readonly error?: string | undefined;
	readonly log?: readonly string[] | undefined;
	/** It did not run: its output was pinned. Known once the run has ended. */
	readonly pinned?: true | undefined;
	/** Only for nodes in a loop. */
	readonly elements?: NodeEvent["elements"];
}

export type RunStates = ReadonlyMap<string, NodeState>;
export const NO_STATES: RunStates = new Map();

export function applyEvent(states: RunStates, event: NodeEvent): RunStates {
	const { id, status, attempt, duration_ms, error, elements } = event;
	return new Map(states).set(id, { status, attempts: attempt, duration_ms, error, elements });
}

/** Merges the trace, which has the final state of each node; the progress of loops is known only from events. */
export function applyTrace(states: RunStates, trace: readonly NodeTrace[]): RunStates {
	return new Map(
		trace.map(({ id, status, attempts, duration_ms, error, log, pinned }) => {
			const elements = states.get(id)?.elements;
			return [id, { status, attempts, duration_ms, error, log, pinned, elements }] as const;
		}),
	);
}

/** The states known from a record without a trace: the failed node. */
export function toStates({ failed_node: failed, error }: ExecutionRecord): RunStates {
	if (failed === null || failed === undefined) return NO_STATES;
	return new Map([[failed, { status: "failed", attempts: 0, error }]]);
}

export const findFailedNode = (states: RunStates): string | null =>
	[...states].find(([, { status }]) => status === "failed")?.[0] ?? null;

const hasRun = (state: NodeState | undefined): boolean => state !== undefined && state.status !== "skipped";

/** The edges a run took. Outputs are not stored, so taken branches are derived from the nodes that ran after them. */
export function listTakenEdges(edges: readonly DrawnEdge[], states: RunStates): ReadonlySet<string> {
	const into = Map.groupBy(edges, ({ to }) => to);
	const candidates = edges.filter((edge) => hasRun(states.get(edge.to)) && isPossible(edge, states));
	const isSure = (edge: DrawnEdge) => candidates.includes(edge) && into.get(edge.to)?.length === 1;
	const sure = new Map(
		edges.filter((edge) => isBranch(edge) && isSure(edge)).map((edge) => [edge.from, edge]),
	);
	const refuted = new Set(
		edges.filter((edge) => isBranch(edge) && states.get(edge.to)?.status === "skipped").map(getBranchKey),
	);
	return new Set(
		candidates
			.filter((edge) => {
				if (!isBranch(edge)) return true;
				const other = sure.get(edge.from);
				if (other !== undefined) return getBranchKey(other) === getBranchKey(edge);
				return !refuted.has(getBranchKey(edge));
			})
			.map(({ id }) => id),
	);
}

const isBranch = ({ on }: DrawnEdge): boolean => ["ON_TRUE", "ON_FALSE", "CASE", "DEFAULT"].includes(on);
const getBranchKey = ({ from, on, detail }: DrawnEdge): string => JSON.stringify([from, on, detail]);

function isPossible({ from, on }: DrawnEdge, states: RunStates): boolean {
	if (from === INPUT) return true;
	const status = states.get(from)?.status;
	if (on === "ON_FAIL") return status === "failed";
	if (on === "ALWAYS") return status === "failed" || status === "success";
	if (on === "REPEAT") return status !== undefined && status !== "skipped";
	// Elements of a loop run after its list node has succeeded.
	return status === "success";
}
