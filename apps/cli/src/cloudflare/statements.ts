/**
 * A file of SQL as D1 takes it: one statement to a line. A `;` within a text, a name, a comment or a trigger ends none.
 * What D1's API makes of several statements at once is known to break triggers over several lines, and those whose
 * `begin` and `end` are in small letters.
 */
export function statementsOf(sql: string): readonly string[] {
	const statements: string[] = [];
	let text = "";
	let words: string[] = [];
	/** How many `begin` and `case` of a trigger are open. */
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

/** Spaces, comments, quoted texts and names, words, and whatever else there is, one character at a time. */
const TOKEN =
	/\s+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|[\p{L}\p{N}_$]+|[\s\S]/gu;
