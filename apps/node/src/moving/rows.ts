import { createHash } from "node:crypto";
import { type Sql, type SqlValue, type Statement, statement } from "@tripline/platform/sql";
import { IS_PROCESS } from "@tripline/store/storage/processes";
import type { Table } from "./tables.ts";

/** By the name of the column. Whole numbers are texts: they have 64 bits. */
export type MovedRow = Readonly<Record<string, SqlValue>>;

/** The values of a primary key. */
export type Key = readonly string[];

const MAX_PAGE_ROWS = 500;
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** Rows that are not copied: processes are not those of another deployment. */
const LEFT_OUT: Readonly<Record<string, string>> = { counters: IS_PROCESS };

const quote = (name: string): string => `"${name}"`;

export const readKey = ({ key }: Table, row: MovedRow): Key => key.map((name) => String(row[name]));

/** Reads the rows of a table in the order of its key. */
export function tableRows(sql: Sql, table: Table) {
	const { name, columns, key } = table;
	const kinds = new Map(columns.map((column) => [column.name, column.kind]));
	const keyColumns = key.map(quote).join(", ");
	// Columns get other names in the result: an order by the name of a number would be by its text.
	const selected = columns
		.map(
			(column, nth) =>
				`${column.kind === "integer" ? `cast(${quote(column.name)} as text)` : quote(column.name)} as c${nth}`,
		)
		.join(", ");
	const bytes = columns
		.filter(({ kind }) => kind === "text" || kind === "blob")
		.map((column) => `cast(coalesce(octet_length(${quote(column.name)}), 0) as integer)`);
	const isCopied = LEFT_OUT[name] === undefined ? "true" : `not (${LEFT_OUT[name]})`;

	return {
		async count(): Promise<number> {
			const [row] = await sql.read<{ rows: number }>(
				statement(`select count(*) as rows from ${quote(name)} where ${isCopied}`),
			);
			return row?.rows ?? 0;
		},

		/** The next rows, as many as are read at once. Empty after the last. */
		async readAfter(last: Key | null): Promise<MovedRow[]> {
			const isAfter = last === null ? "true" : `(${keyColumns}) > (${bindKey(0)})`;
			const sizes = await sql.read<Record<string, string> & { bytes: number }>(
				statement(
					`select ${key.map((column, nth) => `cast(${quote(column)} as text) as k${nth}`).join(", ")},
						${["0", ...bytes].join(" + ")} as bytes
					from ${quote(name)} where ${isAfter} and ${isCopied} order by ${keyColumns} limit ${MAX_PAGE_ROWS}`,
					...(last ?? []),
				),
			);
			const end = sizes[findEnd(sizes)];
			if (end === undefined) return [];
			const to = key.map((_, nth) => end[`k${nth}`] as string);
			return read(
				`${isAfter} and (${keyColumns}) <= (${bindKey(last === null ? 0 : key.length)}) order by ${keyColumns}`,
				...(last ?? []),
				...to,
			);
		},

		/** The rows with these keys, in any order. */
		readAt: (keys: readonly Key[]): Promise<MovedRow[]> =>
			read(
				`(${keyColumns}) in (values ${keys.map((_, nth) => `(${bindKey(nth * key.length)})`).join(", ")})`,
				...keys.flat(),
			),
	};

	async function read(condition: string, ...values: string[]): Promise<MovedRow[]> {
		const rows = await sql.read<Record<string, SqlValue>>(
			statement(`select ${selected} from ${quote(name)} where ${isCopied} and ${condition}`, ...values),
		);
		return rows.map((row) =>
			Object.fromEntries(columns.map((column, nth) => [column.name, row[`c${nth}`] as SqlValue])),
		);
	}

	function bindKey(before: number): string {
		return key.map((column, nth) => bind(kinds.get(column), before + nth + 1)).join(", ");
	}
}

const bind = (kind: string | undefined, place: number): string =>
	kind === "integer" ? `cast(?${place} as integer)` : `?${place}`;

/** The last row that is read together with the first. */
function findEnd(sizes: readonly { readonly bytes: number }[]): number {
	let total = 0;
	for (const [nth, { bytes }] of sizes.entries()) {
		total += bytes;
		if (total > MAX_PAGE_BYTES) return Math.max(0, nth - 1);
	}
	return sizes.length - 1;
}

export function insertRow({ name, columns }: Table, row: MovedRow): Statement {
	const places = columns.map(({ kind }, nth) => bind(kind, nth + 1));
	return statement(
		`insert into ${quote(name)} (${columns.map((column) => quote(column.name)).join(", ")}) values (${places.join(", ")})`,
		...columns.map((column) => row[column.name] as SqlValue),
	);
}

export const DIGEST_BYTES = 32;

/** Equal only for rows with equal values. */
export function digestRow({ columns }: Table, row: MovedRow): Buffer {
	const hash = createHash("sha256");
	for (const { name, kind } of columns) {
		const value = row[name] as SqlValue;
		if (value === null) hash.update("null;");
		// Neither database keeps the sign of zero.
		else if (typeof value === "number") hash.update(`${kind} ${value + 0};`);
		else {
			const bytes = typeof value === "string" ? Buffer.from(value) : value;
			hash.update(`${kind} ${bytes.length}:`).update(bytes);
		}
	}
	return hash.digest();
}
