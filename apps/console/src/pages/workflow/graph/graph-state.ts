import { createContext } from "react";
import { NO_STATES, type RunStates } from "../run/run-states.ts";

/** State that changes without affecting the layout. Nodes read it from a context, so that nothing is laid out again. */
export interface GraphState {
	readonly states: RunStates;
	/** A run is shown; nodes without a state were not reached. */
	readonly hasRun: boolean;
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
	taken: new Set(),
	selected: null,
	focusable: "",
	onSelect() {},
	onFocus() {},
	onKey: () => false,
});
