/**
 * Splits a text into statements like SQLite: a `;` ends a statement unless it is in a string, a name, a comment, or in
 * the body of a trigger, which ends with `END;`.
 */
export function splitSqlStatements(text: string): readonly string[] {
	const statements: string[] = [];
	let start = 0;
	let words: string[] = [];
	for (const { 0: token, index } of text.matchAll(TOKEN)) {
		if (/^\s|^--|^\/\*/.test(token)) continue;
		words.push(token.toUpperCase());
		if (token !== ";" || (isTrigger(words) && !words.slice(-3).join("").endsWith(";END;"))) continue;
		if (words.length > 1) statements.push(text.slice(start, index).trim());
		start = index + 1;
		words = [];
	}
	if (words.length > 0) statements.push(text.slice(start).trim());
	return statements;
}

/** Strings, quoted names, comments and whitespace; else words and single characters. */
const TOKEN =
	/'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|\[[^\]]*(?:\]|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\s+|[\w$\u0080-\uffff]+|./gs;

const isTrigger = ([first, second, third]: readonly string[]) =>
	first === "CREATE" &&
	(second === "TRIGGER" || ((second === "TEMP" || second === "TEMPORARY") && third === "TRIGGER"));
