import { useMemo } from "react";
import { api } from "../../api/api.ts";
import type { ExecutionDetail, ExecutionRecord } from "../../api/types.ts";
import { type Query, useQuery } from "../../api/use-query.ts";
import { NO_STATES, ofRecord, type RunStates, withTrace } from "./run/run-states.ts";
import type { Run } from "./run/use-run.ts";

interface Shown {
	readonly states: RunStates;
	/** There is a run on the graph: what has no state was not reached. */
	readonly hasRun: boolean;
	readonly detail: Query<ExecutionDetail>;
}

/** What the graph shows: the run that was chosen, else the one that was started here. */
export function useShownRun(chosen: string | null, run: Run, executions: readonly ExecutionRecord[]): Shown {
	const detail = useQuery(chosen === null ? null : `execution:${chosen}`, (signal) =>
		api.executions.get(chosen ?? "", signal),
	);
	const { data } = detail;
	return useMemo(() => {
		if (chosen === null)
			return { states: run.states, hasRun: run.phase !== "none" && run.problem === null, detail };
		if (data?.nodes) return { states: withTrace(NO_STATES, data.nodes), hasRun: true, detail };
		const record = data?.record ?? executions.find(({ id }) => id === chosen);
		// Without its trace nothing can be said of the other nodes.
		return { states: record === undefined ? NO_STATES : ofRecord(record), hasRun: false, detail };
	}, [chosen, run, data, detail, executions]);
}
