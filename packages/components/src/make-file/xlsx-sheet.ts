import type { Json } from "@tripline/contract/json";
import type { Meter } from "@tripline/engine/meter";
import { TerminalError } from "@tripline/engine/terminal-error";
import { type Column, describeCell, formatCell, readCell, type Table } from "./rows.ts";
import { type CellOptions, writeCell, writeTextCell } from "./xlsx-cell.ts";
import { STYLE } from "./xlsx-styles.ts";

/** As spreadsheets have it, with the row of names. */
const MAX_ROWS = 1_048_576;
const UNITS_PER_ROW = 8;
const UNITS_PER_EMPTY_CELL = 3;
/** A row can be much longer than a piece of the file should be. */
const LONG = 32_768;

const MEASURED_ROWS = 100;
const MIN_WIDTH = 8;
const MAX_WIDTH = 60;
const DATE_WIDTHS: Readonly<Record<string, number>> = { date: 12, datetime: 21 };
/** Chinese, Japanese and Korean characters are twice as wide. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g;

interface SheetOptions {
	readonly timezone: string;
	readonly isFirst: boolean;
	/** For errors, such as `sheets[0].`; empty if there is one sheet. */
	readonly place: string;
	readonly meter: Meter;
}

/** The XML of a worksheet, in parts. */
export function* writeSheet(
	table: Table,
	{ timezone, isFirst, place, meter }: SheetOptions,
): Generator<string> {
	const { rows, columns, hasHeader } = table;
	if (rows.length + (hasHeader ? 1 : 0) > MAX_ROWS)
		throw new TerminalError(`${place}rows has ${rows.length} rows: a sheet holds at most ${MAX_ROWS}`);
	const letters = columns.map((_, index) => toLetters(index));
	const at = { row: -1, column: 0 };
	const options: CellOptions = {
		timezone,
		meter,
		describe: () =>
			at.row === -1
				? `${place}columns[${at.column}].name`
				: place + describeCell(at.row, columns[at.column] as Column),
	};
	yield renderStart(table, isFirst, meter);
	if (hasHeader)
		yield* writeRow(1, (column, reference) =>
			writeTextCell(reference, column.name ?? "", STYLE.header, options),
		);
	for (const [index, row] of rows.entries()) {
		at.row = index;
		const number = index + (hasHeader ? 2 : 1);
		yield* writeRow(number, (column, reference) =>
			writeCell(reference, readCell(row, column), column, options),
		);
	}
	yield "</sheetData></worksheet>";

	function* writeRow(
		number: number,
		write: (column: Column, reference: string) => string,
	): Generator<string> {
		meter.spend(UNITS_PER_ROW + UNITS_PER_EMPTY_CELL * columns.length);
		let xml = `<row r="${number}">`;
		for (let index = 0; index < columns.length; index++) {
			at.column = index;
			xml += write(columns[index] as Column, `${letters[index]}${number}`);
			if (xml.length < LONG) continue;
			yield xml;
			xml = "";
		}
		yield `${xml}</row>`;
	}
}

function renderStart(table: Table, isFirst: boolean, meter: Meter): string {
	const selected = isFirst ? ' tabSelected="1"' : "";
	const frozen = table.hasHeader
		? '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
		: "";
	const columns = table.columns.map((column, index) => {
		const width = column.width ?? measureWidth(table, column, meter);
		return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`;
	});
	const widths = columns.length === 0 ? "" : `<cols>${columns.join("")}</cols>`;
	return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView${selected} workbookViewId="0">${frozen}</sheetView></sheetViews>${widths}<sheetData>`;
}

/** By the first rows: the widths come before the rows, and a column need not fit its longest value. */
function measureWidth({ rows, hasHeader }: Table, column: Column, meter: Meter): number {
	const dateWidth = DATE_WIDTHS[column.type ?? ""];
	let width = Math.max(dateWidth ?? MIN_WIDTH, hasHeader ? measureText(column.name ?? "", meter) : 0);
	if (dateWidth !== undefined) return Math.min(width, MAX_WIDTH);
	for (let index = 0; index < Math.min(rows.length, MEASURED_ROWS) && width < MAX_WIDTH; index++)
		width = Math.max(width, measureValue(readCell(rows[index] as Json, column), meter));
	return Math.min(width, MAX_WIDTH);
}

const measureValue = (value: Json, meter: Meter): number =>
	typeof value === "object" && value !== null ? MAX_WIDTH : measureText(formatCell(value, meter), meter);

function measureText(text: string, meter: Meter): number {
	const shown = text.slice(0, MAX_WIDTH);
	meter.spend(4 + shown.length / 4);
	return shown.length + (shown.match(WIDE)?.length ?? 0) + 2;
}

/** A, B, … Z, AA, AB, … */
function toLetters(index: number): string {
	const last = String.fromCharCode(65 + (index % 26));
	return index < 26 ? last : toLetters(Math.floor(index / 26) - 1) + last;
}
