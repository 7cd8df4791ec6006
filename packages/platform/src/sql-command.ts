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

interface SqlCommand {
	/** Whether the statement would begin or end a transaction. */
	readonly controlsTransaction: boolean;
	/** Whether the connection is as before after the statement, so that another call may use it. */
	readonly leavesNoState: boolean;
	/** Whether the statement changes nothing in any case. */
	readonly onlyReads: boolean;
}

const MAX_KNOWN = 500;
const MAX_KNOWN_LENGTH = 4_096;
const known = new Map<string, SqlCommand>();

/** Most texts come again and again. */
export function describeCommand(sql: string): SqlCommand {
	const found = known.get(sql);
	if (found !== undefined) return found;
	const word = findCommand(sql);
	const command = {
		controlsTransaction: TRANSACTION_COMMANDS.has(word),
		leavesNoState: STATELESS_COMMANDS.has(word) && !STATEFUL_WORDS.test(sql),
		onlyReads: READING_COMMANDS.has(word),
	};
	if (sql.length > MAX_KNOWN_LENGTH) return command;
	if (known.size >= MAX_KNOWN) known.clear();
	known.set(sql, command);
	return command;
}

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
