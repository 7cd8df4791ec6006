import type { Json } from "@tripline/contract/json";
import { type Cell, DATE_PATTERNS } from "./cells.ts";
import type { Table } from "./columns.ts";

export interface RowChange {
	/** From 0; null adds a row. */
	readonly row: number | null;
	/** By column. */
	readonly cells: ReadonlyMap<number, Cell>;
}

type Cells = Cell["data"][];

/** The requests of one batch update, which makes all of them or none. */
export function buildChanges(existing: Table, table: Table, changes: readonly RowChange[]): Json[] {
	const { sheet } = table;
	const appended = changes.filter(({ row }) => row === null).map(({ cells }) => ({ values: toRow(cells) }));
	return [
		...buildNewColumns(existing, table),
		...buildUpdates(sheet.id, changes),
		...(appended.length === 0
			? []
			: [{ appendCells: { sheetId: sheet.id, rows: appended, fields: "userEnteredValue" } }]),
		...buildDateFormats(table, changes),
	];
}

function buildNewColumns(existing: Table, { sheet, columns, headerRow, nextColumn }: Table): Json[] {
	const names = [...columns.keys()].filter((name) => !existing.columns.has(name));
	if (names.length === 0) return [];
	const values = names.map((name) => ({ userEnteredValue: { stringValue: name } }));
	const missing = nextColumn - sheet.columnCount;
	const append = { appendDimension: { sheetId: sheet.id, dimension: "COLUMNS", length: missing } };
	return [
		...(missing > 0 ? [append] : []),
		buildUpdate(sheet.id, headerRow, existing.nextColumn, [{ values }]),
	];
}

const buildUpdate = (sheetId: number, rowIndex: number, columnIndex: number, rows: Json[]): Json => ({
	updateCells: { start: { sheetId, rowIndex, columnIndex }, rows, fields: "userEnteredValue" },
});

/** One request for cells that adjoin, also in several rows: a batch of few large ones is faster. */
function buildUpdates(sheetId: number, changes: readonly RowChange[]): Json[] {
	const requests: Json[] = [];
	/** By first column and width: where the next row of the block would be, and its rows. */
	const blocks = new Map<string, { nextRow: number; rows: Json[] }>();
	const ordered = changes
		.flatMap(({ row, cells }) => (row === null ? [] : [{ row, cells }]))
		.sort((one, other) => one.row - other.row);
	for (const { row, cells } of ordered)
		for (const { first, values } of listRuns(cells)) {
			const name = `${first} ${values.length}`;
			const block = blocks.get(name);
			if (block?.nextRow === row) {
				block.rows.push({ values });
				block.nextRow++;
				continue;
			}
			const rows: Json[] = [{ values }];
			blocks.set(name, { nextRow: row + 1, rows });
			requests.push(buildUpdate(sheetId, row, first, rows));
		}
	return requests;
}

/** Cells of adjoining columns. */
function listRuns(cells: RowChange["cells"]): { first: number; values: Cells }[] {
	const runs: { first: number; values: Cells }[] = [];
	for (const [column, { data }] of [...cells].sort(([one], [other]) => one - other)) {
		const last = runs.at(-1);
		if (last !== undefined && last.first + last.values.length === column) last.values.push(data);
		else runs.push({ first: column, values: [data] });
	}
	return runs;
}

function toRow(cells: RowChange["cells"]): Cells {
	const width = Math.max(-1, ...cells.keys()) + 1;
	return Array.from({ length: width }, (_, column) => cells.get(column)?.data ?? {});
}

/** A column that gets dates shows dates. */
function buildDateFormats({ sheet, headerRow }: Table, changes: readonly RowChange[]): Json[] {
	const formats = new Map<number, "DATE" | "DATE_TIME">();
	for (const { cells } of changes)
		for (const [column, { format }] of cells)
			if (format !== undefined && formats.get(column) !== "DATE_TIME") formats.set(column, format);
	return [...formats].map(([column, type]) => ({
		repeatCell: {
			range: {
				sheetId: sheet.id,
				startRowIndex: headerRow + 1,
				startColumnIndex: column,
				endColumnIndex: column + 1,
			},
			cell: { userEnteredFormat: { numberFormat: { type, pattern: DATE_PATTERNS[type] } } },
			fields: "userEnteredFormat.numberFormat",
		},
	}));
}

/** From the last row on, so that the numbers of the others stay right. */
export function buildDeletions(sheetId: number, rows: readonly number[]): Json[] {
	const blocks: { startIndex: number; endIndex: number }[] = [];
	for (const row of [...rows].sort((one, other) => other - one)) {
		const last = blocks.at(-1);
		if (last?.startIndex === row + 1) last.startIndex = row;
		else blocks.push({ startIndex: row, endIndex: row + 1 });
	}
	return blocks.map((block) => ({
		deleteDimension: { range: { sheetId, dimension: "ROWS", ...block } },
	}));
}
