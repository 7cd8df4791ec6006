import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { api, type ExecutionFilter } from "../../api/api.ts";
import { type Listed, type News, NOTHING, newsIn, withNews, withPage } from "./listed.ts";

const PAGE = 100;
/** Rows to load initially. In a text search many pages may have no match. */
const FIRST_WANTED = 40;
const EVERY_MS = 10_000;

export interface ExecutionsState {
	readonly listed: Listed;
	readonly isLoading: boolean;
	readonly isStopped: boolean;
	readonly problem: Error | null;
	/** New records that are not in the list yet. */
	readonly news: News | null;
	more(): void;
	stop(): void;
	goOn(): void;
	showNews(): void;
}

/** Loads the list of one filter page by page, and polls for new records. */
export function useExecutions(
	filter: ExecutionFilter,
	isLive: boolean,
	frame: RefObject<HTMLElement | null>,
): ExecutionsState {
	const [listed, setListed] = useState(NOTHING);
	const [wanted, setWanted] = useState(FIRST_WANTED);
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
				if (!stop.signal.aborted) setListed((before) => withPage(before, page));
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
		const timer = setInterval(look, EVERY_MS);
		document.addEventListener("visibilitychange", look);
		return () => {
			stop.abort();
			clearInterval(timer);
			document.removeEventListener("visibilitychange", look);
		};

		function look(): void {
			if (document.visibilityState !== "visible" || latest.current.pages === 0) return;
			// A failed poll is ignored; the next one follows soon.
			api.executions.list({ ...filter, limit: PAGE }, stop.signal).then(take, () => {});
		}

		function take(page: News["page"]): void {
			if (stop.signal.aborted) return;
			const found = newsIn(latest.current, page);
			const isAtTop = (frame.current?.scrollTop ?? 0) < 8;
			if (found.count > 0 && isAtTop) setListed((before) => withNews(before, found));
			else setNews(found.count > 0 ? found : null);
		}
	}, [isLive, filter, frame]);

	const shownCount = listed.items.length;
	return {
		listed,
		isLoading,
		isStopped,
		problem,
		news,
		more: useCallback(() => setWanted((before) => Math.max(before, shownCount + PAGE)), [shownCount]),
		stop: () => setStopped(true),
		goOn() {
			setStopped(false);
			setProblem(null);
			setWanted(shownCount + FIRST_WANTED);
		},
		showNews() {
			if (news !== null) setListed((before) => withNews(before, news));
			setNews(null);
			frame.current?.scrollTo({ top: 0 });
		},
	};
}
