import type { Json } from "@tripline/contract/json";
import type { Meter } from "@tripline/engine/meter";
import { type Column, formatCell, readCell, type Table } from "./rows.ts";

interface CsvOptions {
	/** One character. */
	readonly delimiter: string;
	/** Whether text that a spreadsheet would read as a formula is written as it is. */
	readonly formulas: boolean;
	/** Whether the file starts with a byte order mark. */
	readonly bom: boolean;
}

const UNITS_PER_CELL = 10;
/** What makes a spreadsheet evaluate a cell, also in its full-width form (OWASP, CSV Injection). */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;
const SIGN_OR_NUMBER = /^[+-](?:(?:\d+(?:[.,]\d+)*|[.,]\d+)(?:[eE][+-]?\d+)?%?)?$/;

/** A row can be much longer than a piece of the file should be. */
const LONG = 32_768;

/** RFC 4180: lines end with CRLF, and a value is quoted if it must be. */
export function* writeCsv(table: Table, options: CsvOptions, meter: Meter): Generator<string> {
	const { rows, columns, hasHeader } = table;
	const { delimiter, bom } = options;
	if (bom) yield "\uFEFF";
	let isFirst = true;
	if (hasHeader) yield* writeLine(({ name }) => name ?? "");
	for (const row of rows) yield* writeLine((column) => readCell(row, column));

	function* writeLine(read: (column: Column) => Json): Generator<string> {
		let line = "";
		for (let index = 0; index < columns.length; index++) {
			if (index > 0) line += delimiter;
			line += writeValue(read(columns[index] as Column));
			if (line.length < LONG) continue;
			yield line;
			line = "";
		}
		yield `${line}\r\n`;
	}

	function writeValue(value: Json): string {
		const plain = formatCell(value, meter);
		meter.spend(UNITS_PER_CELL);
		const isPlain = typeof value === "string" ? false : typeof value !== "object";
		const text = isPlain || options.formulas ? plain : disarm(plain);
		const isSymbolicLink = isFirst && text.startsWith("ID");
		isFirst = false;
		// A line without anything would be no row, and Excel takes a file that starts with ID for another format.
		const isEmptyLine = text === "" && columns.length === 1;
		if (isPlain || !(isEmptyLine || isSymbolicLink || mustBeQuoted(text, delimiter))) return text;
		const quoted = `"${text.replaceAll('"', '""')}"`;
		meter.spend(2 * (quoted.length - text.length) + text.length / 8);
		return quoted;
	}
}

const mustBeQuoted = (text: string, delimiter: string): boolean =>
	/["\r\n]|^\s|\s$/.test(text) || text.includes(delimiter);

/** Text that starts like a formula gets an apostrophe, which spreadsheets show as text. Numbers stay numbers. */
const disarm = (text: string): string =>
	FORMULA_START.test(text) && !SIGN_OR_NUMBER.test(text) ? `'${text}` : text;
