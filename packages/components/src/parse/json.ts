import { type Json, MAX_JSON_DEPTH, nestsTooDeep } from "@tripline/contract/json";
import type { Meter } from "@tripline/engine/meter";
import { TerminalError } from "@tripline/engine/terminal-error";

const UNITS_PER_LINE = 24;
const BLANK = /^[ \t\r]*$/;

export function parseJson(text: string): Json {
	const { value, problem } = parseText(skipMark(text));
	if (problem !== undefined) throw new TerminalError(`not JSON: ${problem}`);
	if (nestsTooDeep(text)) throw new TerminalError(`the JSON nests deeper than ${MAX_JSON_DEPTH} levels`);
	return value;
}

/** One JSON value per line. Blank lines are skipped. */
export function parseJsonLines(given: string, meter: Meter): Json[] {
	meter.spendOnText(32 * given.length);
	const text = skipMark(given);
	const values: Json[] = [];
	for (let line = 1, start = 0; start < text.length; line++) {
		meter.spend(UNITS_PER_LINE);
		const found = text.indexOf("\n", start);
		const end = found === -1 ? text.length : found;
		const written = text.slice(start, end);
		start = end + 1;
		if (BLANK.test(written)) continue;
		const { value, problem } = parseText(written);
		if (problem !== undefined) throw new TerminalError(`not JSON lines, line ${line}: ${problem}`);
		if (nestsTooDeep(written)) {
			throw new TerminalError(`not JSON lines, line ${line}: it nests deeper than ${MAX_JSON_DEPTH} levels`);
		}
		values.push(value);
	}
	return values;
}

function parseText(
	text: string,
): { value: Json; problem?: undefined } | { value?: undefined; problem: string } {
	try {
		return { value: JSON.parse(text) };
	} catch (error) {
		// The engine's own message would quote the text, which may be secret.
		return { problem: /end of JSON/.test(String(error)) ? "it ends too early" : "it cannot be parsed" };
	}
}

const skipMark = (text: string): string => (text.startsWith("\uFEFF") ? text.slice(1) : text);
