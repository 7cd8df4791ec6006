import { useMemo } from "react";
import { api } from "../../api/api.ts";
import type { ExecutionDetail, ExecutionRecord } from "../../api/types.ts";
import { type Query, useQuery } from "../../api/use-query.ts";
import { applyTrace, NO_STATES, type RunStates, toStates } from "./run/run-states.ts";
import type { Run } from "./run/use-run.ts";

interface Shown {
	readonly states: RunStates;
	/** A run is shown on the graph; nodes without a state were not reached. */
	readonly hasRun: boolean;
	readonly detail: Query<ExecutionDetail>;
}

/** The run shown on the graph: the selected one, or else the one started here. */
export function useShownRun(chosen: string | null, run: Run, executions: readonly ExecutionRecord[]): Shown {
	const detail = useQuery(chosen === null ? null : `execution:${chosen}`, (signal) =>
		api.executions.get(chosen ?? "", signal),
	);
	const { data } = detail;
	return useMemo(() => {
		if (chosen === null)
			return { states: run.states, hasRun: run.phase !== "none" && run.problem === null, detail };
		if (data?.nodes) return { states: applyTrace(NO_STATES, data.nodes), hasRun: true, detail };
		const record = data?.record ?? executions.find(({ id }) => id === chosen);
		// Without a trace the states of the other nodes are unknown.
		return { states: record === undefined ? NO_STATES : toStates(record), hasRun: false, detail };
	}, [chosen, run, data, detail, executions]);
}
