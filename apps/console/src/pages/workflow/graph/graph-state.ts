import { createContext } from "react";
import { NO_STATES, type RunStates } from "../run/run-states.ts";
import type { Mark } from "../versions/comparison.ts";

export const NO_MARKS: ReadonlyMap<string, Mark> = new Map();
export const NO_NODES: ReadonlySet<string> = new Set();

/** State that changes without affecting the layout. Nodes read it from a context, so that nothing is laid out again. */
export interface GraphState {
	readonly states: RunStates;
	/** A run is shown; nodes without a state were not reached. */
	readonly hasRun: boolean;
	/** What changed between the compared versions, by node. */
	readonly marks: ReadonlyMap<string, Mark>;
	/** Nodes whose outputs are pinned for test runs. */
	readonly pinned: ReadonlySet<string>;
	readonly taken: ReadonlySet<string>;
	readonly selected: string | null;
	/** The node in the tab order (roving tabindex). */
	readonly focusable: string;
	/** Called with whether the node was selected by a pointer; then the focus may move elsewhere. */
	onSelect(id: string, isByPointer: boolean): void;
	onFocus(id: string): void;
	onKey(id: string, key: string): boolean;
}

export const GraphContext = createContext<GraphState>({
	states: NO_STATES,
	hasRun: false,
	marks: NO_MARKS,
	pinned: NO_NODES,
	taken: NO_NODES,
	selected: null,
	focusable: "",
	onSelect() {},
	onFocus() {},
	onKey: () => false,
});
