import { postgresStatement, type Sql, type Statement, statement } from "@tripline/platform/sql";
import { readItem, writeItem } from "../move-marks.ts";
import type { Table } from "./tables.ts";

/** SQLite cannot disable triggers, so that they are dropped and their texts kept here. */
const ITEM = "triggers";

/** Rows are copied as they are, and with them what triggers had written. Nothing may be written a second time. */
export async function disableTriggers(sql: Sql, tables: readonly Table[]): Promise<Statement[]> {
	if (sql.dialect === "postgres")
		return tables.map(({ name }) => postgresStatement(`alter table "${name}" disable trigger user`));
	const triggers = await sql.read<{ name: string; sql: string }>(
		statement("select name, sql from sqlite_master where type = 'trigger'"),
	);
	return [
		writeItem(ITEM, JSON.stringify(triggers.map((trigger) => trigger.sql))),
		...triggers.map(({ name }) => statement(`drop trigger "${name}"`)),
	];
}

export async function enableTriggers(sql: Sql, tables: readonly Table[]): Promise<Statement[]> {
	if (sql.dialect === "postgres")
		return tables.map(({ name }) => postgresStatement(`alter table "${name}" enable trigger user`));
	const texts = JSON.parse((await readItem(sql, ITEM)) ?? "[]") as readonly string[];
	return texts.map((text) => statement(text));
}
