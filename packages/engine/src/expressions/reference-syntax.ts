import { identifierEnd } from "./identifiers.ts";
import { formatStep, type Step } from "./path.ts";
import { findIndexHint, findReferenceHint } from "./reference-hints.ts";

export interface Reference {
	readonly source: Path | Literal;
	readonly filters: readonly FilterCall[];
}

export interface Path {
	readonly kind: "path";
	readonly steps: readonly PathStep[];
}

export interface PathStep {
	readonly key: Step;
	readonly offset: number;
	/** The path up to here, for messages. */
	readonly path: string;
}

interface Literal {
	readonly kind: "literal";
	readonly value: string;
}

/** A constant, or a path for `default`. */
export type Argument = string | number | boolean | null | Path;

export interface FilterCall {
	readonly name: string;
	readonly offset: number;
	readonly args: readonly { readonly value: Argument; readonly offset: number }[];
}

export const isPath = (argument: Argument | undefined): argument is Path =>
	typeof argument === "object" && argument !== null;

export const formatPath = ({ steps }: Path): string => (steps.at(-1) as PathStep).path;

/** The paths that a reference reads: its own, then those of its `default` filters. */
export function listPaths({ source, filters }: Reference): Path[] {
	const fallbacks = filters.flatMap(({ args }) => args.map(({ value }) => value).filter(isPath));
	return source.kind === "path" ? [source, ...fallbacks] : fallbacks;
}

export function countPaths({ source, filters }: Reference): number {
	let count = source.kind === "path" ? 1 : 0;
	for (const { args } of filters) for (const { value } of args) if (isPath(value)) count++;
	return count;
}

export const OPEN = "{{";
export const CLOSE = "}}";
const BRACES_HINT = 'to write two braces as text, use {{"{{"}}';
const LIST_HINT = "define a list or an object in the document's context, as in default(context.none)";
const MAX_STEPS = 64;
const MAX_FILTERS = 16;
/** Characters before a problem that are looked at for a hint. */
const MAX_CONTEXT = 200;

export class SyntaxProblem extends Error {
	readonly offset: number;
	readonly hint: string | undefined;
	constructor(message: string, offset: number, hint?: string) {
		super(message);
		this.offset = offset;
		this.hint = hint;
	}
}

/** Parses one reference without backtracking, in linear time. */
export class ReferenceParser {
	readonly #text: string;
	at: number;

	constructor(text: string, at: number) {
		this.#text = text;
		this.at = at;
	}

