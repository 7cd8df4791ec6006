import { useEffect, useRef } from "react";
import { api } from "../../api/api.ts";
import type { Suggestion } from "../../api/types.ts";
import { type Query, useQuery } from "../../api/use-query.ts";
import { useSettled } from "../../ui/use-settled.ts";

const PAUSE_MS = 150;
export const FEW = 40;
export const MANY = 100;

/** Search results. The previous results stay until the next ones arrive. */
export function useFound(
	words: string,
	type: string,
	limit: number,
): Query<Suggestion[]> & { readonly isOld: boolean } {
	const settled = useSettled(words, PAUSE_MS).trim();
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
