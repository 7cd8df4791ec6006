import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "../api/types.ts";

/** What the parser expected at the first syntax error; `object` means valid JSON that is not an object. */
type Expected = "value" | "key" | "colon" | "separator" | "string" | "escape" | "end" | "object";

interface JsonProblem {
	readonly expected: Expected;
	/** 1-based. */
	readonly line: number;
	readonly column: number;
}

export type ReadInput =
	| { readonly value: JsonObject; readonly problem: null }
	| { readonly value: null; readonly problem: JsonProblem };

export type ReadJson =
	| { readonly value: Json; readonly problem: null }
	| { readonly value: undefined; readonly problem: JsonProblem };

/** Parses any typed JSON. */
export function parseJson(text: string): ReadJson {
	try {
		return { value: JSON.parse(text) as Json, problem: null };
	} catch {
		return { value: undefined, problem: findProblem(text) };
	}
}

/** Parses a typed trigger context; an empty text is `{}`. */
export function parseInput(text: string): ReadInput {
	if (text.trim() === "") return { value: {}, problem: null };
	const { value, problem } = parseJson(text);
	if (problem !== null) return { value: null, problem };
	if (typeof value === "object" && value !== null && !Array.isArray(value)) return { value, problem: null };
	return { value: null, problem: toProblem(text, text.search(/\S/), "object") };
}

interface ProblemTexts {
	readonly expected: Readonly<Record<Expected, string>>;
	problemAt(line: number, column: number, what: string): string;
}

export const describeJsonProblem = ({ line, column, expected }: JsonProblem, text: ProblemTexts): string =>
	text.problemAt(line, column, text.expected[expected]);

export const formatInput = (value: JsonObject): string => JSON.stringify(value, null, 2);

/** Formats an input on one line, for lists. */
export function compactInput(text: string): string {
	const { value } = parseInput(text);
	return value === null ? text.replaceAll(/\s+/g, " ").trim() : JSON.stringify(value);
}

/** Scans for the position, because browsers report it in different formats or not at all. */
function findProblem(text: string): JsonProblem {
	const found = new Scan(text).problem();
	return toProblem(text, found.at, found.expected);
}

function toProblem(text: string, at: number, expected: Expected): JsonProblem {
	const before = text.slice(0, at).split("\n");
	return { expected, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

class Stop extends Error {
	readonly at: number;
	readonly expected: Expected;

	constructor(at: number, expected: Expected) {
		super(expected);
		this.at = at;
		this.expected = expected;
	}
}

const SPACE = /[ \t\n\r]*/y;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none of them in a string.
const CHARACTERS = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

class Scan {
	readonly #text: string;
	#at = 0;

	constructor(text: string) {
		this.#text = text;
	}

	problem(): { readonly at: number; readonly expected: Expected } {
		try {
			this.#value();
			this.#take(SPACE);
			return { at: this.#at, expected: "end" };
		} catch (error) {
			if (error instanceof Stop) return error;
			// Nested deeper than the stack allows: the position is unknown.
			return { at: 0, expected: "value" };
		}
	}

	#value(): void {
		this.#take(SPACE);
		const next = this.#text[this.#at];
		if (next === "{") this.#members("}", () => this.#member());
		else if (next === "[") this.#members("]", () => this.#value());
		else if (next === '"') this.#string();
		else if (!this.#take(SCALAR)) this.#stop("value");
	}

	#members(close: string, member: () => void): void {
		this.#at++;
		this.#take(SPACE);
		if (this.#skip(close)) return;
		do member();
		while (this.#hasMore(close));
	}

	#hasMore(close: string): boolean {
		this.#take(SPACE);
		if (this.#skip(close)) return false;
		if (!this.#skip(",")) this.#stop("separator");
		return true;
	}

	#member(): void {
		this.#take(SPACE);
		if (this.#text[this.#at] !== '"') this.#stop("key");
		this.#string();
		this.#take(SPACE);
		if (!this.#skip(":")) this.#stop("colon");
		this.#value();
	}

	#string(): void {
		this.#at++;
		this.#take(CHARACTERS);
		while (this.#text[this.#at] === "\\") {
			if (!this.#take(ESCAPE)) this.#stop("escape");
			this.#take(CHARACTERS);
		}
		if (!this.#skip('"')) this.#stop("string");
	}

	#skip(character: string): boolean {
		if (this.#text[this.#at] !== character) return false;
		this.#at++;
		return true;
	}

	#take(pattern: RegExp): boolean {
		pattern.lastIndex = this.#at;
		const found = pattern.exec(this.#text)?.[0] ?? "";
		this.#at += found.length;
		return found !== "";
	}

	#stop(expected: Expected): never {
		throw new Stop(this.#at, expected);
	}
}
