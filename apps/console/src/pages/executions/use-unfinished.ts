import { useCallback, useEffect, useRef, useState } from "react";
import { api } from "../../api/api.ts";
import type { Unfinished } from "../../api/types.ts";
import { computePollDelay, hasEnded } from "./unfinished.ts";

const MAX_SHOWN = 100;
const NONE: Unfinished = { executions: [], next_cursor: null };

export interface UnfinishedState {
	readonly runs: Unfinished["executions"];
	/** Whether there are more than are listed. */
	readonly hasMore: boolean;
	/** Changes when runs have ended, or were started or cancelled here. */
	readonly changes: number;
	/** Looks for runs at once, and goes on polling if it has stopped. */
	refresh(): void;
	/** Call this when a run was started or cancelled. */
	noteChange(): void;
}

/** Polls for runs in progress while the page is visible. */
export function useUnfinished(): UnfinishedState {
	const [page, setPage] = useState(NONE);
	const [changes, setChanges] = useState(0);
	const start = useRef(() => {});

	useEffect(() => {
		const stop = new AbortController();
		let [known, busySince, isAsking] = [NONE, 0, false];
		let timer: ReturnType<typeof setTimeout> | undefined;
		const resume = () => {
			busySince = Date.now();
			void poll();
		};
		start.current = resume;
		resume();
		document.addEventListener("visibilitychange", resume);
		addEventListener("focus", resume);
		return () => {
			stop.abort();
			clearTimeout(timer);
			document.removeEventListener("visibilitychange", resume);
			removeEventListener("focus", resume);
		};

		async function poll(): Promise<void> {
			clearTimeout(timer);
			if (isAsking || document.visibilityState !== "visible") return;
			isAsking = true;
			// After a failed poll the next one follows soon.
			const found = await api.executions.unfinished(MAX_SHOWN, stop.signal).catch(() => known);
			isAsking = false;
			if (stop.signal.aborted) return;
			if (hasEnded(known.executions, found.executions)) setChanges((count) => count + 1);
			known = found;
			setPage(found);
			const now = Date.now();
			if (found.executions.length > 0) busySince = now;
			const delay = computePollDelay(found.executions, now - busySince, now);
			if (delay !== null) timer = setTimeout(poll, delay);
		}
	}, []);

	const refresh = useCallback(() => start.current(), []);
	return {
		runs: page.executions,
		hasMore: page.next_cursor !== null,
		changes,
		refresh,
		noteChange() {
			setChanges((count) => count + 1);
			refresh();
		},
	};
}
