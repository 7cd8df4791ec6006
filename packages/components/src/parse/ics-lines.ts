import type { Meter } from "@tripline/engine/meter";
import { TerminalError } from "@tripline/engine/terminal-error";

/** A content line such as `DTSTART;TZID=Europe/Berlin:20260302T090000`. */
export interface IcsLine {
	/** In upper case. */
	readonly name: string;
	/** What follows the name. */
	readonly rest: string;
	/** Where it begins, from 1. */
	readonly line: number;
}

export interface IcsProperty {
	readonly value: string;
	/** By name in upper case. */
	readonly params: ReadonlyMap<string, string>;
	readonly line: number;
}

const NAME = /^[A-Za-z0-9-]+(?=[:;])/;
const PARAMETER = /;([A-Za-z0-9-]+)=("[^"]*"(?:,"[^"]*")*|[^";:]*)/y;
const UNITS_PER_LINE = 24;
const UNITS_PER_PARAMETER = 16;
const UNITS_PER_ESCAPE = 4;

/** Joins folded lines: a line that begins with white space continues the one before. Blank lines are skipped. */
export function* readLines(text: string, meter: Meter): Generator<IcsLine> {
	let written = "";
	let first = 1;
	let at = text.startsWith("\uFEFF") ? 1 : 0;
	for (let line = 1; at < text.length; line++) {
		meter.spend(UNITS_PER_LINE);
		const found = text.indexOf("\n", at);
		const end = found === -1 ? text.length : found;
		const part = text.slice(at, text[end - 1] === "\r" && end > at ? end - 1 : end);
		at = end + 1;
		if (part.startsWith(" ") || part.startsWith("\t")) {
			written += part.slice(1);
			continue;
		}
		if (written.trim() !== "") yield splitName(written, first);
		written = part;
		first = line;
	}
	if (written.trim() !== "") yield splitName(written, first);
}

function splitName(written: string, line: number): IcsLine {
	const name = NAME.exec(written)?.[0];
	if (name === undefined) throw createIcsError(line, "expected a name and a colon, such as SUMMARY:Lunch");
	return { name: name.toUpperCase(), rest: written.slice(name.length), line };
}

export function readProperty({ rest, line }: IcsLine, meter: Meter): IcsProperty {
	meter.spend(rest.length / 16);
	const params = new Map<string, string>();
	let at = 0;
	while (rest[at] === ";") {
		meter.spend(UNITS_PER_PARAMETER);
		PARAMETER.lastIndex = at;
		const found = PARAMETER.exec(rest);
		if (found === null) throw createIcsError(line, "a parameter is not written as ;NAME=value");
		const [whole, name = "", value = ""] = found;
		const key = name.toUpperCase();
		if (!params.has(key)) params.set(key, decodeParameter(value));
		at += whole.length;
	}
	if (rest[at] !== ":") throw createIcsError(line, "expected a colon before the value");
	return { value: rest.slice(at + 1).trim(), params, line };
}

/** Quotes are removed, and `^n`, `^'` and `^^` decoded (RFC 6868). */
const decodeParameter = (value: string): string =>
	value
		.replace(/"/g, "")
		.replace(/\^([n'^])/g, (_, character: string) =>
			character === "n" ? "\n" : character === "'" ? '"' : "^",
		);

/** Decodes `\n`, `\,`, `\;` and `\\`; any other backslash is left as it is. */
export function decodeText(text: string, meter: Meter): string {
	let decoded = "";
	let from = 0;
	for (let at = text.indexOf("\\"); at !== -1; at = text.indexOf("\\", from)) {
		meter.spend(UNITS_PER_ESCAPE);
		const next = text[at + 1] ?? "";
		const isBreak = next === "n" || next === "N";
		const isEscape = isBreak || next === "," || next === ";" || next === "\\";
		decoded += text.slice(from, at) + (isBreak ? "\n" : isEscape ? next : `\\${next}`);
		from = at + 2;
	}
	return decoded + text.slice(from);
}

export const createIcsError = (line: number, what: string): TerminalError =>
	new TerminalError(`not iCalendar, line ${line}: ${what}`);
