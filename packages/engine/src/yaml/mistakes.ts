import type { ErrorCode } from "yaml";
import { quoteText } from "../diagnostics.ts";
import { findBlockValue, findFlowValue, type Line, readLine, suggestQuotes, type Value } from "./quoting.ts";
import { findOpen, type Marks } from "./tokens.ts";

/** A mistake in the text, with what to write instead. */
export interface Mistake {
	/** Offset into the source. */
	readonly offset: number;
	readonly message: string;
	readonly hint: string;
}

export interface SyntaxProblem {
	readonly code: ErrorCode;
	readonly message: string;
	readonly pos: readonly [number, number];
}

/** Finds the mistake that caused a syntax error. The parser notices many of them only at a later place. */
export function findMistake(text: string, marks: Marks, problem: SyntaxProblem): Mistake {
	const offset = Math.min(problem.pos[0], text.length);
	const line = readLine(text, offset);
	const open = findOpen(text, marks, offset);
	return (
		findTab(line) ??
		findUnclosedQuote(text, marks, problem) ??
		findTemplate(text, line, open, offset) ??
		(open.length === 0 ? findInBlock(text, line, problem) : findInFlow(text, open, problem)) ?? {
			offset,
			message: problem.message,
			hint: FALLBACK_HINT,
		}
	);
}

const FALLBACK_HINT =
	"Check the indentation, quotes and brackets here; quote a text that has any of : # { } [ ] , & * ! | > % @";

function findTab({ start, text }: Line): Mistake | undefined {
	const tab = /^ *\t/.exec(text)?.[0];
	if (tab === undefined) return undefined;
	const message = "a tab is used as indentation, but YAML allows only spaces";
	return { offset: start + tab.length - 1, message, hint: "Indent with spaces, two for each level" };
}

/** A quote that is not closed ends at the next one, lines later, or at the end of the block. */
function findUnclosedQuote(text: string, { quotes }: Marks, { code, message, pos }: SyntaxProblem) {
	const before = quotes.findLast(({ start }) => start < pos[0]);
	if (before === undefined) return undefined;
	const isUnclosed = code === "MISSING_CHAR" && message.startsWith("Missing closing");
	const isSuspect = before.end <= pos[0] && !text.slice(before.end, pos[0]).includes("\n");
	if (!isUnclosed && !isSuspect) return undefined;
	const quote = text[before.start] as string;
	return {
		offset: before.start,
		message: `the quote ${quote} that opens here is not closed`,
		hint: `Close it with ${quote} at the end of the text`,
	};
}

/** `{{x}}` without quotes: for YAML two maps, one inside the other. */
function findTemplate(text: string, line: Line, open: readonly number[], offset: number) {
	const [outer, inner] = open.slice(-2);
	if (outer !== undefined && inner === outer + 1) return describeTemplate(text, open.slice(0, -2), outer);
	if (open.length > 0 && text.startsWith("{{", offset)) return describeTemplate(text, open, offset);
	const value = findBlockValue(line);
	return open.length === 0 && value.text.startsWith("{{")
		? describeTemplate(text, open, value.start)
		: undefined;
}

/** `open` are the brackets around the template, `offset` is where it starts. */
export function describeTemplate(text: string, open: readonly number[], offset: number): Mistake {
	const value = findValue(text, open, offset);
	const message = 'a value that starts with "{{" must be in quotes';
	return { offset, message, hint: suggestQuotes(value) };
}

export function describeTag(text: string, marks: Marks, offset: number): Mistake {
	const value = findValue(text, findOpen(text, marks, offset), offset);
	if (text.startsWith("!!", offset) || !value.text.startsWith("!")) {
		const message = "only plain data is allowed, without custom tags";
		return { offset, message, hint: "Delete the tag" };
	}
	const message = `${quoteText(value.text)} starts with "!", which marks a tag in YAML; tags are not allowed`;
	return { offset, message, hint: suggestQuotes(value) };
}

/** A hint for an alias that may have been meant as text, such as `*bold*`. */
export const suggestQuotesAt = (text: string, marks: Marks, offset: number): string =>
	suggestQuotes(findValue(text, findOpen(text, marks, offset), offset));

function findValue(text: string, open: readonly number[], offset: number): Value {
	const around = open.at(-1);
	return around === undefined
		? findBlockValue(readLine(text, offset))
		: findFlowValue(text, around + 1, offset);
}

