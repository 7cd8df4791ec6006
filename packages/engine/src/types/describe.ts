import { listMembers, type Type } from "./type.ts";

const WORDS: Readonly<Record<Exclude<Type["kind"], "union">, string>> = {
	any: "any value",
	text: "text",
	number: "a number",
	boolean: "true or false",
	null: "null",
	list: "a list",
	object: "an object",
};

/** The kinds of value that a type allows, for messages: "text or null". */
export function describeTypes(type: Type): string {
	const words = [...new Set(listMembers(type).map(({ kind }) => WORDS[kind as keyof typeof WORDS]))];
	return words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
