import type { Json } from "@tripline/contract/json";
import { parseTime } from "@tripline/engine/expressions/dates";
import type { Meter } from "@tripline/engine/meter";
import { TerminalError } from "@tripline/engine/terminal-error";
import { getOffset } from "../datetime/zone.ts";
import { type Column, type ColumnType, formatCell } from "./rows.ts";
import { STYLE } from "./xlsx-styles.ts";
import { escapeCellText } from "./xlsx-text.ts";

/** As spreadsheets have it. */
const MAX_CELL_CHARACTERS = 32_767;
const DAY_MS = 86_400_000;
/** Day 1 is 1900-01-01. */
const DAY_ZERO = Date.UTC(1899, 11, 31);
/** From here on days are one higher: spreadsheets have a 29 February 1900. */
const AFTER_FALSE_LEAP_DAY = Date.UTC(1900, 2, 1);
const END_OF_DATES = Date.UTC(10_000, 0, 1);
const HAS_OFFSET = /T.*(?:Z|[+-]\d\d:?\d\d)$/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
/** What a spreadsheet would evaluate once somebody edits the cell. */
const FORMULA_START = /^[=+\-@]/;
const UNITS_PER_CELL = 12;
const UNITS_PER_TEXT = 10;
const UNITS_PER_ZONED_TIME = 350;

export interface CellOptions {
	/** The zone in which times with an offset are shown. */
	readonly timezone: string;
	readonly meter: Meter;
	/** Describes the cell, for errors. */
	describe(): string;
}

/** The XML of a cell. A value that is null or empty has none. */
export function writeCell(reference: string, value: Json, column: Column, options: CellOptions): string {
	if (value === null || value === "") return "";
	options.meter.spend(UNITS_PER_CELL);
	const converted = column.type === null ? value : CONVERSIONS[column.type](value, options);
	if (typeof converted === "number")
		return writeNumber(reference, converted, STYLE_OF[column.type ?? "number"]);
	if (typeof converted === "boolean") return `<c r="${reference}" t="b"><v>${converted ? 1 : 0}</v></c>`;
	const text = formatCell(converted, options.meter);
	const plain = FORMULA_START.test(text) ? STYLE.quoted : STYLE.plain;
	return writeTextCell(reference, text, column.type === "text" ? STYLE.text : plain, options);
}

export function writeTextCell(reference: string, text: string, style: number, options: CellOptions): string {
	if (text.length > MAX_CELL_CHARACTERS)
		throw new TerminalError(
			`${options.describe()} has ${text.length} characters: a cell holds at most ${MAX_CELL_CHARACTERS}; shorten it, for example with slice(0, ${MAX_CELL_CHARACTERS}), or make a csv file`,
		);
	const element = escapeCellText(text);
	const added = Math.max(0, element.length - text.length);
	options.meter.spend(UNITS_PER_TEXT + text.length / (text.includes("\r") ? 1.5 : 8) + 0.8 * added);
	// Not a formula, whatever it starts with: only <f> is one.
	return `<c r="${reference}"${renderStyle(style)} t="inlineStr"><is>${element}</is></c>`;
}

const writeNumber = (reference: string, value: number, style: number): string =>
	`<c r="${reference}"${renderStyle(style)}><v>${value}</v></c>`;

const renderStyle = (style: number): string => (style === STYLE.plain ? "" : ` s="${style}"`);

const STYLE_OF: Readonly<Record<ColumnType, number>> = {
	text: STYLE.text,
	number: STYLE.plain,
	boolean: STYLE.plain,
	date: STYLE.date,
	datetime: STYLE.datetime,
};

/** What a value becomes in a column of that type. */
const CONVERSIONS: Readonly<Record<ColumnType, (value: Json, options: CellOptions) => Json>> = {
	text: (value, { meter }) => formatCell(value, meter),
	number(value, options) {
		if (typeof value === "number") return value;
		const text = typeof value === "string" ? value.trim() : "";
		if (!NUMBER.test(text)) throw createTypeError(value, "a number", options);
		return Number(text);
	},
	boolean(value, options) {
		if (typeof value === "boolean") return value;
		const text = typeof value === "string" ? value.trim().toLowerCase() : "";
		if (text !== "true" && text !== "false") throw createTypeError(value, "true or false", options);
		return text === "true";
	},
	date: (value, options) => Math.floor(toSerial(value, "a date", options)),
	datetime: (value, options) => toSerial(value, "a time", options),
};

/** Days since the beginning of 1900, as spreadsheets count them. */
function toSerial(value: Json, wanted: string, options: CellOptions): number {
	const time = parseTime(value);
	if (time === null)
		throw createTypeError(value, `${wanted} such as 2026-03-29 or 2026-03-29T01:30:00Z`, options);
	let wall = time;
	if (typeof value === "number" || HAS_OFFSET.test(value as string)) {
		options.meter.spend(UNITS_PER_ZONED_TIME);
		wall += getOffset(time, options.timezone);
	}
	if (wall < DAY_ZERO + DAY_MS || wall >= END_OF_DATES)
		throw new TerminalError(
			`${options.describe()} is ${JSON.stringify(value)}, but spreadsheets have only the years 1900 to 9999; use a column of text`,
		);
	const days = (wall - DAY_ZERO) / DAY_MS;
	return wall >= AFTER_FALSE_LEAP_DAY ? days + 1 : days;
}

const MAX_SHOWN = 50;

function createTypeError(value: Json, wanted: string, { describe, meter }: CellOptions): TerminalError {
	const shown = JSON.stringify(formatCell(value, meter).slice(0, MAX_SHOWN));
	return new TerminalError(
		`${describe()} must be ${wanted}, but is ${shown}; or leave out the column's type`,
	);
}