function findInFlow(text: string, open: readonly number[], { message, pos }: SyntaxProblem) {
	const around = open.at(-1) as number;
	const bracket = text[around] as string;
	const value = findFlowValue(text, around + 1, pos[0]);
	const letter = text[pos[0]] ?? "";
	const isInside = pos[0] > value.start && value.text !== "";
	if (/^["']/.test(value.text) && isInside) return describeAfterQuote(value);
	if (isInside && "[{".includes(letter) && letter !== "") {
		const text = `${quoteText(letter)} cannot be part of an unquoted value inside ${bracket === "{" ? "{ }" : "[ ]"}`;
		return { offset: pos[0], message: text, hint: suggestQuotes(value) };
	}
	if (/\bend with a [\]}]$/.test(message)) {
		const closer = bracket === "{" ? "}" : "]";
		const hint = `Close it with ${closer}, or put the text in quotes if it is not meant as a ${bracket === "{" ? "map" : "list"}`;
		return { offset: around, message: `the bracket ${bracket} that opens here is not closed`, hint };
	}
	if (!isInside) return undefined;
	return {
		offset: value.start,
		message: `this value cannot be read: ${message}`,
		hint: suggestQuotes(value),
	};
}

function findInBlock(text: string, line: Line, { code, message, pos }: SyntaxProblem): Mistake | undefined {
	const value = findBlockValue(line);
	const at = (message: string, hint: string): Mistake => ({ offset: value.start, message, hint });
	if (code === "BAD_DQ_ESCAPE") {
		const hint = 'Write "\\\\" for a backslash, or use single quotes';
		return { offset: pos[0], message, hint };
	}
	if (/^["']/.test(value.text) && pos[0] > value.start) return describeAfterQuote(value);
	if (/^[@`%]/.test(value.text)) {
		return at(`a value cannot start with ${quoteText(value.text.slice(0, 1))}`, suggestQuotes(value));
	}
	if (/^[|>](?![-+\d]*(?: +#.*)?$)/.test(value.text)) {
		return at(`"${value.text.slice(0, 1)}" starts a text of several lines in YAML`, suggestQuotes(value));
	}
	const closer = /[\]}]/.test(text[pos[0]] ?? "") ? (text[pos[0]] as string) : undefined;
	if (closer !== undefined) {
		const hint = "Delete it, or put the whole value in quotes";
		return { offset: pos[0], message: `"${closer}" closes no bracket that was opened before it`, hint };
	}
	if (KEY_CODES.includes(code)) return findInKey(text, line, value);
	if (code === "BAD_INDENT" || /same column|indented/.test(message)) return describeIndent(text, line);
	return undefined;
}

/** Codes of the parser for a line that should have been `key: value`. */
const KEY_CODES: readonly ErrorCode[] = ["BLOCK_AS_IMPLICIT_KEY", "MULTILINE_IMPLICIT_KEY", "MISSING_CHAR"];

function findInKey(text: string, line: Line, value: Value): Mistake | undefined {
	const glued = /^(\s*(?:- +)*)([\w-]+):(?!\/\/)(\S.*)$/.exec(line.text);
	if (glued !== null) {
		const [, before = "", key = "", rest = ""] = glued;
		const offset = line.start + before.length + key.length;
		return { offset, message: 'a space is missing after ":"', hint: `Write ${key}: ${rest}` };
	}
	const colon = value.text.indexOf(": ");
	if (value.key.endsWith(":") && colon !== -1) {
		const message = 'the value contains ": ", which starts another key in YAML';
		return { offset: value.start + colon, message, hint: suggestQuotes(value) };
	}
	const next = readNextLine(text, line);
	if (next !== undefined && getIndent(next) > getIndent(line) && value.text !== "")
		return describeIndent(text, next);
	if (value.key.endsWith(":")) return undefined;
	const offset = line.start + getIndent(line);
	return { offset, message: 'this line has no ":" after a key', hint: "Write key: value" };
}

function describeIndent(text: string, line: Line): Mistake {
	const before = readLineBefore(text, line);
	const offset = line.start + getIndent(line);
	const hint = `Align it with the lines it belongs to; the line above starts with ${getIndent(before)} spaces`;
	return { offset, message: "the indentation of this line fits no line above it", hint };
}

const OPERATOR = /^\s*(?:[-+*/%<>=!&|?]|in\b)/;

/** `'it's'`, or an expression that starts with a quoted text. */
function describeAfterQuote(value: Value): Mistake {
	const quote = value.text.slice(0, 1);
	const close = value.text.indexOf(quote, 1);
	const isText = value.text.endsWith(quote) && !OPERATOR.test(value.text.slice(close + 1));
	const meant = isText ? value.text.slice(1, -1) : value.text;
	return {
		offset: value.start + Math.max(0, close),
		message: "the value continues after its closing quote",
		hint: suggestQuotes(value, meant),
	};
}

const getIndent = ({ text }: Line): number => text.length - text.trimStart().length;

function readNextLine(text: string, { start }: Line): Line | undefined {
	const end = text.indexOf("\n", start);
	return end === -1 ? undefined : readLine(text, end + 1);
}

function readLineBefore(text: string, { start }: Line): Line {
	let line = readLine(text, Math.max(0, start - 1));
	for (let count = 0; count < 20 && line.start > 0 && line.text.trim() === ""; count++) {
		line = readLine(text, line.start - 1);
	}
	return line;
}
