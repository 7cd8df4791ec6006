import { Meter, TooMuchWork } from "@tripline/engine/meter";
import { Parser } from "acorn";

export interface SyntaxNode {
	readonly type: string;
	readonly start: number;
	readonly end: number;
	readonly [field: string]: unknown;
}

/** Why code is not the body of a function. */
export interface CodeProblem {
	readonly problem: string;
	/** Position in the code. */
	readonly offset: number;
}

/** The function whose body the code is; positions in it are shifted by `CODE_START`. */
interface ParsedCode {
	readonly main: SyntaxNode;
}

/** For one text: 25 milliseconds. */
const MAX_UNITS = 1_000_000;
const UNITS_PER_TOKEN = 15;
const UNITS_PER_SCOPE = 2;
const NAMES_PER_UNIT = 4;

const BEFORE = "(async function (input) {";
/** The engine reads the code as the body of this function. */
const wrapCode = (code: string): string => `${BEFORE}${code}\n})`;
export const CODE_START = BEFORE.length;

/** The part of acorn's parser that the meter needs; the types of the package leave it out. */
interface ParserState {
	readonly scopeStack: readonly unknown[];
	readonly labels: readonly unknown[];
	currentScope(): Readonly<Record<"var" | "lexical" | "functions", readonly string[]>>;
	parse(): unknown;
	nextToken(): void;
	declareName(...declared: unknown[]): void;
	validateRegExpFlags(state: unknown): void;
	validateRegExpPattern(state: unknown): void;
}

const Base = Parser as unknown as new (
	options: { readonly ecmaVersion: "latest" },
	text: string,
) => ParserState;

/** A parser that spends for every token, and for what it compares a declared name and a label with. */
class MeteredParser extends Base {
	meter = new Meter(MAX_UNITS);

	override nextToken(): void {
		this.meter.spend(UNITS_PER_TOKEN + this.labels.length / NAMES_PER_UNIT);
		super.nextToken();
	}

	override declareName(...declared: unknown[]): void {
		const scope = this.currentScope();
		const names = scope.var.length + scope.lexical.length + scope.functions.length;
		this.meter.spend(UNITS_PER_SCOPE * this.scopeStack.length + names / NAMES_PER_UNIT);
		super.declareName(...declared);
	}

	/** Regular expressions are left to the platform: checking them takes quadratic time here. */
	override validateRegExpFlags(): void {}
	override validateRegExpPattern(): void {}
}

/** Null if the code is too complex to be parsed in time, which says nothing about whether it runs. */
export function parseCode(code: string, meter: Meter): ParsedCode | CodeProblem | null {
	// The parser converts a literal with an `n` to a bigint, which takes quadratic time.
	if (/\d{2000}/.test(code)) return null;
	const text = wrapCode(code);
	const parser = new MeteredParser({ ecmaVersion: "latest" }, text);
	try {
		const { body } = parser.parse() as { readonly body: readonly SyntaxNode[] };
		const main = (body[0]?.expression as SyntaxNode | undefined) ?? body[0];
		const isWhole = body.length === 1 && main?.type === "FunctionExpression" && main.end === text.length - 1;
		if (!isWhole) return { problem: "it closes a brace that it did not open", offset: code.length };
		return { main };
	} catch (error) {
		if (error instanceof TooMuchWork || error instanceof RangeError) return null;
		const { message, pos = 0 } = error as Error & { readonly pos?: number };
		if (message.startsWith(NO_STACK)) return null;
		// What is missing at the end is noticed after it.
		const last = Math.max(0, code.trimEnd().length - 1);
		const offset = Math.min(Math.max(0, pos - CODE_START), last);
		return { problem: message.replace(/ \(\d+:\d+\)$/, ""), offset };
	} finally {
		meter.spend(MAX_UNITS - Math.max(0, parser.meter.left));
	}
}

const NO_STACK = "Not enough stack space";
