import { useCallback, useEffect } from "react";
import { useSearch } from "../../router.tsx";

/**
 * Whoever came to run it (`?panel=run`) finds the panel open, and the focus where a run begins. The address alone runs
 * nothing: anybody may send a link.
 */
export function useRunLink(
	isInputWanted: boolean,
	show: () => void,
): ["input" | "button" | null, done: () => void] {
	const [search, changeSearch] = useSearch();
	const isAsked = search.get("panel") === "run";
	useEffect(() => {
		if (isAsked) show();
	}, [isAsked, show]);
	const done = useCallback(() => changeSearch({ panel: null }), [changeSearch]);
	return [isAsked ? (isInputWanted ? "input" : "button") : null, done];
}
