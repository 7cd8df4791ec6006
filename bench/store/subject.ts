import { DatabaseSync, type StatementSync } from "node:sqlite";
import { systemClock } from "@tripline/platform/clock";
import { jsonLog, type LogLevel } from "@tripline/platform/log";
import { type Sql, type SqlValue, type Statement, statement } from "@tripline/platform/sql";
import { openSqlite } from "@tripline/platform/sql.sqlite";
import { createStore } from "@tripline/store/app";
import type { Batch } from "../measure.ts";
import { type Call, toRequest } from "./requests.ts";

export interface Subject extends Disposable {
	readonly sql: Sql;
	/** A batch of one call after the other, or of `atOnce` together. */
	batch(calls: readonly Call[], atOnce?: number): Batch;
	/** The parsed answer of one call. */
	answer(call: Call): Promise<unknown>;
}

/** The store on the database file at `path`. */
export function openSubject(
	path: string,
	given: { level?: LogLevel; wrap?: (sql: Sql) => Sql } = {},
): Subject {
	const database = openSqlite(path);
	const sql = given.wrap?.(database) ?? database;
	const store = createStore({
		sql,
		clock: systemClock,
		// Making the line is measured; the process gathers lines and writes them many at a time.
		log: jsonLog({ level: given.level ?? "silent", clock: systemClock, write() {} }),
		version: "bench",
		settings: {
			internalToken: undefined,
			defaultOwner: undefined,
			ingestUrl: undefined,
			// No benchmark is to reach it: a dropped record would cost nothing.
			dailyLogLimit: 1_000_000_000,
			retentionDays: 36_500,
			maxBodyBytes: 1_048_576,
		},
	});
	const fetch = async (request: Request): Promise<void> => {
		const { status } = await store.fetch(request);
		if (status >= 300) throw new Error(`${request.method} ${request.url} answered ${status}`);
	};
	return {
		sql,
		batch(calls, atOnce = 1) {
			const requests = calls.map(toRequest);
			return {
				calls: calls.length,
				async run() {
					if (atOnce === 1) for (const request of requests) await fetch(request);
					else {
						for (let start = 0; start < requests.length; start += atOnce) {
							await Promise.all(requests.slice(start, start + atOnce).map(fetch));
						}
					}
				},
			};
		},
		async answer(call) {
			const response = await store.fetch(toRequest(call));
			if (!response.ok) throw new Error(`${call.method} ${call.target} answered ${response.status}`);
			return response.json();
		},
		[Symbol.dispose]: () => database.close(),
	};
}

/** Every statement that goes through, in order. */
export function recorder(): { readonly statements: Statement[]; wrap(sql: Sql): Sql } {
	const statements: Statement[] = [];
	return {
		statements,
		wrap: (sql) => ({
			read(each) {
				statements.push(each);
				return sql.read(each);
			},
			write(unit) {
				statements.push(...unit);
				return sql.write(unit);
			},
			compact: () => sql.compact(),
		}),
	};
}

export interface Floor extends Disposable {
	/** The bare statements, each committed by itself or `together` to a transaction. */
	batch(statements: readonly Statement[], calls: number, together?: number): Batch;
}

/** Every setting of a connection that could make a statement cheaper or dearer. */
const CONNECTION_SETTINGS = [
	"synchronous",
	"cache_size",
	"cache_spill",
	"mmap_size",
	"temp_store",
	"foreign_keys",
	"trusted_schema",
	"journal_size_limit",
	"wal_autocheckpoint",
] as const;

/** `node:sqlite` alone on the file at `path`, with the settings of the connection behind `like`. */
export async function openFloor(path: string, like: Sql): Promise<Floor> {
	const database = new DatabaseSync(path);
	for (const name of CONNECTION_SETTINGS) {
		const [row] = await like.read<Record<string, SqlValue>>(statement(`pragma ${name}`));
		const [value] = Object.values(row ?? {});
		if (value !== undefined) database.exec(`pragma ${name} = ${value}`);
	}
	const prepared = new Map<string, StatementSync>();
	const prepare = (text: string): StatementSync => {
		const compiled = prepared.get(text) ?? database.prepare(text);
		prepared.set(text, compiled);
		return compiled;
	};
	return {
		batch(statements, calls, together = 1) {
			const steps = statements.map(({ text, values }) => ({ compiled: prepare(text), values }));
			const begin = database.prepare("begin immediate");
			const commit = database.prepare("commit");
			return {
				calls,
				run() {
					if (together === 1) for (const { compiled, values } of steps) compiled.all(...values);
					else {
						for (let start = 0; start < steps.length; start += together) {
							begin.run();
							for (const { compiled, values } of steps.slice(start, start + together))
								compiled.all(...values);
							commit.run();
						}
					}
				},
			};
		},
		[Symbol.dispose]: () => database.close(),
	};
}
