/** A path or a name as one word of a shell. */
export const quoteWord = (text: string): string =>
	/^[\p{L}\p{N}_./-]+$/u.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
