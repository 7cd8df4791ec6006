/** What a statement does, by its first word, and after `with` too. Comments and opening parentheses come before it. */
function findCommand(sql: string): string {
	let at = 0;
	for (;;) {
		while (at < sql.length && /[\s(;]/.test(sql.charAt(at))) at++;
		if (sql.startsWith("--", at) || sql.charAt(at) === "#") at = findEnd(sql, "\n", at);
		else if (sql.startsWith("/*", at)) at = skipComment(sql, at);
		else break;
	}
	return /^\w*/.exec(sql.slice(at, at + 32))?.[0].toLowerCase() ?? "";
}

/** Comments can be nested in PostgreSQL; where they cannot, the word found is not one of a statement. */
function skipComment(sql: string, start: number): number {
	let depth = 0;
	for (let at = start; at < sql.length; ) {
		if (sql.startsWith("/*", at)) depth++;
		else if (sql.startsWith("*/", at)) depth--;
		else {
			at++;
			continue;
		}
		at += 2;
		if (depth === 0) return at;
	}
	return sql.length;
}

function findEnd(sql: string, what: string, from: number): number {
	const at = sql.indexOf(what, from);
	return at === -1 ? sql.length : at + what.length;
}

/** Whether the statement would begin or end a transaction. */
export const controlsTransaction = (sql: string): boolean => TRANSACTION_COMMANDS.has(findCommand(sql));

/** Whether the connection is as before after the statement, so that another call may use it. */
export const leavesNoState = (sql: string): boolean =>
	STATELESS_COMMANDS.has(findCommand(sql)) && !STATEFUL_WORDS.test(sql);

/** Whether the statement changes nothing in any case. */
export const onlyReads = (sql: string): boolean => READING_COMMANDS.has(findCommand(sql));

const READING_COMMANDS = new Set([
	"select",
	"with",
	"values",
	"table",
	"show",
	"describe",
	"desc",
	"explain",
]);

const TRANSACTION_COMMANDS = new Set([
	"begin",
	"start",
	"commit",
	"end",
	"rollback",
	"abort",
	"savepoint",
	"release",
]);

const STATELESS_COMMANDS = new Set([
	"select",
	"insert",
	"update",
	"delete",
	"merge",
	"values",
	"with",
	"table",
]);
const STATEFUL_WORDS = /set_config|advisory|get_lock|@|\btemp(?:orary)?\b/i;
