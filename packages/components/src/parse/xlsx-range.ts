import { TerminalError } from "@tripline/engine/terminal-error";

export const MAX_COLUMNS = 16_384;
export const MAX_ROWS = 1_048_576;

/** The part of a sheet that is read; columns from 0, rows from 1, all inclusive. */
export interface SheetRange {
	readonly firstColumn: number;
	readonly lastColumn: number;
	readonly firstRow: number;
	readonly lastRow: number;
}

export const RANGE = /^\$?([A-Za-z]{1,3})\$?([1-9][0-9]{0,6})?:\$?([A-Za-z]{1,3})\$?([1-9][0-9]{0,6})?$/;

const WHOLE: SheetRange = { firstColumn: 0, lastColumn: MAX_COLUMNS - 1, firstRow: 1, lastRow: MAX_ROWS };

/** `B2:D100`, or `B:D` for whole columns. */
export function readRange(text: string | undefined): SheetRange {
	if (text === undefined) return WHOLE;
	const [, from = "", top, to = "", bottom] = RANGE.exec(text) ?? [];
	const [firstColumn, lastColumn] = [readColumn(from), readColumn(to)];
	const [firstRow, lastRow] = [Number(top ?? 1), Number(bottom ?? MAX_ROWS)];
	if (lastColumn < firstColumn || lastRow < firstRow || lastColumn >= MAX_COLUMNS || lastRow > MAX_ROWS)
		throw new TerminalError(`range ${text} must go from a cell to one right of or below it, within a sheet`);
	return { firstColumn, lastColumn, firstRow, lastRow };
}

/** The column of the letters at a place in a text, from 0; -1 for none. */
export function readColumn(text: string, from = 0): number {
	let column = 0;
	for (let at = from; at < text.length; at++) {
		// Capital and small letters differ in one bit.
		const letter = (text.charCodeAt(at) & 0xdf) - 64;
		if (letter < 1 || letter > 26) break;
		column = column * 26 + letter;
		if (column > MAX_COLUMNS) break;
	}
	return column - 1;
}

export function writeColumn(column: number): string {
	let letters = "";
	for (let left = column + 1; left > 0; left = Math.floor((left - 1) / 26))
		letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters;
	return letters;
}
