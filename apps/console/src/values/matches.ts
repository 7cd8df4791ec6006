const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/** Whether a text contains the query, in any case. Nothing contains an empty query. */
export function buildMatcher(query: string): (text: string) => boolean {
	if (query === "") return () => false;
	const pattern = new RegExp(escapePattern(query), "iu");
	return (text) => pattern.test(text);
}

/** Splits a text at what matches the query: every second part is a match. */
export const splitAtMatches = (text: string, query: string): readonly string[] =>
	query === "" ? [text] : text.split(new RegExp(`(${escapePattern(query)})`, "iu"));
