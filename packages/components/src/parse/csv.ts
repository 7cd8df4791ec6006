import type { Json } from "@tripline/contract/json";
import type { Meter } from "@tripline/engine/meter";
import { TerminalError } from "@tripline/engine/terminal-error";
import { OutputRoom, READ_FEWER_ROWS } from "./output-room.ts";
import { RowWindow, type WindowOptions } from "./row-window.ts";

export interface CsvOptions extends WindowOptions {
	/** The format's name in errors; default CSV. */
	readonly name?: "CSV" | "TSV";
	/** One character. */
	readonly delimiter: string;
	/** Whether the first row holds the column names. */
	readonly header: boolean;
}

interface Row {
	readonly line: number;
	readonly fields: readonly string[];
}

/** Of a row, so that a quote which is never closed does not hold a whole file. */
const MAX_ROW_CHARACTERS = 4 * 1024 * 1024;

const MANY_COLUMNS = 100;
const [LINE_FEED, RETURN, QUOTE] = [10, 13, 34];
/** Says that the text read so far ends inside a row. */
const INCOMPLETE = Symbol();

/** RFC 4180 with any delimiter and line ending. Empty lines are skipped. All values are text. */
export function parseCsv(text: string, options: CsvOptions, meter: Meter): Json[] {
	const reader = new CsvReader(options, meter);
	reader.read(text, true);
	return reader.values;
}

/** Reads CSV in pieces of any length. */
export class CsvReader {
	readonly values: Json[] = [];
	private readonly options: CsvOptions;
	private readonly name: string;
	private readonly delimiter: number;
	private readonly meter: Meter;
	private readonly window: RowWindow;
	private readonly room = new OutputRoom(READ_FEWER_ROWS);
	private first: Row | null = null;
	/** Characters of all column names. */
	private nameCharacters = 0;
	private text = "";
	private at = 0;
	private line = 1;
	private isLast = false;
	private isStarted = false;
	/** Reading an incomplete row again is only worth it once there is twice as much of it. */
	private tryAgainAt = 0;

	constructor(options: CsvOptions, meter: Meter) {
		this.options = options;
		this.name = options.name ?? "CSV";
		this.delimiter = options.delimiter.charCodeAt(0);
		this.meter = meter;
		this.window = new RowWindow(options);
	}

	/** Whether all wanted rows have been read. */
	get isDone(): boolean {
		return this.window.isOver;
	}

	/** The last piece may be empty. */
	read(piece: string, isLast: boolean): void {
		this.text = (this.at === 0 ? this.text : this.text.slice(this.at)) + piece;
		this.at = 0;
		this.isLast = isLast;
		if (!isLast && this.text.length < Math.min(this.tryAgainAt, MAX_ROW_CHARACTERS)) return;
		if (!this.isStarted && this.text !== "") {
			this.isStarted = true;
			if (this.text.startsWith("\uFEFF")) this.at = 1;
		}
		while (this.at < this.text.length && !this.isDone) {
			const start = this.at;
			const { line } = this;
			const row = this.readRow();
			if (this.at - start > MAX_ROW_CHARACTERS)
				throw this.createError(
					line,
					`a row of more than ${MAX_ROW_CHARACTERS} characters; is a quote missing?`,
				);
			if (row === INCOMPLETE) {
				this.at = start;
				this.line = line;
				break;
			}
			if (row !== null) this.takeRow(row);
		}
		this.tryAgainAt = 2 * (this.text.length - this.at);
	}

	/** Null for an empty line. */
	private readRow(): Row | null | typeof INCOMPLETE {
		if (this.isAtLineEnd()) {
			this.meter.spend(1);
			return this.skipLineEnd() ? null : INCOMPLETE;
		}
		const { line } = this;
		const fields: string[] = [];
		for (;;) {
			const field = this.readField();
			if (field === INCOMPLETE) return INCOMPLETE;
			fields.push(field);
			if (this.text.charCodeAt(this.at) !== this.delimiter) break;
			this.at++;
		}
		this.meter.spend(16);
		return this.skipLineEnd() ? { line, fields } : INCOMPLETE;
	}

	private readField(): string | typeof INCOMPLETE {
		const field = this.text.charCodeAt(this.at) === QUOTE ? this.readQuoted() : this.readPlain();
		this.meter.spend(4 + (field === INCOMPLETE ? this.text.length - this.at : field.length) / 8);
		return field;
	}

