import { type Outcome, type Row, type Sql, SqlUnavailable, type SqlValue, type Statement } from "./sql.ts";

/** The part of a D1 binding that is used. */
export interface D1 {
	prepare(text: string): D1Statement;
	batch(statements: D1Statement[]): Promise<D1Result[]>;
}
interface D1Statement {
	bind(...values: unknown[]): D1Statement;
	all(): Promise<D1Result>;
}
interface D1Result {
	readonly results: Record<string, SqlValue | number[]>[];
	readonly meta: { readonly changes?: number; readonly size_after?: number };
}

/** D1 runs a batch as one transaction. */
export function d1Sql(database: D1): Sql {
	const bind = (statement: Statement) => database.prepare(statement.text).bind(...statement.values);
	return {
		async read<R>(statement: Statement): Promise<R[]> {
			return toRows(await mapErrors(bind(statement).all())) as R[];
		},
		async write(unit) {
			return (await mapErrors(database.batch(unit.map(bind)))).map(toOutcome);
		},
		// D1 reclaims deleted pages by itself.
		async compact() {},
		async size() {
			const { meta } = await mapErrors(database.prepare("select 1").bind().all());
			return meta.size_after ?? null;
		},
	};
}

function toOutcome(result: D1Result): Outcome {
	return { rows: toRows(result), changes: result.meta.changes ?? 0 };
}

/** D1 returns bytes as lists of numbers. */
function toRows({ results }: D1Result): Row[] {
	for (const row of results) {
		for (const name in row) {
			const value = row[name];
			if (Array.isArray(value)) row[name] = Uint8Array.from(value);
		}
	}
	return results as Row[];
}

async function mapErrors<T>(work: Promise<T>): Promise<T> {
	try {
		return await work;
	} catch (error) {
		if (error instanceof Error && TEMPORARY.test(error.message)) {
			throw new SqlUnavailable(error.message, { cause: error });
		}
		throw error;
	}
}

/** D1 errors can be distinguished only by their message. */
const TEMPORARY =
	/overloaded|reset because|Network connection lost|object to be reset|D1_ERROR: (?:database is locked|disk I\/O)|exceeded.*(?:limit|timeout)|SQLITE_(?:BUSY|FULL|IOERR)/i;
