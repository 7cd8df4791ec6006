import { useCallback, useEffect } from "react";
import { useSearch } from "../../router.tsx";

/**
 * `?panel=run` opens the Run tab and focuses its input or button. It never starts a run, because anyone can send a
 * link.
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
