/**
 * Splits a SQL file into statements of one line each. A `;` in a string, a name, a comment or a trigger ends none.
 * D1's API is known to break triggers that span several lines, and those with `begin` and `end` in lower case, when it
 * splits several statements itself.
 */
export function splitStatements(sql: string): readonly string[] {
	const statements: string[] = [];
	let text = "";
	let words: string[] = [];
	/** How many `begin` and `case` blocks of a trigger are open. */
	let depth = 0;
	for (const [token] of sql.matchAll(TOKEN)) {
		if (token === ";" && depth === 0) {
			if (text.trim() !== "") statements.push(`${text.trim()};`);
			text = "";
			words = [];
		} else if (/^(?:\s|--|\/\*)/.test(token)) {
			if (!text.endsWith(" ")) text += " ";
		} else {
			const word = token.toLowerCase();
			words.push(word);
			const isTrigger = TRIGGER.test(words.slice(0, 3).join(" "));
			if (isTrigger && (word === "begin" || (word === "case" && depth > 0))) depth++;
			if (isTrigger && word === "end" && depth > 0) depth--;
			text += isTrigger && (word === "begin" || word === "end") ? word.toUpperCase() : token;
		}
	}
	if (text.trim() !== "") statements.push(`${text.trim()};`);
	return statements;
}

const TRIGGER = /^create (?:(?:temp|temporary) )?trigger\b/;

/** Whitespace, comments, quoted strings and names, words, and any other single character. */
const TOKEN =
	/\s+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|[\p{L}\p{N}_$]+|[\s\S]/gu;
