import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import type { NodeCall } from "@tripline/engine/component";
import { describeType } from "@tripline/engine/issues";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { Effects } from "../effects.ts";
import { isObject } from "../schemas.ts";
import type { Spreadsheet } from "./api.ts";
import { type Cell, type CellOptions, toCell, toComparable } from "./cells.ts";
import { buildChanges, type RowChange } from "./changes.ts";
import { addColumns, findColumn, type Table } from "./columns.ts";
import { findRows, UNITS_PER_CELL } from "./find-rows.ts";

export interface WriteOptions extends CellOptions {
	readonly rows: readonly Json[];
	/** Empty: all rows are new. */
	readonly match: readonly string[];
	/** Whether rows that are not found are added. */
	readonly mayAppend: boolean;
	readonly mayCreateColumns: boolean;
}

/** A given row: its cells by column. */
interface GivenRow {
	readonly cells: ReadonlyMap<number, Cell>;
	readonly key: string;
}

export async function writeRows(
	node: NodeCall<Effects>,
	spreadsheet: Spreadsheet,
	existing: Table,
	options: WriteOptions,
): Promise<JsonObject> {
	const rows = options.rows.map(assertRow);
	const table = options.mayCreateColumns ? addColumns(existing, listNames(rows)) : existing;
	const matched = options.match.map((name) => findColumn(table, name, "match"));
	const given: GivenRow[] = [];
	for (const [index, row] of rows.entries()) {
		given.push(readRow(row, index, table, options, node));
		if (node.needsTurn) await node.turn();
	}
	const places = await findPlaces(node, spreadsheet, existing, matched, given, options);
	const changes: RowChange[] = given.map(({ cells }, index) => {
		const row = places[index] ?? null;
		if (row === null) {
			if (isEmpty(cells)) throw new TerminalError(`rows.${index} has no value`);
			return { row, cells };
		}
		// The cells that identify a row stay as they are: they may show the same in another form.
		return { row, cells: new Map([...cells].filter(([column]) => !matched.includes(column))) };
	});
	await node.turn();
	await spreadsheet.change(buildChanges(existing, table, changes));
	const appended = changes.filter(({ row }) => row === null).length;
	return {
		appended,
		updated: changes.length - appended,
		created_columns: [...table.columns.keys()].filter((name) => !existing.columns.has(name)),
	};
}

const isEmpty = (cells: GivenRow["cells"]): boolean =>
	cells.values().every(({ data }) => data.userEnteredValue === undefined);

function assertRow(row: Json, index: number): JsonObject {
	if (isObject(row)) return row;
	throw new TerminalError(
		`rows.${index} must be an object such as { Name: Ada }, but is ${describeType(row)}`,
	);
}

function* listNames(rows: readonly JsonObject[]): Generator<string> {
	for (const row of rows) yield* Object.keys(row);
}

function readRow(
	row: JsonObject,
	index: number,
	table: Table,
	options: WriteOptions,
	{ meter }: NodeCall<Effects>,
): GivenRow {
	const cells = new Map<number, Cell>();
	for (const [name, value] of Object.entries(row)) {
		const where = `rows.${index}`;
		meter.spend(2 * UNITS_PER_CELL + (typeof value === "string" ? value.length / 64 : 0));
		cells.set(findColumn(table, name, where), toCell(value, `${where}.${name}`, options));
	}
	if (options.match.length === 0) return { cells, key: "" };
	const keys = options.match.map((name) => {
		const key = Object.hasOwn(row, name) ? toComparable(row[name]) : "";
		if (key !== "") return key;
		throw new TerminalError(`rows.${index}.${name} identifies the row and must not be empty`);
	});
	return { cells, key: joinKeys(keys) };
}

const joinKeys = (keys: readonly string[]): string =>
	keys.length === 1 ? (keys[0] ?? "") : JSON.stringify(keys);

/** The row, from 0, that each given one changes; null if it is new. */
async function findPlaces(
	node: NodeCall<Effects>,
	spreadsheet: Spreadsheet,
	existing: Table,
	matched: readonly number[],
	given: readonly GivenRow[],
	{ match, mayAppend }: WriteOptions,
): Promise<(number | null)[]> {
	if (match.length === 0) return given.map(() => null);
	const wanted = new Map<string, number>();
	for (const [index, { key }] of given.entries()) {
		const other = wanted.get(key);
		if (other !== undefined)
			throw new TerminalError(
				`rows.${other} and rows.${index} are the same row: both have the same ${match.join(" and ")}`,
			);
		wanted.set(key, index);
	}
	const places: (number | null)[] = given.map(() => null);
	// A new column has no cells yet.
	if (matched.every((column) => column < existing.nextColumn))
		await findRows(node, spreadsheet, existing, matched, (cells, row) => {
			const index = wanted.get(joinKeys(cells.map(toComparable)));
			if (index === undefined) return;
			const other = places[index] ?? null;
			if (other !== null)
				throw new TerminalError(
					`rows.${index} fits several rows of the sheet, ${other + 1} and ${row + 1}: match must identify one`,
				);
			places[index] = row;
		});
	if (!mayAppend) assertAllFound(places, match);
	return places;
}

const MAX_SHOWN = 10;

function assertAllFound(places: readonly (number | null)[], match: readonly string[]): void {
	const missing = places.flatMap((place, index) => (place === null ? [`rows.${index}`] : []));
	if (missing.length === 0) return;
	const shown = missing.slice(0, MAX_SHOWN).join(", ") + (missing.length > MAX_SHOWN ? " and others" : "");
	throw new TerminalError(
		`${shown}: no row of the sheet has this ${match.join(" and ")}, so nothing was changed. To add such rows use append_or_update`,
	);
}
