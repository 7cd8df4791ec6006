import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { api, type ExecutionFilter } from "../../api/api.ts";
import { addNews, addPage, findNews, type Listed, type News, NOTHING } from "./listed.ts";

const PAGE = 100;
/** Rows to load initially. In a text search many pages may have no match. */
const INITIAL_ROWS = 40;
const POLL_MS = 10_000;
/** A record is written a moment after its run has ended, and a short run ends soon after its start. */
const RECORD_DELAY_MS = 1500;

export interface ExecutionsState {
	readonly listed: Listed;
	readonly isLoading: boolean;
	readonly isStopped: boolean;
	readonly problem: Error | null;
	/** New records that are not in the list yet. */
	readonly news: News | null;
	more(): void;
	stop(): void;
	resume(): void;
	showNews(): void;
}

interface Live {
	/** Whether new records can match the filter. */
	readonly isLive: boolean;
	/** Changes when runs have ended, or were started or cancelled here. */
	readonly changes: number;
	onNews(): void;
}

/** Loads the list of one filter page by page, and polls for new records. */
export function useExecutions(
	filter: ExecutionFilter,
	{ isLive, changes, onNews }: Live,
	frame: RefObject<HTMLElement | null>,
): ExecutionsState {
	const [listed, setListed] = useState(NOTHING);
	const [wanted, setWanted] = useState(INITIAL_ROWS);
	const [isStopped, setStopped] = useState(false);
	const [problem, setProblem] = useState<Error | null>(null);
	const [news, setNews] = useState<News | null>(null);
	const { cursor } = listed;
	const isLoading = cursor !== null && !isStopped && problem === null && listed.items.length < wanted;
	const latest = useRef(listed);
	latest.current = listed;

	useEffect(() => {
		if (!isLoading) return;
		const stop = new AbortController();
		api.executions.list({ ...filter, limit: PAGE, cursor: cursor ?? undefined }, stop.signal).then(
			(page) => {
				if (!stop.signal.aborted) setListed((before) => addPage(before, page));
			},
			(error: unknown) => {
				if (!stop.signal.aborted) setProblem(error instanceof Error ? error : new Error(String(error)));
			},
		);
		return () => stop.abort();
	}, [isLoading, cursor, filter]);

	useEffect(() => {
		if (!isLive) return;
		const stop = new AbortController();
		const timer = setInterval(poll, POLL_MS);
		const soon = changes > 0 ? setTimeout(poll, RECORD_DELAY_MS) : undefined;
		if (changes > 0) poll();
		document.addEventListener("visibilitychange", poll);
		return () => {
			stop.abort();
			clearInterval(timer);
			clearTimeout(soon);
			document.removeEventListener("visibilitychange", poll);
		};

		function poll(): void {
			if (document.visibilityState !== "visible" || latest.current.pages === 0) return;
			// A failed poll is ignored; the next one follows soon.
			api.executions.list({ ...filter, limit: PAGE }, stop.signal).then(addPolled, () => {});
		}

		function addPolled(page: News["page"]): void {
			if (stop.signal.aborted) return;
			const found = findNews(latest.current, page);
			if (found.count > 0) onNews();
			const isAtTop = (frame.current?.scrollTop ?? 0) < 8;
			if (found.count > 0 && isAtTop) setListed((before) => addNews(before, found));
			else setNews(found.count > 0 ? found : null);
		}
	}, [isLive, changes, onNews, filter, frame]);

	const shownCount = listed.items.length;
	return {
		listed,
		isLoading,
		isStopped,
		problem,
		news,
		more: useCallback(() => setWanted((before) => Math.max(before, shownCount + PAGE)), [shownCount]),
		stop: () => setStopped(true),
		resume() {
			setStopped(false);
			setProblem(null);
			setWanted(shownCount + INITIAL_ROWS);
		},
		showNews() {
			if (news !== null) setListed((before) => addNews(before, news));
			setNews(null);
			frame.current?.scrollTo({ top: 0 });
		},
	};
}