	private readPlain(): string {
		const { text, delimiter } = this;
		const start = this.at;
		let at = start;
		for (; at < text.length; at++) {
			const code = text.charCodeAt(at);
			if (code === delimiter || code === LINE_FEED || code === RETURN) break;
			if (code === QUOTE) {
				throw this.createError(
					this.line,
					"a quote inside a value: put the whole value in quotes and double each quote",
				);
			}
		}
		this.at = at;
		return text.slice(start, at);
	}

	private readQuoted(): string | typeof INCOMPLETE {
		const { text } = this;
		const start = this.at + 1;
		let hasDoubled = false;
		let end = text.indexOf('"', start);
		while (end !== -1 && text.charCodeAt(end + 1) === QUOTE) {
			hasDoubled = true;
			end = text.indexOf('"', end + 2);
		}
		// A quote at the very end may be the first of two.
		if (!this.isLast && (end === -1 || end + 1 === text.length)) {
			this.at = text.length;
			return INCOMPLETE;
		}
		if (end === -1) throw this.createError(this.line, "an opening quote is never closed");
		const value = text.slice(start, end);
		this.line += countLineEnds(value);
		this.at = end + 1;
		if (this.at < text.length && text.charCodeAt(this.at) !== this.delimiter && !this.isAtLineEnd())
			throw this.createError(this.line, "unexpected text after a closing quote");
		return hasDoubled ? value.replaceAll('""', '"') : value;
	}

	private isAtLineEnd(): boolean {
		const code = this.text.charCodeAt(this.at);
		return code === LINE_FEED || code === RETURN;
	}

	/** Whether the line ends here for sure; the end of the last piece ends a line too. */
	private skipLineEnd(): boolean {
		const { text } = this;
		if (this.at >= text.length) return this.isLast;
		if (text.charCodeAt(this.at) === RETURN) {
			if (this.at + 1 === text.length && !this.isLast) return false;
			if (text.charCodeAt(this.at + 1) === LINE_FEED) this.at++;
		}
		this.at++;
		this.line++;
		return true;
	}

	private takeRow(row: Row): void {
		const { header } = this.options;
		if (this.first === null) {
			this.first = row;
			this.nameCharacters = row.fields.reduce((sum, { length }) => sum + length, 0);
			if (header) {
				this.assertNames(row);
				return;
			}
		}
		this.assertWidth(row, this.first);
		if (this.window.takeNext()) this.addValue(row.fields, this.first.fields);
	}

	private addValue(fields: readonly string[], names: readonly string[]): void {
		const characters = fields.reduce((sum, { length }) => sum + length, 0);
		const count = fields.length;
		if (!this.options.header) {
			this.room.take(2 + characters + 3 * count, 40 + characters + 40 * count);
			this.values.push([...fields]);
			return;
		}
		// With this many keys the engine stores each object as a hash table.
		this.meter.spend((count > MANY_COLUMNS ? 16 : 4) * count);
		// Column names are repeated in every row, so a short text can become a very large value.
		this.room.take(2 + characters + this.nameCharacters + 6 * count, 64 + characters + 64 * count);
		this.values.push(Object.fromEntries(names.map((name, column) => [name, fields[column] as string])));
	}

	private assertWidth(row: Row, first: Row): void {
		if (row.fields.length === first.fields.length) return;
		const question = this.name === "CSV" ? "is the delimiter right?" : "is a tab between the values?";
		throw this.createError(
			row.line,
			`${describeValues(row)} where line ${first.line} has ${first.fields.length}; ${question}`,
		);
	}

	private assertNames({ line, fields }: Row): void {
		const seen = new Set<string>();
		fields.forEach((name, column) => {
			if (name === "")
				throw this.createError(line, `column ${column + 1} has no name; name it, or use header: false`);
			if (seen.has(name))
				throw this.createError(line, `two columns are named ${name}; rename one, or use header: false`);
			seen.add(name);
		});
	}

	private createError(line: number, what: string): TerminalError {
		return new TerminalError(`not ${this.name}, line ${line}: ${what}`);
	}
}

function countLineEnds(text: string): number {
	let count = 0;
	for (let at = 0; at < text.length; at++) {
		if (text[at] === "\n" || (text[at] === "\r" && text[at + 1] !== "\n")) count++;
	}
	return count;
}

const describeValues = ({ fields }: Row): string =>
	fields.length === 1 ? "1 value" : `${fields.length} values`;
