import { type Sql, SqlUnavailable } from "@tripline/platform/sql";
import { readItem, writeItem } from "../move-marks.ts";
import { DIGEST_BYTES, digestRow, insertRow, type Key, type MovedRow, readKey, tableRows } from "./rows.ts";
import type { Table } from "./tables.ts";

/** A table of a database that is moved. */
export interface MovedTable {
	readonly source: Sql;
	readonly target: Sql;
	readonly table: Table;
	/** Rows of the source as the target has them. */
	readonly convert: (table: string, rows: readonly MovedRow[]) => Promise<readonly MovedRow[]>;
}

/** The two sides differ after the copy. */
export class MoveDifference extends Error {
	override readonly name = "MoveDifference";
}

/** Copies the rows that are not yet there: each page and how far it goes are one unit of work. */
export async function copyTable(
	{ source, target, table, convert }: MovedTable,
	onRows: (count: number) => void,
): Promise<void> {
	const rows = tableRows(source, table);
	const item = `position ${table.name}`;
	let last = JSON.parse((await readItem(target, item)) ?? "null") as Key | null;
	for (;;) {
		const page = await rows.readAfter(last);
		const end = page.at(-1);
		if (end === undefined) return;
		last = readKey(table, end);
		const converted = await convert(table.name, page);
		const unit = [...converted.map((row) => insertRow(table, row)), writeItem(item, JSON.stringify(last))];
		try {
			await target.write(unit);
		} catch (error) {
			if (error instanceof SqlUnavailable) throw error;
			const reason = error instanceof Error ? error.message : String(error);
			throw new Error(`a row of ${table.name} cannot be written: ${reason}`, { cause: error });
		}
		onRows(page.length);
	}
}

export interface VerifiedTable {
	readonly rows: number;
	/** Over the values of all rows. It does not depend on their order, which the databases differ about. */
	readonly checksum: string;
}

/**
 * Compares every row. The target is read by the keys of the source and not in its own order, because PostgreSQL sorts a
 * text with U+0000, which it stores in another form, to another place.
 */
export async function verifyTable(
	{ source, target, table, convert }: MovedTable,
	onRows: (count: number) => void,
): Promise<VerifiedTable> {
	const [expected, found] = [tableRows(source, table), tableRows(target, table)];
	const checksum = Buffer.alloc(DIGEST_BYTES);
	let rows = 0;
	let last: Key | null = null;
	for (;;) {
		const page: readonly MovedRow[] = await expected.readAfter(last);
		const end = page.at(-1);
		if (end === undefined) break;
		last = readKey(table, end);
		const keys = page.map((row) => readKey(table, row));
		const copies = new Map(
			(await found.readAt(keys)).map((row) => [JSON.stringify(readKey(table, row)), digestRow(table, row)]),
		);
		for (const row of await convert(table.name, page)) {
			const key = JSON.stringify(readKey(table, row));
			const digest = digestRow(table, row);
			if (copies.get(key)?.equals(digest) !== true)
				throw new MoveDifference(
					`${table.name}: the row ${key} ${copies.has(key) ? "differs" : "is missing"} in the target`,
				);
			for (const [nth, byte] of digest.entries()) checksum[nth] = (checksum[nth] ?? 0) ^ byte;
		}
		rows += page.length;
		onRows(page.length);
	}
	const copied = await found.count();
	if (copied !== rows)
		throw new MoveDifference(`${table.name}: the source has ${rows} rows, the target ${copied}`);
	return { rows, checksum: checksum.toString("hex") };
}
