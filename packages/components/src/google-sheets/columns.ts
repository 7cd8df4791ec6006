import type { Json } from "@tripline/contract/json";
import { didYouMean } from "@tripline/engine/nearest";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { Sheet } from "./api.ts";
import { toLetters } from "./ranges.ts";

/** The columns of a sheet that have a name. */
export interface Table {
	readonly sheet: Sheet;
	/** From 0. */
	readonly headerRow: number;
	/** By name, in the order of the sheet. */
	readonly columns: ReadonlyMap<string, number>;
	/** The first column without a name behind all others. */
	readonly nextColumn: number;
}

/** Columns without a name are ignored. */
export function readTable(sheet: Sheet, headerRow: number, header: readonly Json[]): Table {
	const columns = new Map<string, number>();
	for (const [index, cell] of header.entries()) {
		const name = String(cell ?? "").trim();
		const other = columns.get(name);
		if (other !== undefined)
			throw new TerminalError(
				`${describeHeader(sheet, headerRow)} has the column ${JSON.stringify(name)} twice, in ${toLetters(other)} and ${toLetters(index)}: rename one of them`,
			);
		if (name !== "") columns.set(name, index);
	}
	return { sheet, headerRow, columns, nextColumn: header.length };
}

export const describeHeader = ({ title }: Sheet, headerRow: number): string =>
	`row ${headerRow + 1} of the sheet ${JSON.stringify(title)}`;

/** Where the column is. */
export function findColumn({ columns, sheet, headerRow }: Table, name: string, where: string): number {
	const index = columns.get(name);
	if (index !== undefined) return index;
	if (columns.size === 0)
		throw new TerminalError(
			`${describeHeader(sheet, headerRow)} has no names of columns; is header_row right?`,
		);
	const hint = didYouMean(name, columns.keys()) ?? `The columns are ${listNames(columns)}`;
	throw new TerminalError(`${where}: there is no column ${JSON.stringify(name)}. ${hint}`);
}

const MAX_SHOWN = 20;

const listNames = (columns: ReadonlyMap<string, number>): string =>
	[...columns.keys()].slice(0, MAX_SHOWN).join(", ") + (columns.size > MAX_SHOWN ? " and others" : "");

/** The table with further columns behind its last one. */
export function addColumns(table: Table, names: Iterable<string>): Table {
	const columns = new Map(table.columns);
	let next = table.nextColumn;
	for (const name of names) {
		if (columns.has(name)) continue;
		if (name.trim() !== name || name === "")
			throw new TerminalError("the name of a new column must not be empty, or start or end with a space");
		columns.set(name, next++);
	}
	return { ...table, columns, nextColumn: next };
}
