/** Whether a text contains every word, ignoring case. */
export function hasWords(text: string, words: string): boolean {
	const within = text.toLocaleLowerCase();
	return words
		.toLocaleLowerCase()
		.split(/\s+/)
		.every((word) => within.includes(word));
}
