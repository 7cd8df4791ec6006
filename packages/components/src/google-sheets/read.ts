import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import type { NodeCall } from "@tripline/engine/component";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { Effects } from "../effects.ts";
import { subtractSize } from "../size.ts";
import type { Spreadsheet } from "./api.ts";
import { toComparable } from "./cells.ts";
import { describeHeader, type Table } from "./columns.ts";
import { readWhere, UNITS_PER_CELL } from "./find-rows.ts";

/** A node's output is at most 1 MiB; characters may take several bytes, which the engine checks. */
const MAX_LENGTH = 1024 * 1024;

/** Rows by the names of their columns; empty ones are left out. */
export async function readRows(
	node: NodeCall<Effects>,
	spreadsheet: Spreadsheet,
	table: Table,
	{ where, limit }: { readonly where: JsonObject; readonly limit: number },
): Promise<JsonObject> {
	const { sheet, headerRow, columns } = table;
	if (columns.size === 0)
		throw new TerminalError(
			`${describeHeader(sheet, headerRow)} has no names of columns; is header_row right?`,
		);
	const conditions = readWhere(where, table);
	const named = [...columns];
	const found: JsonObject[] = [];
	const numbers: number[] = [];
	let room = MAX_LENGTH;
	const toResult = (more: boolean): JsonObject => ({
		rows: found,
		row_numbers: numbers,
		columns: [...columns.keys()],
		more,
	});
	const range = { first: 0, last: Math.max(...columns.values()) };
	for await (const { start, rows } of spreadsheet.readRows(sheet, headerRow + 1, [range]))
		for (const [index, cells] of rows.entries()) {
			node.meter.spend(UNITS_PER_CELL * (1 + named.length));
			if (node.needsTurn) await node.turn();
			if (isEmpty(cells, columns)) continue;
			if (!conditions.every(({ column, values }) => values.has(toComparable(cells[column])))) continue;
			if (found.length === limit) return toResult(true);
			const row = Object.fromEntries(named.map(([name, column]) => [name, toValue(cells[column])]));
			room = subtractSize(row, room);
			if (room < 0)
				throw new TerminalError(
					`the first ${found.length} rows are all that fits into 1 MiB: set limit or where, or read fewer columns`,
				);
			found.push(row);
			numbers.push(start + index + 1);
		}
	return toResult(false);
}

const isEmpty = (cells: readonly Json[], columns: ReadonlyMap<string, number>): boolean => {
	for (const column of columns.values()) if (toComparable(cells[column]) !== "") return false;
	return true;
};

const toValue = (cell: Json | undefined): Json => (cell === undefined || cell === "" ? null : cell);
