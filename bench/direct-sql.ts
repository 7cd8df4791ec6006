import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Row, Sql, Statement } from "@tripline/platform/sql";

/** Runs statements directly; the database is filled in one transaction. */
export function directSql(database: DatabaseSync): Sql {
	const prepared = new Map<string, StatementSync>();
	const run = ({ text, values }: Statement): Row[] => {
		const compiled = prepared.get(text) ?? database.prepare(text);
		prepared.set(text, compiled);
		return compiled.all(...values) as Row[];
	};
	return {
		read: async <R>(statement: Statement) => run(statement) as R[],
		write: async (unit) => unit.map((statement) => ({ rows: run(statement), changes: 0 })),
		compact: async () => {},
		size: async () => null,
	};
}
