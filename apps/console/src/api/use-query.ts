import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { getSession } from "../session/session.ts";
import { getEarlyAnswer, takeEarly } from "./early.ts";

/** The state of a query. */
export interface Query<T> {
	/** The last response. It stays while the query reloads and if the reload fails. */
	readonly data: T | undefined;
	readonly problem: Error | null;
	readonly isLoading: boolean;
	reload(): void;
	/** Replaces the data with the response of a write. A response that is still under way is older and is ignored. */
	set(data: T): void;
}

/** Responses of earlier pages. They are shown immediately when a page is opened again, and are reloaded. */
const answerCache = new Map<string, unknown>();
const MAX_CACHED_ANSWERS = 100;

function cacheAnswer(key: string, data: unknown): void {
	answerCache.delete(key);
	answerCache.set(key, data);
	const [oldest] = answerCache.keys();
	if (answerCache.size > MAX_CACHED_ANSWERS && oldest !== undefined) answerCache.delete(oldest);
}

export const getCachedAnswer = (key: string): unknown => answerCache.get(key);

/** Called at logout, so that the next user sees no data of the previous one. */
export const clearAnswerCache = (): void => answerCache.clear();

/**
 * Loads on mount, when the key changes, and every `everyMs` milliseconds while the page is visible. The key must
 * contain everything the request depends on; null disables the query.
 */
export function useQuery<T>(
	key: string | null,
	load: (signal: AbortSignal) => Promise<T>,
	{ everyMs }: { readonly everyMs?: number } = {},
): Query<T> {
	const [state, setState] = useState<{
		key: string | null;
		data?: T;
		problem: Error | null;
		isLoading: boolean;
	}>(() => createInitialState(key));
	const latest = useRef(load);
	latest.current = load;
	const running = useRef<AbortController | null>(null);
	const [asked, setAsked] = useState(0);
	const current = state.key === key ? state : createInitialState<T>(key);

	// A layout effect, because an early response may be available before the first paint.
	// biome-ignore lint/correctness/useExhaustiveDependencies: a change of `asked` reloads.
	useLayoutEffect(() => {
		if (key === null) return;
		const stop = new AbortController();
		running.current = stop;
		const early = takeEarly(key, getSession()?.token) as Promise<T> | undefined;
		setState((before) => {
			const now = before.key === key ? before : createInitialState<T>(key);
			return now.isLoading || early !== undefined ? now : { ...now, isLoading: true };
		});
		const load = () => latest.current(stop.signal);
		(early?.catch(load) ?? load()).then(
			(data) => {
				if (stop.signal.aborted) return;
				cacheAnswer(key, data);
				setState((before) => {
					const isKnown = before.key === key && before.data === data && !before.isLoading;
					return isKnown ? before : { key, data, problem: null, isLoading: false };
				});
			},
			(error: unknown) => {
				if (stop.signal.aborted) return;
				const problem = error instanceof Error ? error : new Error(String(error));
				setState((before) => ({ ...before, problem, isLoading: false }));
			},
		);
		return () => stop.abort();
	}, [key, asked]);

	const reload = useCallback(() => setAsked((count) => count + 1), []);
	useEffect(() => {
		if (everyMs === undefined || key === null) return;
		const timer = setInterval(() => document.visibilityState === "visible" && reload(), everyMs);
		const reloadIfVisible = () => document.visibilityState === "visible" && reload();
		document.addEventListener("visibilitychange", reloadIfVisible);
		return () => {
			clearInterval(timer);
			document.removeEventListener("visibilitychange", reloadIfVisible);
		};
	}, [everyMs, key, reload]);

	const set = useCallback(
		(data: T) => {
			running.current?.abort();
			if (key !== null) cacheAnswer(key, data);
			setState({ key, data, problem: null, isLoading: false });
		},
		[key],
	);
	return { data: current.data, problem: current.problem, isLoading: current.isLoading, reload, set };
}

function createInitialState<T>(key: string | null): {
	key: string | null;
	data?: T;
	problem: null;
	isLoading: boolean;
} {
	const known = key === null ? undefined : (answerCache.get(key) ?? getEarlyAnswer(key, getSession()?.token));
	if (known !== undefined) return { key, data: known as T, problem: null, isLoading: false };
	return { key, problem: null, isLoading: key !== null };
}
