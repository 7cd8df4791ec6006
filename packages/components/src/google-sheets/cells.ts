import type { Json } from "@tripline/contract/json";
import { describeType } from "@tripline/engine/issues";
import { TerminalError } from "@tripline/engine/terminal-error";

/** Google's limit. */
const MAX_CELL_LENGTH = 50_000;

export interface CellOptions {
	/** Whether a text that starts with = is a formula. */
	readonly formulas: boolean;
	/** Whether a text that is an ISO date is one. */
	readonly dates: boolean;
}

/** What a cell becomes. */
export interface Cell {
	readonly data: { readonly [name: string]: Json };
	readonly format?: "DATE" | "DATE_TIME";
}

export function toCell(value: Json, where: string, { formulas, dates }: CellOptions): Cell {
	if (value === null || value === "") return { data: {} };
	if (typeof value === "number") return { data: { userEnteredValue: { numberValue: value } } };
	if (typeof value === "boolean") return { data: { userEnteredValue: { boolValue: value } } };
	if (typeof value !== "string")
		throw new TerminalError(
			`${where} must be text, a number, true, false or null, but is ${describeType(value)}; for JSON use the filter json`,
		);
	if (value.length > MAX_CELL_LENGTH)
		throw new TerminalError(`${where} must be at most ${MAX_CELL_LENGTH} characters long`);
	if (formulas && value.startsWith("=")) return { data: { userEnteredValue: { formulaValue: value } } };
	return (dates ? toDateCell(value) : undefined) ?? { data: { userEnteredValue: { stringValue: value } } };
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?Z?)?$/;
const DAY_MS = 86_400_000;
/** Day 0 of spreadsheets. */
const EPOCH = Date.UTC(1899, 11, 30);

/** A date is a number of days with a format. Undefined if the text is not a date of the calendar. */
function toDateCell(text: string): Cell | undefined {
	const match = DATE.exec(text);
	if (match === null) return undefined;
	const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
		.slice(1)
		.map((digits) => Number(digits ?? 0));
	const time = Date.UTC(year, month - 1, day, hour, minute, second);
	const exact = new Date(time);
	if (
		exact.getUTCMonth() !== month - 1 ||
		exact.getUTCDate() !== day ||
		exact.getUTCHours() !== hour ||
		minute > 59 ||
		second > 59
	)
		return undefined;
	return {
		data: { userEnteredValue: { numberValue: (time - EPOCH) / DAY_MS } },
		format: match[4] === undefined ? "DATE" : "DATE_TIME",
	};
}

/** Read again, dates are the ISO text that they were written from. */
export const DATE_PATTERNS = { DATE: "yyyy-mm-dd", DATE_TIME: 'yyyy-mm-dd"T"hh:mm:ss' } as const;

/** Cells are compared as text, so that the number 7 is the text 7. An empty cell is empty text. */
export const toComparable = (value: Json | undefined): string => {
	if (value === null || value === undefined) return "";
	return typeof value === "object" ? JSON.stringify(value) : String(value);
};
