import { type Json, MAX_JSON_DEPTH, nestsTooDeep } from "@tripline/contract/json";
import type { Meter } from "@tripline/engine/meter";
import { estimateMemory } from "@tripline/engine/run/memory";
import { TerminalError } from "@tripline/engine/terminal-error";
import { OutputRoom, READ_FEWER_ROWS } from "./output-room.ts";
import { RowWindow, type WindowOptions } from "./row-window.ts";

const UNITS_PER_LINE = 24;
export const UNITS_PER_CHARACTER = 0.5;
const MAX_LINE_CHARACTERS = 4 * 1024 * 1024;
const BLANK = /^[ \t\r]*$/;

export function parseJson(text: string): Json {
	// Before it is parsed: millions of open brackets take long.
	if (nestsTooDeep(text)) throw new TerminalError(`the JSON nests deeper than ${MAX_JSON_DEPTH} levels`);
	const { value, problem } = parseText(skipMark(text));
	if (problem !== undefined) throw new TerminalError(`not JSON: ${problem}`);
	return value;
}

/** One JSON value per line. Blank lines are skipped. */
export function parseJsonLines(text: string, options: WindowOptions, meter: Meter): Json[] {
	const reader = new JsonLinesReader(options, meter);
	reader.read(text, true);
	return reader.values;
}

/** Reads JSON lines in pieces of any length. */
export class JsonLinesReader {
	readonly values: Json[] = [];
	private readonly meter: Meter;
	private readonly window: RowWindow;
	private readonly room = new OutputRoom(READ_FEWER_ROWS);
	private line = 1;
	/** The beginning of a line that has not ended yet. */
	private begun: string[] = [];
	private begunCharacters = 0;

	constructor(options: WindowOptions, meter: Meter) {
		this.meter = meter;
		this.window = new RowWindow(options);
	}

	/** Whether all wanted lines have been read. */
	get isDone(): boolean {
		return this.window.isOver;
	}

	/** The last piece may be empty. */
	read(piece: string, isLast: boolean): void {
		let start = 0;
		for (let end = piece.indexOf("\n"); end !== -1 && !this.isDone; end = piece.indexOf("\n", start)) {
			this.add(piece.slice(start, end));
			this.endLine();
			start = end + 1;
		}
		if (this.isDone) return;
		this.add(piece.slice(start));
		if (isLast) this.endLine();
	}

	private add(part: string): void {
		this.begun.push(part);
		this.begunCharacters += part.length;
		if (this.begunCharacters > MAX_LINE_CHARACTERS)
			throw this.createError(`it is longer than ${MAX_LINE_CHARACTERS} characters`);
	}

	private endLine(): void {
		const joined = this.begun.length === 1 ? (this.begun[0] as string) : this.begun.join("");
		const text = this.line === 1 ? skipMark(joined) : joined;
		this.meter.spend(UNITS_PER_LINE + UNITS_PER_CHARACTER * text.length);
		if (!BLANK.test(text) && this.window.takeNext()) this.addValue(text);
		this.begun = [];
		this.begunCharacters = 0;
		this.line++;
	}

	private addValue(text: string): void {
		if (nestsTooDeep(text)) throw this.createError(`it nests deeper than ${MAX_JSON_DEPTH} levels`);
		const { value, problem } = parseText(text);
		if (problem !== undefined) throw this.createError(problem);
		this.room.take(1, estimateMemory(value, Number.POSITIVE_INFINITY));
		this.values.push(value);
	}

	private createError(problem: string): TerminalError {
		return new TerminalError(`not JSON lines, line ${this.line}: ${problem}`);
	}
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
