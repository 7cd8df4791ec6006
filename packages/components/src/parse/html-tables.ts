import { ReadableText } from "./readable-text.ts";

interface Table {
	readonly rows: ReadableText[][];
	row: ReadableText[] | null;
	cell: ReadableText | null;
}

/** Nested tables are separate tables; below this depth they are only text. */
const MAX_TABLE_DEPTH = 16;

export function createTableReader() {
	const tables: Table[] = [];
	const open: Table[] = [];
	let tooDeep = 0;

	return {
		/** The cell that receives text now. */
		cell: (): ReadableText | null => open.at(-1)?.cell ?? null,

		open(name: string): void {
			if (name === "table") openTable();
			const table = open.at(-1);
			if (table === undefined || tooDeep > 0) return;
			if (name === "tr") table.row = startRow(table);
			else if (name === "td" || name === "th") {
				table.row ??= startRow(table);
				table.cell = new ReadableText();
				table.row.push(table.cell);
			}
		},

		close(name: string): void {
			const table = open.at(-1);
			if (table === undefined) return;
			if (name === "table") {
				if (tooDeep > 0) tooDeep--;
				else open.pop();
			} else if (tooDeep > 0) return;
			else if (name === "td" || name === "th") table.cell = null;
			else if (name === "tr") {
				table.row = null;
				table.cell = null;
			}
		},

		read: (): string[][][] =>
			tables
				.map(({ rows }) => rows.filter((row) => row.length > 0).map((row) => row.map((cell) => cell.read())))
				.filter((rows) => rows.length > 0),
	};

	function openTable(): void {
		if (open.length >= MAX_TABLE_DEPTH) {
			tooDeep++;
			return;
		}
		const table: Table = { rows: [], row: null, cell: null };
		tables.push(table);
		open.push(table);
	}

	function startRow(table: Table): ReadableText[] {
		const row: ReadableText[] = [];
		table.rows.push(row);
		table.cell = null;
		return row;
	}
}
