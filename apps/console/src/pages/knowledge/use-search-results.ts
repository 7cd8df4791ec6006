import { useEffect, useRef } from "react";
import { api } from "../../api/api.ts";
import type { Suggestion } from "../../api/types.ts";
import { type Query, useQuery } from "../../api/use-query.ts";
import { useDebounced } from "../../ui/use-debounced.ts";

const PAUSE_MS = 150;
export const INITIAL_RESULTS = 40;
export const MAX_RESULTS = 100;

/** Search results. The previous results stay until the next ones arrive. */
export function useSearchResults(
	words: string,
	type: string,
	limit: number,
): Query<Suggestion[]> & { readonly isOld: boolean } {
	const settled = useDebounced(words, PAUSE_MS).trim();
	const query = useQuery(settled === "" ? null : `found ${limit} ${type} ${settled}`, (signal) =>
		api.search(settled, { limit, ...(type !== "" && { entry_types: [type] }) }, signal),
	);
	const last = useRef<Suggestion[] | undefined>(undefined);
	useEffect(() => {
		if (query.data !== undefined || settled === "") last.current = query.data;
	}, [query.data, settled]);
	const isOld = query.data === undefined || settled !== words.trim();
	return { ...query, data: query.data ?? last.current, isOld };
}
