/** Text between placeholders, the number of a placeholder, or `changes`. */
type Part = string | number | typeof CHANGES;

/** The number of rows that the previous statement of the unit of work wrote. */
const CHANGES = Symbol("changes");

/** A statement written for SQLite, taken apart so that its placeholders can be cast to the types of the bound values. */
export interface PostgresStatement {
	/** Whether the number of rows that the previous statement wrote is bound after the values. */
	readonly usesChanges: boolean;
	/** Whether the placeholder with this number occurs. */
	uses(placeholder: number): boolean;
	/**
	 * `types` has a PostgreSQL type for each value that is bound. A value without a type is null and written into the text,
	 * because the type of a placeholder that is only compared with null cannot be determined.
	 */
	build(types: readonly (string | null)[]): string;
}

/**
 * Statements are written once, for SQLite. What differs by spelling alone is rewritten: placeholders, hints for SQLite's
 * planner, `changes()`, types and some functions. Everything else has to be valid in both.
 *
 * A value from JSON is a text in PostgreSQL, so that a number has to be cast: `cast(value ->> 'seq' as integer)`. A
 * condition is not a number there. The operators and functions for JSON texts are those of `POSTGRES_FUNCTIONS`.
 */
export const toPostgres = (text: string): PostgresStatement =>
	bindPlaceholders(rewriteTypes(rewriteCalls(dropHints(tokenize(text)))));

/** For a statement in PostgreSQL's own dialect. */
export const readPostgres = (text: string): PostgresStatement => bindPlaceholders(tokenize(text));

const tokenize = (text: string): readonly string[] => text.match(TOKEN) ?? [];

function bindPlaceholders(tokens: readonly string[]): PostgresStatement {
	const parts: Part[] = [];
	const add = (part: Part) => {
		const last = parts.length - 1;
		if (typeof part === "string" && typeof parts[last] === "string") parts[last] += part;
		else parts.push(part);
	};
	for (const token of tokens) {
		if (token === "changes()") add(CHANGES);
		else if (PLACEHOLDER.test(token)) add(Number(token.replace(/^\+?\?/, "")));
		else add(token);
	}
	return {
		usesChanges: parts.includes(CHANGES),
		uses: (placeholder) => parts.includes(placeholder),
		build(types) {
			let count = 0;
			const numbers = types.map((type) => (type === null ? count : ++count));
			return parts.map((part) => writePart(part, types, numbers)).join("");
		},
	};
}

function writePart(part: Part, types: readonly (string | null)[], numbers: readonly number[]): string {
	if (part === CHANGES) return `cast($${(numbers.at(-1) ?? 0) + 1} as bigint)`;
	if (typeof part === "string") return part;
	const type = types[part - 1] ?? null;
	if (type === null) return "null";
	const cast = `cast($${numbers[part - 1]} as ${type})`;
	return type === "text" ? `(${cast} collate "C")` : cast;
}

const TOKEN =
	/'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\+?\?\d+|changes\(\)|[A-Za-z_]\w*|\d+(?:\.\d+)?|\s+|[^\s\w]/g;
const PLACEHOLDER = /^\+?\?\d+$/;
const SPACE = /^(?:\s|--)/;

