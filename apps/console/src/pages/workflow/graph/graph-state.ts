import { createContext } from "react";
import { NO_STATES, type RunStates } from "../run/run-states.ts";

/** What changes in a drawn graph while it stays where it is: nodes read it here, so that nothing is laid out again. */
export interface GraphState {
	readonly states: RunStates;
	/** A run is shown: what has no state was not reached. */
	readonly hasRun: boolean;
	readonly taken: ReadonlySet<string>;
	readonly selected: string | null;
	/** The node that the Tab key leads to. */
	readonly focusable: string;
	/** By a pointer: then the keys may go on elsewhere. */
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