	/** Parses the content between the braces, and the closing braces. */
	reference(open: number): Reference {
		this.#space();
		if (this.#text.startsWith(CLOSE, this.at))
			throw new SyntaxProblem("there is no reference between {{ and }}", open, BRACES_HINT);
		const source = this.#source(open);
		const filters: FilterCall[] = [];
		for (this.#space(); this.#take("|"); this.#space()) {
			if (filters.length === MAX_FILTERS)
				throw new SyntaxProblem(`a reference takes at most ${MAX_FILTERS} filters`, this.at);
			filters.push(this.#filter(open));
		}
		if (!this.#take(CLOSE)) throw this.#unexpected(open);
		return { source, filters };
	}

	#source(open: number): Path | Literal {
		if (this.#isQuote()) return { kind: "literal", value: this.#string() };
		return { kind: "path", steps: this.#path(open) };
	}

	#path(open: number): PathStep[] {
		const root = this.#identifier();
		if (root === undefined) throw this.#unexpected(open);
		const steps: PathStep[] = [{ key: root, offset: this.at - root.length, path: root }];
		let path = root;
		for (this.#space(); this.#text[this.at] === "." || this.#text[this.at] === "["; this.#space()) {
			if (steps.length === MAX_STEPS)
				throw new SyntaxProblem(`a path has at most ${MAX_STEPS} parts`, this.at);
			const bracket = this.#text[this.at] === "[";
			this.at++;
			this.#space();
			const offset = this.at;
			const key = bracket ? this.#inBrackets(open) : this.#afterDot(open);
			path += formatStep(key, !bracket);
			steps.push({ key, offset, path });
		}
		return steps;
	}

	#afterDot(open: number): Step {
		const name = this.#identifier();
		if (name !== undefined) return name;
		if (/[0-9]/.test(this.#text[this.at] ?? ""))
			throw new SyntaxProblem("a name cannot start with a digit", this.at, "write [0] for a list index");
		throw this.#unexpected(open);
	}

	#inBrackets(open: number): Step {
		const key = this.#isQuote() ? this.#string() : this.#place();
		if (key === undefined) {
			this.#failIfOver(open);
			throw new SyntaxProblem(
				"expected an index from 0 or a name in quotes between [ and ]",
				this.at,
				findIndexHint(this.#text, this.at),
			);
		}
		this.#space();
		if (!this.#take("]")) throw this.#unexpected(open);
		return key;
	}

	#place(): number | undefined {
		const end = this.#digitsEnd(this.at);
		if (end === this.at || end - this.at > 9) return undefined;
		const place = Number(this.#text.slice(this.at, end));
		this.at = end;
		return place;
	}

	#filter(open: number): FilterCall {
		this.#space();
		const offset = this.at;
		const name = this.#identifier();
		if (name === undefined) throw this.#unexpected(open);
		const args: { value: Argument; offset: number }[] = [];
		this.#space();
		if (this.#take("(")) {
			this.#space();
			if (!this.#take(")")) {
				do {
					this.#space();
					args.push({ offset: this.at, value: this.#argument(open) });
					this.#space();
				} while (args.length < 8 && this.#take(","));
				if (!this.#take(")")) throw this.#unexpected(open);
			}
		}
		return { name, offset, args };
	}

	#argument(open: number): Argument {
		if (this.#isQuote()) return this.#string();
		const start = this.at;
		const number = this.#number();
		if (number !== undefined) return number;
		switch (this.#identifier()) {
			case "true":
				return true;
			case "false":
				return false;
			case "null":
				return null;
			case undefined:
				this.#failIfOver(open);
				throw new SyntaxProblem(
					"a filter's argument must be text in quotes, a number, true, false or null; that of default may be a reference",
					start,
					/[[{]/.test(this.#text[start] ?? "") ? LIST_HINT : undefined,
				);
		}
		this.at = start;
		return { kind: "path", steps: this.#path(open) };
	}

	#number(): number | undefined {
		const start = this.at;
		const first = this.#text[start] === "-" ? start + 1 : start;
		let end = this.#digitsEnd(first);
		if (end === first) return undefined;
		if (this.#text[end] === ".") {
			const fraction = this.#digitsEnd(end + 1);
			if (fraction === end + 1) throw new SyntaxProblem("expected a digit after the decimal point", fraction);
			end = fraction;
		}
		if (end - start > 30) throw new SyntaxProblem("the number is too long", start);
		this.at = end;
		return Number(this.#text.slice(start, end));
	}

	#digitsEnd(from: number): number {
		let end = from;
		while (end < this.#text.length && this.#text.charCodeAt(end) >= 48 && this.#text.charCodeAt(end) <= 57)
			end++;
		return end;
	}

	#string(): string {
		const open = this.at;
		const quote = this.#text[open] as string;
		let value = "";
		let from = open + 1;
		for (let at = from; at < this.#text.length; at++) {
			const character = this.#text[at];
			if (character === quote) {
				value += this.#text.slice(from, at);
				if (!value.isWellFormed()) throw new SyntaxProblem("the text contains an unpaired surrogate", open);
				this.at = at + 1;
				return value;
			}
			if (character !== "\\") continue;
			value += this.#text.slice(from, at);
			const escaped = this.#escape(at);
			value += escaped.value;
			at = escaped.end - 1;
			from = escaped.end;
		}
		throw new SyntaxProblem(`the text that starts here has no closing ${quote}`, open);
	}

	#escape(at: number): { value: string; end: number } {
		const letter = this.#text[at + 1] ?? "";
		if (letter === "u") {
			const hex = this.#text.slice(at + 2, at + 6);
			if (/^[0-9a-fA-F]{4}$/.test(hex))
				return { value: String.fromCharCode(Number.parseInt(hex, 16)), end: at + 6 };
		}
		const value = ESCAPES.get(letter);
		if (value !== undefined) return { value, end: at + 2 };
		throw new SyntaxProblem(
			"unknown escape sequence",
			at,
			"known escapes: \\\\ \\\" \\' \\n \\r \\t and \\u00e9",
		);
	}

	#identifier(): string | undefined {
		const end = identifierEnd(this.#text, this.at);
		if (end === this.at) return undefined;
		const name = this.#text.slice(this.at, end);
		this.at = end;
		return name;
	}

	#isQuote(): boolean {
		return this.#text[this.at] === '"' || this.#text[this.at] === "'";
	}

	#take(token: string): boolean {
		if (!this.#text.startsWith(token, this.at)) return false;
		this.at += token.length;
		return true;
	}

	#space(): void {
		while (this.at < this.#text.length && " \t\n\r".includes(this.#text[this.at] as string)) this.at++;
	}

	#failIfOver(open: number): void {
		if (this.at >= this.#text.length) throw new SyntaxProblem("{{ has no closing }}", open, BRACES_HINT);
	}

	#unexpected(open: number): SyntaxProblem {
		if (this.at >= this.#text.length) return new SyntaxProblem("{{ has no closing }}", open, BRACES_HINT);
		const character = String.fromCodePoint(this.#text.codePointAt(this.at) as number).toWellFormed();
		const before = this.#text.slice(Math.max(open + OPEN.length, this.at - MAX_CONTEXT), this.at);
		return new SyntaxProblem(
			`unexpected ${JSON.stringify(character)} in a reference`,
			this.at,
			findReferenceHint(before, this.#text, this.at),
		);
	}
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
	["\\", "\\"],
	['"', '"'],
	["'", "'"],
	["n", "\n"],
	["r", "\r"],
	["t", "\t"],
]);
