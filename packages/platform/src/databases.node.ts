import type { Socket } from "node:net";
import { isPublicAddress } from "./addresses.ts";
import {
	type Database,
	type DatabaseJob,
	DatabaseProblem,
	type Databases,
	type ReadJob,
	type RowBatch,
	type StatementResult,
} from "./databases.ts";
import { sessionPools } from "./databases-pool.node.ts";
import type { FoundTypes } from "./databases-postgres.node.ts";
import {
	createTooLargeProblem,
	type DatabaseSession,
	type ReadLimits,
	readBatches,
} from "./databases-session.ts";
import type { sqliteFiles } from "./databases-sqlite.node.ts";
import { type Dial, guardedDial, type Resolve } from "./guarded-dial.node.ts";
import { OutboundRefused } from "./http.ts";
import { toCallError } from "./http-errors.ts";
import { type GuardOptions, outboundGuard } from "./http-guard.ts";
import { describeCommand } from "./sql-command.ts";

export interface NodeDatabasesOptions extends GuardOptions {
	readonly resolve?: Resolve;
	readonly dial?: Dial;
	/** After this time without use a connection is closed. */
	readonly idleMs?: number;
}

const CONNECT_MS = 10_000;
const MAX_CONNECTIONS = 100;
const MAX_CONNECTIONS_PER_DATABASE = 8;
const MAX_FOUND_TYPES = 1_000;

/** Drivers are loaded by the first call. */
export function nodeDatabases({
	resolve,
	dial,
	idleMs = 30_000,
	...guarding
}: NodeDatabasesOptions): Databases {
	const guard = outboundGuard(guarding);
	const open = guardedDial({ guard, resolve, dial });
	const pools = sessionPools<DatabaseSession>({
		maxPerKey: MAX_CONNECTIONS_PER_DATABASE,
		maxOpen: MAX_CONNECTIONS,
		idleMs,
	});
	let files: Promise<ReturnType<typeof sqliteFiles>> | undefined;
	const openFiles = () => {
		files ??= import("./databases-sqlite.node.ts").then((loaded) => loaded.sqliteFiles(idleMs));
		return files;
	};
	const foundTypes = new Map<string, FoundTypes>();

	return {
		async run(database, job, signal) {
			assertStatements(job);
			if (database.engine === "sqlite") return (await openFiles()).run(database.path, job, signal);
			for (let lost = 0; ; lost++) {
				try {
					return await runOnce(database, job, signal);
				} catch (error) {
					// The server may have closed all that were kept.
					const mayRetry = error instanceof LostConnection && job.isReadOnly;
					if (!mayRetry || lost === MAX_CONNECTIONS_PER_DATABASE) throw error;
				}
			}
		},
		async *read(database, job, signal) {
			assertStatements({ statements: [job.statement] });
			if (database.engine === "sqlite") yield* (await openFiles()).read(database.path, job, signal);
			else yield* readServer(database, job, signal);
		},
		async close() {
			pools.close();
			(await files)?.close();
		},
	};

	async function runOnce(
		database: Database,
		job: DatabaseJob,
		signal: AbortSignal,
	): Promise<StatementResult[]> {
		const session =
			pools.take(database.key) ??
			(await pools.acquire(database.key, () => connect(database, signal), signal));
		const cancel = () => void session.cancel();
		signal.addEventListener("abort", cancel, { once: true });
		try {
			signal.throwIfAborted();
			return await runJob(session, job, database);
		} catch (error) {
			throw signal.aborted ? signal.reason : error;
		} finally {
			signal.removeEventListener("abort", cancel);
			pools.release(database.key, session);
		}
	}

	async function* readServer(
		database: Database,
		job: ReadJob,
		signal: AbortSignal,
	): AsyncGenerator<RowBatch> {
		const session = await pools.acquire(database.key, () => connect(database, signal), signal);
		const cancel = () => void session.cancel();
		signal.addEventListener("abort", cancel, { once: true });
		let isDone = false;
		try {
			signal.throwIfAborted();
			await session.begin(job.isReadOnly);
			yield* readBatches(session.open(job.statement), job.maxRows);
			await session.commit();
			isDone = true;
		} catch (error) {
			if (signal.aborted) throw signal.reason;
			throw isLost(error) ? new Error(`${database.hostname} closed the connection`) : error;
		} finally {
			signal.removeEventListener("abort", cancel);
			if (!isDone) await session.rollBack().catch(() => session.close());
			pools.release(database.key, session);
		}
	}

	async function connect(database: Database, signal: AbortSignal): Promise<DatabaseSession> {
		const { hostname, port, usesTls } = database;
		const openSocket = async (until: AbortSignal): Promise<Socket> => {
			const socket = await open({ hostname, port }, until);
			if (usesTls || !isPublicAddress(socket.remoteAddress ?? "")) return socket;
			socket.destroy();
			throw new OutboundRefused(`${hostname} has a public address, so that it is reached only with TLS`);
		};
		const timeout = AbortSignal.timeout(CONNECT_MS);
		try {
			guard.checkTarget({ hostname, port });
			const until = AbortSignal.any([signal, timeout]);
			if (database.engine === "mysql") {
				const { openMysql } = await import("./databases-mysql.node.ts");
				return await openMysql(database, openSocket, until);
			}
			const { openPostgres } = await import("./databases-postgres.node.ts");
			return await openPostgres(database, openSocket, getTypes(database.key), until);
		} catch (error) {
			if (signal.aborted) throw signal.reason;
			if (timeout.aborted) throw new Error(`${hostname} did not accept a connection within ${CONNECT_MS} ms`);
			if (error instanceof OutboundRefused) throw new DatabaseProblem(error.message);
			throw isLost(error) ? toCallError(error, hostname) : error;
		}
	}

	function getTypes(key: string): FoundTypes {
		let types = foundTypes.get(key);
		if (types === undefined || types.size > MAX_FOUND_TYPES) {
			if (foundTypes.size >= MAX_FOUND_TYPES) foundTypes.clear();
			types = new Map();
			foundTypes.set(key, types);
		}
		return types;
	}
}

