/** Whether a text has every word, in either case, anywhere. */
export function hasWords(text: string, words: string): boolean {
	const within = text.toLocaleLowerCase();
	return words
		.toLocaleLowerCase()
		.split(/\s+/)
		.every((word) => within.includes(word));
}
