import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { formatText } from "@tripline/engine/expressions/text-size";
import type { Meter } from "@tripline/engine/meter";
import { TerminalError } from "@tripline/engine/terminal-error";
import { isObject } from "../schemas.ts";
import type { Turns } from "./encode.ts";
import type { ColumnParam } from "./params.ts";

/** As spreadsheets have it. */
const MAX_COLUMNS = 16_384;
const MAX_CELLS = 1_000_000;
const UNITS_PER_NAME = 4;

export type ColumnType = "text" | "number" | "boolean" | "date" | "datetime";

export interface Column {
	/** A name in rows that are objects, a position in rows that are lists. */
	readonly field: string | number;
	/** Null if the column has no name. */
	readonly name: string | null;
	/** Null: each cell by its value. */
	readonly type: ColumnType | null;
	/** In characters; null: by its content. */
	readonly width: number | null;
}

export interface Table {
	readonly rows: readonly Json[];
	readonly columns: readonly Column[];
	readonly hasHeader: boolean;
}

interface GivenTable {
	readonly rows: readonly Json[];
	readonly columns: readonly ColumnParam[] | undefined;
	readonly header: boolean | undefined;
	/** For errors, such as `sheets[0].`; empty if there is one table. */
	readonly place: string;
}

/** Checks that all rows are objects or all lists, and finds the columns if they are not given. */
export async function readTable(
	{ rows, columns: given, header, place }: GivenTable,
	call: Turns,
): Promise<Table> {
	const areLists = Array.isArray(rows[0]);
	const names = new Set<string>();
	let width = 0;
	for (const [index, row] of rows.entries()) {
		if (call.needsTurn) await call.turn();
		call.meter.spend(UNITS_PER_NAME);
		if (Array.isArray(row) !== areLists || (!areLists && !isObject(row)))
			throw new TerminalError(`${place}rows[${index}] must be ${describeRow(index, areLists)}`);
		if (given !== undefined) continue;
		if (areLists) width = Math.max(width, (row as Json[]).length);
		else width = addNames(names, row as JsonObject, call.meter);
		assertColumns(width, place);
	}
	const columns =
		given === undefined
			? areLists
				? Array.from({ length: width }, (_, field) => toColumn(field, null))
				: Array.from(names, (name) => toColumn(name, name))
			: given.map((column, position) => readColumn(column, position, rows.length === 0 ? null : areLists));
	if (columns.length * rows.length > MAX_CELLS)
		throw new TerminalError(
			`${place}rows have ${columns.length * rows.length} cells: the limit is ${MAX_CELLS}; choose fewer columns, or make several files`,
		);
	const hasNames = columns.some(({ name }) => name !== null);
	if (header === true && !hasNames && rows.length > 0)
		throw new TerminalError(`${place}header needs the names of the columns; give them with columns`);
	return { rows, columns, hasHeader: hasNames && header !== false };
}

function describeRow(index: number, areLists: boolean): string {
	if (index === 0) return "an object or a list";
	return areLists ? "a list, as the first row is" : "an object, as the first row is";
}

function addNames(names: Set<string>, row: JsonObject, meter: Meter): number {
	for (const name in row) {
		meter.spend(UNITS_PER_NAME);
		names.add(name);
	}
	return names.size;
}

function assertColumns(count: number, place: string): void {
	if (count > MAX_COLUMNS)
		throw new TerminalError(
			`${place}rows have more than ${MAX_COLUMNS} columns; choose some of them with columns`,
		);
}

const toColumn = (field: string | number, name: string | null): Column => ({
	field,
	name,
	type: null,
	width: null,
});

/** `areLists` is null if there are no rows. */
function readColumn(column: ColumnParam, position: number, areLists: boolean | null): Column {
	if (typeof column === "string") return toColumn(areLists ? position : column, column);
	const { field, name, type = null, width = null } = column;
	if (field !== undefined && areLists !== null && (typeof field === "number") !== areLists)
		throw new TerminalError(
			areLists
				? `columns[${position}].field must be a position from 0, because the rows are lists`
				: `columns[${position}].field must be a name, because the rows are objects`,
		);
	const found = field ?? (areLists ? position : name);
	if (found === undefined) throw new TerminalError(`columns[${position}] needs a field`);
	return { field: found, name: name ?? (typeof found === "string" ? found : null), type, width };
}

/** The value of a row in a column; null if it has none. */
export function readCell(row: Json, { field }: Column): Json {
	const values = row as { readonly [field: string | number]: Json };
	return Object.hasOwn(values, field) ? (values[field] as Json) : null;
}

export const formatCell = (value: Json, meter: Meter): string => formatText(value, "a cell", meter);

/** Where a cell is, for errors: the row is counted from 0. */
export const describeCell = (row: number, { field, name }: Column): string =>
	`rows[${row}], column ${name ?? field}`;
