import { useEffect, useState } from "react";
import { api } from "../api/api.ts";
import type { Suggestion } from "../api/types.ts";

const TYPING_MS = 150;
const MOST = 6;

/** One Chinese character is a word; of a letter's meaning nothing is known. */
const isEnough = (words: string): boolean => words.length >= 2 || /\p{Script=Han}/u.test(words);

/** Entries for what is typed, once the typing pauses; the last answer stays until the next is there. */
export function useKnowledge(query: string): {
	readonly found: readonly Suggestion[];
	readonly isLooking: boolean;
} {
	const words = query.trim();
	const [answer, setAnswer] = useState<{ words: string; found: readonly Suggestion[] }>({
		words: "",
		found: [],
	});
	useEffect(() => {
		if (!isEnough(words)) return;
		const stop = new AbortController();
		const timer = setTimeout(() => {
			api.search(words, { limit: MOST }, stop.signal).then(
				(found) => !stop.signal.aborted && setAnswer({ words, found }),
				// The palette works without: pages and workflows are found here.
				() => !stop.signal.aborted && setAnswer({ words, found: [] }),
			);
		}, TYPING_MS);
		return () => {
			clearTimeout(timer);
			stop.abort();
		};
	}, [words]);
	if (!isEnough(words)) return { found: [], isLooking: false };
	return { found: answer.found, isLooking: answer.words !== words };
}
