import { useEffect, useState } from "react";
import { api } from "../api/api.ts";
import type { Suggestion } from "../api/types.ts";

const TYPING_MS = 150;
const MAX_ENTRIES = 6;

/** A single Chinese character is a word worth searching for; a single letter is not. */
const isEnough = (words: string): boolean => words.length >= 2 || /\p{Script=Han}/u.test(words);

/** Entries that match the query, requested when typing pauses. The previous result stays until the next one arrives. */
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
			api.search(words, { limit: MAX_ENTRIES }, stop.signal).then(
				(found) => !stop.signal.aborted && setAnswer({ words, found }),
				// The palette works without entries: pages and workflows are matched locally.
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
