import { DatabaseSync, type StatementSync } from "node:sqlite";
import { systemClock } from "@tripline/platform/clock";
import { jsonLog, type LogLevel } from "@tripline/platform/log";
import { type Sql, type SqlValue, type Statement, statement } from "@tripline/platform/sql";
import { openSqlite } from "@tripline/platform/sql.sqlite";
import { createStore } from "@tripline/store/app";
import { buildDailyLimits } from "@tripline/store/domain/execution-log";
import type { Incoming } from "@tripline/web/http-message";
import type { Batch } from "../measure.ts";
import { type Call, toIncoming } from "./requests.ts";

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
	const subject = createSubject(given.wrap?.(database) ?? database, given.level);
	return { ...subject, [Symbol.dispose]: () => database.close() };
}

/** The store on a database that is open. */
export function createSubject(sql: Sql, level: LogLevel = "silent"): Omit<Subject, keyof Disposable> {
	const store = createStore({
		sql,
		clock: systemClock,
		// Building the line is measured; the process writes many lines at a time.
		log: jsonLog({ level, clock: systemClock, write() {} }),
		version: "bench",
		settings: {
			internalToken: undefined,
			defaultOwner: undefined,
			ingestUrl: undefined,
			// No benchmark may reach the limit, because a dropped record would cost nothing.
			dailyLogLimits: buildDailyLimits(1_000_000_000, false),
			retentionDays: 36_500,
			maxBodyBytes: 1_048_576,
		},
	});
	const send = async (request: Incoming): Promise<void> => {
		const { status } = await store.answer(request);
		if (status >= 300) throw new Error(`${request.method} ${request.url} answered ${status}`);
	};
	return {
		sql,
		batch(calls, atOnce = 1) {
			const requests = calls.map(toIncoming);
			return {
				calls: calls.length,
				async run() {
					if (atOnce === 1) for (const request of requests) await send(request);
					else {
						for (let start = 0; start < requests.length; start += atOnce) {
							await Promise.all(requests.slice(start, start + atOnce).map(send));
						}
					}
				},
			};
		},
		async answer(call) {
			const { status, body } = await store.answer(toIncoming(call));
			if (status >= 300) throw new Error(`${call.method} ${call.target} answered ${status}`);
			return JSON.parse(body as string);
		},
	};
}

export type Unit = readonly Statement[];

/** Records every unit of work in order; a read is a unit with one statement. */
export function recorder(): { readonly units: Unit[]; wrap(sql: Sql): Sql } {
	const units: Unit[] = [];
	return {
		units,
		wrap: (sql) => ({
			read(each) {
				units.push([each]);
				return sql.read(each);
			},
			write(unit) {
				units.push(unit);
				return sql.write(unit);
			},
			compact: () => sql.compact(),
			size: () => sql.size(),
		}),
	};
}

export interface Floor extends Disposable {
	/** The bare statements, with one commit for each unit or for `together` of them. */
	batch(units: readonly Unit[], calls: number, together?: number): Batch;
}

/** All connection settings that affect the cost of a statement. */
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
	const begin = database.prepare("begin immediate");
	const commit = database.prepare("commit");
	return {
		batch(units, calls, together = 1) {
			const transactions = Array.from({ length: Math.ceil(units.length / together) }, (_, index) =>
				units
					.slice(index * together, (index + 1) * together)
					.flatMap((unit) => unit.map(({ text, values }) => ({ compiled: prepare(text), values }))),
			);
			return {
				calls,
				run() {
					for (const steps of transactions) {
						// A single statement is its own transaction.
						if (steps.length > 1) begin.run();
						for (const { compiled, values } of steps) compiled.all(...values);
						if (steps.length > 1) commit.run();
					}
				},
			};
		},
		[Symbol.dispose]: () => database.close(),
	};
}
