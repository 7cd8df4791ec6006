import type { Json } from "@tripline/contract/json";
import type { Meter } from "@tripline/engine/meter";
import { TerminalError } from "@tripline/engine/terminal-error";

export interface CsvOptions {
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

/** Column names are repeated in every row, so a short text can become a very large value. */
const MAX_NAME_CHARACTERS = 16 * 1024 * 1024;

const MANY_COLUMNS = 100;

/** RFC 4180 with any delimiter and line ending. Empty lines are skipped. All values are text. */
export function parseCsv(text: string, options: CsvOptions, meter: Meter): Json[] {
	const rows = readRows(text, options, meter);
	const [first, ...rest] = rows;
	if (first === undefined) return [];
	for (const row of rest) assertWidth(row, first, options);
	if (!options.header) return rows.map(({ fields }) => [...fields]);
	assertNames(first, options);
	if (first.fields.join("").length * rest.length > MAX_NAME_CHARACTERS) {
		throw new TerminalError("the column names are too long for that many rows; use header: false");
	}
	// With this many keys the engine stores each object as a hash table.
	const unitsPerField = first.fields.length > MANY_COLUMNS ? 16 : 4;
	return rest.map(({ fields }) => {
		meter.spend(unitsPerField * fields.length);
		return Object.fromEntries(first.fields.map((name, column) => [name, fields[column] as string]));
	});
}

function readRows(text: string, { name = "CSV", delimiter }: CsvOptions, meter: Meter): Row[] {
	const rows: Row[] = [];
	let at = text.startsWith("\uFEFF") ? 1 : 0;
	let line = 1;
	while (at < text.length) {
		if (isLineEnd(text[at])) {
			meter.spend(1);
			skipLineEnd();
			continue;
		}
		const start = line;
		const fields = [readField()];
		while (text[at] === delimiter) {
			at++;
			fields.push(readField());
		}
		meter.spend(16);
		rows.push({ line: start, fields });
		if (at < text.length) skipLineEnd();
	}
	return rows;

	function readField(): string {
		const field = text[at] === '"' ? readQuoted() : readPlain();
		meter.spend(4 + field.length / 8);
		return field;
	}

	function readPlain(): string {
		const start = at;
		while (at < text.length && text[at] !== delimiter && !isLineEnd(text[at])) {
			if (text[at] === '"') {
				throw createError(
					name,
					line,
					"a quote inside a value: put the whole value in quotes and double each quote",
				);
			}
			at++;
		}
		return text.slice(start, at);
	}

	function readQuoted(): string {
		const startLine = line;
		let value = "";
		for (;;) {
			const start = at + 1;
			at = text.indexOf('"', start);
			if (at === -1) throw createError(name, startLine, "an opening quote is never closed");
			const part = text.slice(start, at);
			value += part;
			line += countLineEnds(part);
			at++;
			if (text[at] !== '"') break;
			value += '"';
		}
		if (at < text.length && text[at] !== delimiter && !isLineEnd(text[at])) {
			throw createError(name, line, "unexpected text after a closing quote");
		}
		return value;
	}

	function skipLineEnd(): void {
		at += text[at] === "\r" && text[at + 1] === "\n" ? 2 : 1;
		line++;
	}
}

const isLineEnd = (character: string | undefined): boolean => character === "\n" || character === "\r";

function countLineEnds(text: string): number {
	let count = 0;
	for (let at = 0; at < text.length; at++) {
		if (text[at] === "\n" || (text[at] === "\r" && text[at + 1] !== "\n")) count++;
	}
	return count;
}

function assertWidth(row: Row, first: Row, { name = "CSV" }: CsvOptions): void {
	if (row.fields.length === first.fields.length) return;
	const question = name === "CSV" ? "is the delimiter right?" : "is a tab between the values?";
	throw createError(
		name,
		row.line,
		`${describeValues(row)} where line ${first.line} has ${first.fields.length}; ${question}`,
	);
}

function assertNames({ line, fields }: Row, { name: format = "CSV" }: CsvOptions): void {
	const seen = new Set<string>();
	fields.forEach((name, column) => {
		if (name === "")
			throw createError(format, line, `column ${column + 1} has no name; name it, or use header: false`);
		if (seen.has(name))
			throw createError(format, line, `two columns are named ${name}; rename one, or use header: false`);
		seen.add(name);
	});
}

const describeValues = ({ fields }: Row): string =>
	fields.length === 1 ? "1 value" : `${fields.length} values`;

const createError = (format: string, line: number, what: string): TerminalError =>
	new TerminalError(`not ${format}, line ${line}: ${what}`);
