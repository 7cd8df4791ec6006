import { useCallback, useEffect, useState } from "react";
import { api } from "../../api/api.ts";
import type { Entry } from "../../api/types.ts";
import { buildPreview } from "./snippet.ts";

interface EntryRow {
	readonly id: string;
	readonly type: string;
	readonly title: string;
	readonly preview: string;
	readonly createdAt: number;
}

interface State {
	readonly of: string;
	readonly rows: readonly EntryRow[];
	/** Null at the end of the list. */
	readonly cursor: string | null | undefined;
	readonly problem: Error | null;
}

export interface EntryList {
	readonly rows: readonly EntryRow[];
	readonly isFirst: boolean;
	readonly problem: Error | null;
	/** Undefined at the end of the list and while loading. */
	readonly more: (() => void) | undefined;
	retry(): void;
	reload(): void;
	put(entry: Entry): void;
	remove(id: string): void;
}

const PAGE = 100;

const toRow = (entry: Entry): EntryRow => ({
	id: entry.id,
	type: entry.entry_type,
	title: entry.page_name,
	preview: buildPreview(entry.content),
	createdAt: entry.created_at * 1000,
});

/** Loads the entries of a type page by page while scrolling. */
export function useEntries(type: string): EntryList {
	const [held, setHeld] = useState<State>(() => createState(type));
	const [asked, setAsked] = useState<{
		readonly of: string;
		readonly cursor: string | undefined;
		readonly time: number;
	}>({ of: type, cursor: undefined, time: 0 });
	const state = held.of === type ? held : createState(type);
	const wanted = asked.of === type ? asked.cursor : undefined;

	// biome-ignore lint/correctness/useExhaustiveDependencies: a change of `time` reloads.
	useEffect(() => {
		const stop = new AbortController();
		api.entries.list({ entry_type: type || undefined, limit: PAGE, cursor: wanted }, stop.signal).then(
			(page) =>
				setHeld((before) => {
					const earlier = wanted === undefined || before.of !== type ? [] : before.rows;
					const known = new Set(earlier.map(({ id }) => id));
					const fresh = page.entries.filter(({ id }) => !known.has(id)).map(toRow);
					return { of: type, rows: [...earlier, ...fresh], cursor: page.next_cursor, problem: null };
				}),
			(error: unknown) => {
				if (stop.signal.aborted) return;
				const problem = error instanceof Error ? error : new Error(String(error));
				setHeld((before) => ({ ...(before.of === type ? before : createState(type)), problem }));
			},
		);
		return () => stop.abort();
	}, [type, wanted, asked.time]);

	const { cursor } = state;
	const more = useCallback(
		() => setAsked({ of: type, cursor: cursor ?? undefined, time: 0 }),
		[type, cursor],
	);
	const again = useCallback(
		(from: string | undefined) => setAsked({ of: type, cursor: from, time: Date.now() }),
		[type],
	);
	return {
		rows: state.rows,
		isFirst: state.cursor === undefined && state.problem === null,
		problem: state.problem,
		more: typeof cursor === "string" && cursor !== wanted && state.problem === null ? more : undefined,
		retry: () => again(wanted),
		reload: () => again(undefined),
		put: (entry) =>
			setHeld((before) => ({
				...before,
				rows: before.rows.map((row) => (row.id === entry.id ? toRow(entry) : row)),
			})),
		remove: (id) => setHeld((before) => ({ ...before, rows: before.rows.filter((row) => row.id !== id) })),
	};
}

const createState = (of: string): State => ({ of, rows: [], cursor: undefined, problem: null });
