import { type CST, Lexer, type LineCounter, Parser } from "yaml";
import type { Meter } from "../meter.ts";

/** A hundred times the cost of JSON. */
const UNITS_PER_LEXEME = 200;

const UNITS_PER_ESCAPE = 4;
/** The parser creates an error for each. */
const UNITS_PER_WRONG_ESCAPE = 400;
const WRONG_ESCAPE = /\\(?![0abefnrtvLNP_ "/\\\t\n\r]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8})/y;

/** What the cause of a syntax error is searched in. */
export interface Marks {
	/** Offsets of the brackets and braces that are not part of a text, in the order of the source. */
	readonly brackets: number[];
	/** Quoted texts that span lines or are not closed. */
	readonly quotes: { readonly start: number; readonly end: number }[];
}

/**
 * Yields the parser's tokens and charges for each before it is composed. Stops at the first error: those after it are
 * mostly its consequences.
 */
export function* readTokens(
	text: string,
	lines: LineCounter,
	marks: Marks,
	meter: Meter,
): Generator<CST.Token, void> {
	const parser = new Parser(lines.addNewLine);
	lines.addNewLine(0);
	let offset = 0;
	let isPlain = false;
	for (const lexeme of new Lexer().lex(text)) {
		meter.spend(UNITS_PER_LEXEME);
		if (!isPlain) markLexeme(lexeme, offset, marks, meter);
		if (isPlain || !CONTROL.includes(lexeme)) offset += lexeme.length;
		isPlain = !isPlain && lexeme === PLAIN;
		let isBroken = false;
		for (const token of parser.next(lexeme)) {
			isBroken ||= token.type === "error";
			yield token;
		}
		if (isBroken) {
			addLines(text, offset, lines, meter);
			break;
		}
	}
	yield* parser.end();
}

/** Announces an unquoted text. */
const PLAIN = "\u001f";
/** Lexemes that are not part of the source: the start of a document, an unexpected end of brackets, an unquoted text. */
const CONTROL: readonly string[] = ["\u0002", "\u0018", PLAIN];

/** The line in which the cause lies may be after the one where the parser stopped. */
function addLines(text: string, offset: number, lines: LineCounter, meter: Meter): void {
	meter.spendOnText(text.length - offset);
	for (let at = text.indexOf("\n", offset); at !== -1; at = text.indexOf("\n", at + 1)) {
		if (at >= (lines.lineStarts.at(-1) ?? 0)) lines.addNewLine(at + 1);
	}
}

function markLexeme(lexeme: string, offset: number, marks: Marks, meter: Meter): void {
	const [first] = lexeme;
	if (first === '"' || first === "'") {
		if (first === '"') spendOnEscapes(lexeme, meter);
		const isClosed = lexeme.length > 1 && lexeme.endsWith(first);
		if (!isClosed || lexeme.includes("\n")) marks.quotes.push({ start: offset, end: offset + lexeme.length });
	} else if (BRACKETS.has(lexeme)) marks.brackets.push(offset);
}

const BRACKETS: ReadonlySet<string> = new Set("[]{}");

function spendOnEscapes(quoted: string, meter: Meter): void {
	for (let at = quoted.indexOf("\\"); at !== -1; at = quoted.indexOf("\\", at + 2)) {
		WRONG_ESCAPE.lastIndex = at;
		meter.spend(WRONG_ESCAPE.test(quoted) ? UNITS_PER_WRONG_ESCAPE : UNITS_PER_ESCAPE);
	}
}

/** The brackets and braces that are open at an offset, outermost first. */
export function findOpen(text: string, { brackets }: Marks, offset: number): number[] {
	const open: number[] = [];
	for (const at of brackets) {
		if (at >= offset) break;
		if (text[at] === "[" || text[at] === "{") open.push(at);
		else open.pop();
	}
	return open;
}
