import {
	type GraphEdge,
	isLoopRelation,
	type LoopRelation,
	type Relation,
} from "@tripline/contract/workflows";
import { type Hint, quoteText } from "./diagnostics.ts";
import { didYouMean } from "./nearest.ts";

/** When an edge is taken: the part of an edge that a triplet's relation expresses. */
export type Condition = Pick<GraphEdge, "on" | "value" | "as">;

export type RelationProblem = {
	readonly code: "unknown_relation" | "bad_triplet";
	readonly message: string;
	readonly hint?: Hint;
};

const PLAIN: Readonly<Record<Exclude<Relation, "CASE" | LoopRelation>, readonly string[]>> = {
	ON_SUCCESS: ["then", "完成後"],
	ON_FAIL: ["on error", "on_error", "失敗時"],
	ALWAYS: ["finally"],
	ON_TRUE: ["if true"],
	ON_FALSE: ["if false"],
	DEFAULT: [],
	ON_WAIT: ["while waiting", "等待時"],
};

const WORDS = [
	...Object.entries(PLAIN).flatMap(([relation, aliases]) => [relation, ...aliases]),
	"CASE",
	"FOREACH",
	"for each",
	"對每個",
	"REPEAT",
	"重複",
];

const KNOWN = `${Object.keys(PLAIN).join(", ")}, CASE <value>, FOREACH <name>, REPEAT <name>`;

const plainRelations = new Map(
	Object.entries(PLAIN).flatMap(([relation, aliases]) =>
		[relation, ...aliases].map((word) => [foldWord(word), relation as keyof typeof PLAIN]),
	),
);

const CASE = /^case(?:\s+(.*))?$/isu;
const FOREACH = /^(?:for[\s_]*each(?:\s+|$)|對每個\s*)(.*)$/isu;
const REPEAT = /^(?:repeat(?:\s+|$)|重複\s*)(.*)$/isu;

export function readRelation(text: string): Condition | RelationProblem {
	const relation = text.trim();
	const plain = plainRelations.get(foldWord(relation));
	if (plain !== undefined) return { on: plain };
	const branch = CASE.exec(relation);
	if (branch !== null) return readCase(branch[1] ?? "");
	const each = FOREACH.exec(relation);
	if (each !== null) return readLoop("FOREACH", each[1] ?? "");
	const repeat = REPEAT.exec(relation);
	if (repeat !== null) return readLoop("REPEAT", repeat[1] ?? "");
	const hint = () => didYouMean(relation, WORDS) ?? `Write one of ${KNOWN}`;
	return { code: "unknown_relation", message: `unknown relation ${quoteText(relation)}`, hint };
}

export const isRelationProblem = (read: Condition | RelationProblem): read is RelationProblem =>
	"code" in read;

/** The inverse of `readRelation`. */
export function formatRelation(condition: Condition): string {
	if (condition.on === "CASE") return `CASE ${formatCase(condition.value ?? "")}`;
	if (isLoopRelation(condition.on)) return `${condition.on} ${condition.as ?? ""}`;
	return condition.on;
}

function readCase(text: string): Condition | RelationProblem {
	if (text === "") {
		return {
			code: "bad_triplet",
			message: "CASE needs the value to compare with",
			hint: 'Write it after CASE, such as CASE paid; for empty text, CASE ""',
		};
	}
	return { on: "CASE", value: unquote(text) ?? text };
}

function readLoop(on: LoopRelation, name: string): Condition | RelationProblem {
	if (name !== "") return { on, as: name };
	const [what, example] = on === "FOREACH" ? ["element", "order"] : ["turn", "page"];
	return {
		code: "bad_triplet",
		message: `${on} needs a name for the ${what}`,
		hint: `Write it after ${on}, such as ${on} ${example}`,
	};
}

/** A value that trimming or splitting at `>>` would change is written as a JSON string. */
function formatCase(value: string): string {
	const plain = value !== "" && value === value.trim() && !value.startsWith('"') && !/>>|\p{Cc}/u.test(value);
	return plain ? value : JSON.stringify(value).replaceAll(">", "\\u003e");
}

function unquote(text: string): string | undefined {
	if (!text.startsWith('"')) return undefined;
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === "string" ? value : undefined;
	} catch {
		return undefined;
	}
}

function foldWord(word: string): string {
	return word.toLowerCase().replace(/[\s_]+/gu, " ");
}
