import { postgresStatement, type Sql, type Statement, statement } from "@tripline/platform/sql";
import type { Table } from "./tables.ts";

/** Rows that are inserted later get larger numbers than all that the source has given, even to rows deleted since. */
export async function continueNumbers(source: Sql, target: Sql, tables: readonly Table[]): Promise<void> {
	for (const table of tables) {
		const [column] = table.key;
		if (column === undefined || !isNumbered(table)) continue;
		const last = max(
			await readLargest(target, table.name, column),
			await readLast(source, table.name, column),
		);
		if (last > 0n) await target.write(await setLast(target, table.name, column, last));
	}
}

const isNumbered = ({ key, columns }: Table): boolean =>
	key.length === 1 && columns.some(({ name, kind }) => name === key[0] && kind === "integer");

const max = (one: bigint, other: bigint): bigint => (one > other ? one : other);

async function readLargest(sql: Sql, table: string, column: string): Promise<bigint> {
	const [row] = await sql.read<{ last: string | null }>(
		statement(`select cast(max("${column}") as text) as last from "${table}"`),
	);
	return BigInt(row?.last ?? 0);
}

/** The last number that was given, if the database keeps it apart from the rows. */
async function readLast(sql: Sql, table: string, column: string): Promise<bigint> {
	if (sql.dialect === "postgres") {
		const [row] = await sql.read<{ last: string | null }>(
			postgresStatement(
				`select cast(pg_sequence_last_value(${SEQUENCE}) as text) as last`,
				`"${table}"`,
				column,
			),
		);
		return BigInt(row?.last ?? 0);
	}
	if (!(await isAutoincrement(sql, table))) return 0n;
	const [row] = await sql.read<{ last: string | null }>(
		statement("select cast(seq as text) as last from sqlite_sequence where name = ?1", table),
	);
	return BigInt(row?.last ?? 0);
}

async function setLast(sql: Sql, table: string, column: string, last: bigint): Promise<Statement[]> {
	if (sql.dialect === "postgres")
		return [
			postgresStatement(
				`select setval(sequence, cast(?3 as bigint)) from (select ${SEQUENCE} as sequence) as found
				where sequence is not null`,
				`"${table}"`,
				column,
				String(last),
			),
		];
	// Otherwise SQLite takes the number after the largest.
	if (!(await isAutoincrement(sql, table))) return [];
	return [
		statement("delete from sqlite_sequence where name = ?1", table),
		statement(
			"insert into sqlite_sequence (name, seq) values (?1, cast(?2 as integer))",
			table,
			String(last),
		),
	];
}

const SEQUENCE = "cast(pg_get_serial_sequence(?1, ?2) as regclass)";

async function isAutoincrement(sql: Sql, table: string): Promise<boolean> {
	const [row] = await sql.read(
		statement(
			"select 1 as found from sqlite_master where type = 'table' and name = ?1 and sql like '%autoincrement%'",
			table,
		),
	);
	return row !== undefined;
}
