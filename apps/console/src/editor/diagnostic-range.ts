/** The range of a diagnostic in a line: from a column (1-based) to the end of the token there. */
export function findTokenRange(line: string, column: number | undefined): { from: number; to: number } {
	const first = line.length - line.trimStart().length;
	const last = line.trimEnd().length;
	if (column === undefined || column < 1) return { from: Math.min(first, last), to: last };
	const from = Math.min(column - 1, line.length);
	const rest = line.slice(from);
	const quote = rest.charAt(0);
	if (quote === '"' || quote === "'") {
		const end = findQuoteEnd(rest, quote);
		return { from, to: from + end };
	}
	// Names may contain spaces, so a token ends at the triplet's `>>`, a key's colon or a comma of flow style.
	const end = rest.search(/\s*(?:>>|:(?:\s|$)|,|[}\]]|\s#|$)/u);
	return { from, to: from + Math.max(end, Math.min(1, rest.length)) };
}

function findQuoteEnd(text: string, quote: string): number {
	for (let at = 1; at < text.length; at++) {
		if (quote === '"' && text.charAt(at) === "\\") at++;
		else if (text.charAt(at) === quote) return at + 1;
	}
	return text.trimEnd().length;
}
