import type { NodeEvent, NodeStatus, NodeTrace } from "@tripline/contract/workflows";
import type { NodeProgress } from "@tripline/engine/run/options";

export interface RunProgress {
	observe(progress: NodeProgress): void;
	/** The next unreported state. Null if there is none now. */
	next(): NodeEvent | null;
	/** Whether any state waits for `release`. */
	readonly isHolding: boolean;
	/** Allows each node in a loop one more report. */
	release(): void;
	/** Sets the final states of the nodes and reports those that are new. */
	finish(nodes: readonly NodeTrace[]): void;
}

interface State {
	event: NodeEvent;
	/** Number of running elements, for a node in a loop. */
	underWay: number;
	worst: NodeStatus;
	/** The last reported event. */
	reported: NodeEvent | null;
}

const RANK: Readonly<Record<NodeStatus, number>> = { skipped: 0, success: 1, cancelled: 2, failed: 3 };

/**
 * The latest state of each node. Superseded states are never reported, so that a slow reader needs memory only in
 * proportion to the graph. A node in a loop reports once, and then once after each release.
 */
export function runProgress(): RunProgress {
	const states = new Map<string, State>();
	const ready = new Set<State>();
	const held = new Set<State>();
	let isOver = false;

	return {
		observe(progress) {
			if (isOver) return;
			const state = getState(progress);
			if (progress.element === undefined) state.event = applyProgress(state.event, progress);
			else applyElement(state, progress, progress.element.of);
			if (progress.element === undefined || state.reported === null) ready.add(state);
			else held.add(state);
		},

		next() {
			const [state] = ready;
			if (state === undefined) return null;
			ready.delete(state);
			state.reported = state.event;
			return state.event;
		},

		get isHolding() {
			return held.size > 0;
		},

		release,

		finish(nodes) {
			isOver = true;
			for (const node of nodes) {
				const state = getState(node);
				state.event = applyFinal(state.event, node);
				if (!isSame(state.event, state.reported)) ready.add(state);
			}
			release();
		},
	};

	function release(): void {
		for (const state of held) if (!isSame(state.event, state.reported)) ready.add(state);
		held.clear();
	}

	function getState({ id, component }: Pick<NodeEvent, "id" | "component">): State {
		const known = states.get(id);
		if (known !== undefined) return known;
		const event: NodeEvent = { id, component, status: "skipped", attempt: 0 };
		const state: State = { event, underWay: 0, worst: "skipped", reported: null };
		states.set(id, state);
		return state;
	}
}

function applyProgress({ id, component, attempt }: NodeEvent, progress: NodeProgress): NodeEvent {
	const { status, duration_ms, error } = progress;
	return {
		id,
		component,
		status,
		attempt: progress.attempt ?? attempt,
		...(duration_ms !== undefined && { duration_ms }),
		...(error !== undefined && { error }),
	};
}

/** Applies one loop element: the node runs until all elements have ended, then takes the worst of their statuses. */
function applyElement(state: State, progress: NodeProgress, total: number | null): void {
	const { event } = state;
	const elements = { ...(event.elements ?? { ended: 0, failed: 0 }), total };
	const { status } = progress;
	const isUnderWay = status === "running" || status === "retrying";
	if (status === "running" && progress.attempt === 1) state.underWay++;
	if (!isUnderWay) {
		if (status !== "skipped") state.underWay--;
		elements.ended++;
		if (status === "failed") elements.failed++;
		if (RANK[status] > RANK[state.worst]) state.worst = status;
	}
	const isRunning = state.underWay > 0 || elements.ended < (total ?? 0);
	const duration_ms = (event.duration_ms ?? 0) + (progress.duration_ms ?? 0);
	const error = event.error ?? (isUnderWay ? undefined : progress.error);
	state.event = {
		id: event.id,
		component: event.component,
		status: isRunning ? (isUnderWay ? status : "running") : state.worst,
		attempt: progress.attempt ?? event.attempt,
		...(duration_ms > 0 && { duration_ms }),
		...(error !== undefined && { error }),
		elements,
	};
}

function applyFinal({ elements, ...event }: NodeEvent, node: NodeTrace): NodeEvent {
	const { status, duration_ms, attempts, error } = node;
	return {
		id: event.id,
		component: event.component,
		status,
		attempt: attempts,
		...(status !== "skipped" && { duration_ms }),
		...(error !== undefined && { error }),
		...(elements !== undefined && { elements }),
	};
}

const isSame = (one: NodeEvent, other: NodeEvent | null): boolean =>
	other !== null && JSON.stringify(one) === JSON.stringify(other);