function assertStatements({ statements }: Pick<DatabaseJob, "statements">): void {
	if (!statements.some(({ sql }) => describeCommand(sql).controlsTransaction)) return;
	throw new DatabaseProblem(
		"a statement must not begin or end a transaction: a list of statements is one transaction",
	);
}

async function runJob(
	session: DatabaseSession,
	job: DatabaseJob,
	{ hostname }: Database,
): Promise<StatementResult[]> {
	const { statements, isReadOnly } = job;
	const isTransaction = statements.length > 1;
	const limits = countBytes(job);
	const results: StatementResult[] = [];
	/** Whether the server may have made changes that last. */
	let isUncertain = !isTransaction && !isReadOnly;
	try {
		if (isTransaction) await session.begin(isReadOnly);
		for (const statement of statements) {
			const isAlone = isReadOnly && !isTransaction;
			results.push(
				isAlone ? await session.runReadOnly(statement, limits) : await session.run(statement, limits),
			);
			if (limits.bytesLeft() < 0) throw createTooLargeProblem();
		}
		if (isTransaction) {
			isUncertain = !isReadOnly;
			await session.commit();
		}
		return results;
	} catch (error) {
		if (isLost(error)) {
			if (!isUncertain) throw new LostConnection(`${hostname} closed the connection`);
			throw new DatabaseProblem(
				`${hostname} closed the connection before it answered, so that it is not known whether the statement was executed`,
			);
		}
		// Also without a transaction: it waits until the server is ready again.
		await session.rollBack().catch(() => session.close());
		throw error;
	}
}

/** The connection ended, and no change can have been made. */
class LostConnection extends Error {}

/** Problems that the server reports have other classes or say so in their text. */
const isLost = (error: unknown): boolean =>
	error instanceof Error &&
	!(error instanceof DatabaseProblem) &&
	(typeof (error as NodeJS.ErrnoException).code === "string" ||
		/^Connection terminated|not queryable/.test(error.message));

function countBytes({ maxRows, maxBytes }: DatabaseJob): ReadLimits {
	let left = maxBytes;
	return {
		maxRows,
		bytesLeft: () => left,
		takeBytes(bytes) {
			left -= bytes;
		},
	};
}
