import { useEffect, useState } from "react";
import { api } from "../../api/api.ts";
import type { ExecutionDetail } from "../../api/types.ts";
import { type Query, useQuery } from "../../api/use-query.ts";
import { computeRunDelay } from "./unfinished.ts";

/** The first polls follow sooner, because most runs are short. */
const SOON_MS = 500;
const SOON_POLLS = 4;
/** A record is written a moment after its run has ended, or not at all if the daily limit is reached. */
const MAX_RECORD_POLLS = 6;

interface ExecutionQuery {
	readonly query: Query<ExecutionDetail>;
	/** The run has ended, and its record may still follow. */
	readonly awaitsRecord: boolean;
}

/** A run, polled while the page is visible until it has ended and its record is there. */
export function useExecution(id: string): ExecutionQuery {
	const query = useQuery(`execution ${id}`, (signal) => api.executions.get(id, signal));
	const { data, reload } = query;
	const isRunning = data?.status === "accepted";
	const key = `${id} ${isRunning}`;
	const [polled, setPolled] = useState({ key, count: 0 });
	const count = polled.key === key ? polled.count : 0;
	const awaitsRecord = data?.record === null && !isRunning && count < MAX_RECORD_POLLS;
	const isPolled = isRunning || awaitsRecord;
	const until = data?.unfinished?.until;
	useEffect(() => {
		if (!isPolled) return;
		const timer = setTimeout(poll, count < SOON_POLLS ? SOON_MS : computeRunDelay({ until }, Date.now()));
		document.addEventListener("visibilitychange", poll);
		return () => {
			clearTimeout(timer);
			document.removeEventListener("visibilitychange", poll);
		};

		function poll(): void {
			if (document.visibilityState !== "visible") return;
			setPolled({ key, count: count + 1 });
			reload();
		}
	}, [isPolled, key, count, until, reload]);
	return { query, awaitsRecord };
}
