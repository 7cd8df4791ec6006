import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import type { NodeCall } from "@tripline/engine/component";
import type { Effects } from "../effects.ts";
import type { Spreadsheet } from "./api.ts";
import { toComparable } from "./cells.ts";
import { findColumn, type Table } from "./columns.ts";

/** Visiting a cell: a call, a text and a lookup. */
export const UNITS_PER_CELL = 4;

export interface Condition {
	readonly column: number;
	readonly values: ReadonlySet<string>;
}

/** A column equals a value, or one of a list. */
export const readWhere = (where: JsonObject, table: Table): Condition[] =>
	Object.entries(where).map(([name, value]) => ({
		column: findColumn(table, name, "where"),
		values: new Set((Array.isArray(value) ? value : [value]).map(toComparable)),
	}));

/** The numbers of the rows, from 0, whose cells of these columns fit. */
export async function findRows(
	node: NodeCall<Effects>,
	spreadsheet: Spreadsheet,
	table: Table,
	columns: readonly number[],
	visit: (cells: readonly (Json | undefined)[], row: number) => void,
): Promise<void> {
	const ranges = columns.map((column) => ({ first: column, last: column }));
	for await (const { start, rows } of spreadsheet.readRows(table.sheet, table.headerRow + 1, ranges))
		for (const [index, cells] of rows.entries()) {
			node.meter.spend(UNITS_PER_CELL * (1 + columns.length));
			if (node.needsTurn) await node.turn();
			visit(
				columns.map((_, nth) => cells[nth]),
				start + index,
			);
		}
}