/** `indexed by` and a unary plus are left out; a `cross join` with a condition, which only fixes the order in SQLite, is a plain join. */
function dropHints(tokens: readonly string[]): string[] {
	const kept: string[] = [];
	for (let at = 0; at < tokens.length; at++) {
		const token = tokens[at] as string;
		if (token === "indexed" && tokens[at + 2] === "by") at += 4;
		else if (token === "+" && /^\w/.test(tokens[at + 1] ?? "") && /[\s(]$/.test(tokens[at - 1] ?? ""))
			continue;
		else if (token === "cross" && tokens[at + 2] === "join" && hasCondition(tokens, at + 3)) at++;
		else kept.push(token);
	}
	return kept;
}

const ENDS_OF_JOIN = new Set([
	"join",
	"cross",
	"left",
	"where",
	"group",
	"order",
	"limit",
	"union",
	"set",
	"returning",
]);

function hasCondition(tokens: readonly string[], from: number): boolean {
	let depth = 0;
	for (let at = from; at < tokens.length && depth >= 0; at++) {
		const token = tokens[at] as string;
		if (token === "(") depth++;
		else if (token === ")") depth--;
		else if (depth === 0 && token === "on") return true;
		else if (depth === 0 && ENDS_OF_JOIN.has(token)) return false;
	}
	return false;
}

type Tokens = readonly string[];

/** Functions that have another name or form in PostgreSQL, with the tokens of their arguments. */
const CALLS: Readonly<Record<string, (args: readonly Tokens[]) => Tokens>> = {
	iif: ([condition = [], yes = [], no = []]) => [
		"case when ",
		...condition,
		" then ",
		...yes,
		" else ",
		...no,
		" end",
	],
	json_set: ([document = [], ...pairs]) => {
		let written = document;
		for (let at = 0; at < pairs.length; at += 2)
			written = ["json_put(", ...written, ",", ...(pairs[at] ?? []), ",", ...(pairs[at + 1] ?? []), ")"];
		return written;
	},
	json_object: (args) => ["cast(", ...call("json_build_object", args), " as text)"],
	json: ([text = []]) => ["cast(", ...text, " as json)"],
	json_extract: ([document = [], path = []]) => ["(", ...document, " ->> ", ...path, ")"],
	json_each: (args) => call("json_elements", args),
	json_group_array: (args) => ["coalesce(cast(", ...call("json_agg", args), " as text), '[]')"],
	max: (args) => call(args.length > 1 ? "greatest" : "max", args),
	min: (args) => call(args.length > 1 ? "least" : "min", args),
	char: (args) => call("chr", args),
	instr: (args) => call("strpos", args),
	substr: ([text = [], ...numbers]) =>
		call("substr", [text, ...numbers.map((number) => ["cast(", ...number, " as int)"])]),
	unhex: (args) => call("decode", [...args, ["'hex'"]]),
	cast: ([typed = []]) =>
		isNumberFromJson(typed)
			? ["cast(trunc(cast(", ...typed.slice(0, -1), "numeric)) as bigint)"]
			: ["cast(", ...typed.map((token) => CAST_TYPES[token] ?? token), ")"],
};

/** SQLite writes a bound number into JSON as `1.0`, which is no whole number for PostgreSQL. */
const isNumberFromJson = (typed: Tokens): boolean =>
	typed.at(-1) === "integer" && typed.some((token, nth) => token === ">" && typed[nth + 1] === ">");

const CAST_TYPES: Readonly<Record<string, string>> = {
	integer: "bigint",
	real: "double precision",
	blob: "bytea",
};

const call = (name: string, args: readonly Tokens[]): Tokens => [
	`${name}(`,
	...args.flatMap((arg, nth) => (nth === 0 ? arg : [",", ...arg])),
	")",
];

function rewriteCalls(tokens: Tokens): string[] {
	const written: string[] = [];
	for (let at = 0; at < tokens.length; at++) {
		const token = tokens[at] as string;
		const rewrite = tokens[at + 1] === "(" && Object.hasOwn(CALLS, token) ? CALLS[token] : undefined;
		if (rewrite === undefined) {
			written.push(token);
			continue;
		}
		const { args, end } = readArguments(tokens, at + 2);
		written.push(...rewrite(args.map(rewriteCalls)));
		at = end;
	}
	return written;
}

/** The arguments that begin at `from`, and the position of the parenthesis that closes them. */
function readArguments(tokens: Tokens, from: number): { args: Tokens[]; end: number } {
	const args: string[][] = [[]];
	let depth = 0;
	for (let at = from; at < tokens.length; at++) {
		const token = tokens[at] as string;
		if (token === ")" && depth === 0) return { args, end: at };
		if (token === "(") depth++;
		else if (token === ")") depth--;
		if (token === "," && depth === 0) args.push([]);
		else args.at(-1)?.push(token);
	}
	throw new Error("a call is not closed");
}

/** As in SQLite, texts are compared by their bytes, and numbers have 64 bits. */
const TYPES: Readonly<Record<string, string>> = {
	integer: "bigint",
	real: "double precision",
	blob: "bytea",
	text: 'text collate "C"',
};

/** SQLite numbers the rows of a table whose primary key is an integer. */
const ROW_ID = "bigint generated by default as identity primary key";

function rewriteTypes(tokens: readonly string[]): string[] {
	const words = tokens.filter((token) => !SPACE.test(token));
	const isTable =
		(words[0] === "create" && words[1] === "table") || (words[0] === "alter" && words[1] === "table");
	if (!isTable) return [...tokens];
	const written: string[] = [];
	for (let at = 0; at < tokens.length; at++) {
		const token = tokens[at] as string;
		if (token === "strict" && isAfter(written, ")")) continue;
		if (
			token === "," &&
			tokens
				.slice(at + 1)
				.filter((each) => !SPACE.test(each))
				.join(" ") === "without rowid"
		)
			break;
		if (token === "integer" && tokens[at + 2] === "primary" && tokens[at + 4] === "key") {
			written.push(ROW_ID);
			at += 4;
		} else written.push(isName(written) ? token : (TYPES[token] ?? token));
	}
	return written;
}

const isAfter = (tokens: readonly string[], token: string): boolean =>
	tokens.findLast((each) => !SPACE.test(each)) === token;

/** A column may be called like a type. */
const isName = (before: readonly string[]): boolean => isAfter(before, "(") || isAfter(before, ",");
