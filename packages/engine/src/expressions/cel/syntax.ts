import { type ASTNode, Environment, ParseError } from "@marcbachmann/cel-js";
import { continuesIdentifier } from "../identifiers.ts";
import type { TextProblem } from "../problem.ts";
import { findSyntaxHint, readWordAt } from "./hints.ts";

export type { ASTNode };

const MAX_EXPRESSION_LENGTH = 4096;
const MAX_PARENTHESES = 40;

const environment = new Environment({
	unlistedVariablesAreDyn: true,
	limits: { maxDepth: MAX_PARENTHESES, maxAstNodes: MAX_EXPRESSION_LENGTH },
});

/**
 * The library is used only for parsing. Its evaluator has no step limit, and its type registry grows with every new
 * shape of data.
 */
export function parseExpression(text: string): ASTNode | TextProblem {
	if (text.trim() === "") return { code: "bad_expression", message: "the expression is empty", offset: 0 };
	if (text.length > MAX_EXPRESSION_LENGTH)
		return {
			code: "bad_expression",
			message: `the expression has more than ${MAX_EXPRESSION_LENGTH} characters`,
			offset: MAX_EXPRESSION_LENGTH,
		};
	try {
		return environment.parse(maskNames(text)).ast;
	} catch (error) {
		if (!(error instanceof ParseError)) throw error;
		return toSyntaxProblem(error, text);
	}
}

/**
 * The parser accepts only ASCII names. Other letters outside quotes become underscores, one for each UTF-16 unit, so
 * that offsets stay the same; names are then read from the original text.
 */
function maskNames(text: string): string {
	if (!/[^\x20-\x7e\s]/.test(text)) return text;
	let result = "";
	let at = 0;
	while (at < text.length) {
		const code = text.codePointAt(at) as number;
		const end = findSkipEnd(text, at) ?? at + (code > 0xffff ? 2 : 1);
		result += code >= 0x80 && continuesIdentifier(code) ? "_".repeat(end - at) : text.slice(at, end);
		at = end;
	}
	return result;
}

/** The end of the quoted text or comment that starts here, if one does. */
function findSkipEnd(text: string, at: number): number | undefined {
	if (text.startsWith("//", at)) {
		const end = text.indexOf("\n", at);
		return end === -1 ? text.length : end;
	}
	const quote = text[at];
	if (quote !== '"' && quote !== "'") return undefined;
	const closing = text.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
	let end = at + closing.length;
	while (end < text.length && !text.startsWith(closing, end)) end += text[end] === "\\" ? 2 : 1;
	return Math.min(end + closing.length, text.length);
}

const TOKENS: Readonly<Record<string, string>> = {
	EOF: "the end",
	NUMBER: "a number",
	STRING: "text",
	BOOLEAN: "true or false",
	NULL: "null",
	IDENTIFIER: "a name",
	BYTES: "bytes",
	IN: '"in"',
	LPAREN: '"("',
	RPAREN: '")"',
	LBRACKET: '"["',
	RBRACKET: '"]"',
	LBRACE: '"{"',
	RBRACE: '"}"',
	DOT: '"."',
	COMMA: '","',
	COLON: '":"',
	QUESTION: '"?"',
};

function toSyntaxProblem(error: ParseError, text: string): TextProblem {
	const offset = Math.min(error.range?.start ?? 0, text.length);
	const hint = findSyntaxHint(text, offset, error.code);
	return {
		code: "bad_expression",
		message: describeSyntaxError(error, text, offset),
		offset,
		...(hint === undefined ? {} : { hint }),
	};
}

function describeSyntaxError(error: ParseError, text: string, offset: number): string {
	const here = offset >= text.length ? "the end" : JSON.stringify(readWordAt(text, offset));
	if (offset >= text.trimEnd().length && /^(?:expected_token|unexpected_token)$/.test(error.code))
		return "the expression ends too early";
	const expected = /^Expected (\w+),/.exec(error.summary)?.[1];
	if (expected !== undefined)
		return expected === "EOF"
			? `unexpected ${here}`
			: `expected ${TOKENS[expected] ?? expected} before ${here}`;
	switch (error.code) {
		case "unexpected_token":
		case "unexpected_character":
			return `unexpected ${here}`;
		case "limit_exceeded":
			return error.summary.includes("maxDepth")
				? "the expression nests too deeply"
				: "the expression has too many parts";
		case "invalid_macro_argument":
			return `the first argument must be a name, not ${here}`;
		case "reserved_identifier":
			return `${here} is a reserved word`;
		default:
			return `${error.summary.charAt(0).toLowerCase()}${error.summary.slice(1)}`;
	}
}
