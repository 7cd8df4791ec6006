import { type ChildProcess, fork } from "node:child_process";
import {
	type DatabaseJob,
	DatabaseProblem,
	type ReadJob,
	type RowBatch,
	type StatementResult,
} from "./databases.ts";
import { type Session, sessionPools } from "./databases-pool.node.ts";
import type {
	SqliteAnswer,
	SqliteReadAnswer,
	SqliteReadRequest,
	SqliteRequest,
} from "./databases-sqlite-entry.node.ts";
import { THREAD_OPTIONS } from "./thread.node.ts";

const MAX_PROCESSES = 4;
const HEAP_MB = 64;

interface SqliteProcess extends Session {
	ask<Answer>(request: SqliteRequest | SqliteReadRequest, signal: AbortSignal): Promise<Answer>;
}

/** Queries files in processes of their own: a query in a thread of this one could not be ended. */
export function sqliteFiles(idleMs: number) {
	const processes = sessionPools<SqliteProcess>({ maxPerKey: MAX_PROCESSES, maxOpen: MAX_PROCESSES, idleMs });
	return {
		async run(path: string, job: DatabaseJob, signal: AbortSignal): Promise<StatementResult[]> {
			const process = await processes.acquire("", async () => startProcess(), signal);
			try {
				const answer = await process.ask<SqliteAnswer>({ path, job }, signal);
				if (answer.ok) return answer.results;
				throw toError(answer);
			} finally {
				processes.release("", process);
			}
		},
		async *read(path: string, job: ReadJob, signal: AbortSignal): AsyncGenerator<RowBatch> {
			const process = await processes.acquire("", async () => startProcess(), signal);
			let isDone = false;
			try {
				for (let first = true; ; first = false) {
					const read = first ? { path, job } : null;
					const answer = await process.ask<SqliteReadAnswer>({ read }, signal);
					if (!answer.ok) throw toError(answer);
					isDone = answer.batch === null;
					if (answer.batch === null) return;
					yield answer.batch;
				}
			} finally {
				// It would keep the file open.
				if (!isDone) process.close();
				processes.release("", process);
			}
		},
		close: () => processes.close(),
	};
}

function toError({ error, isTemporary }: Extract<SqliteAnswer, { ok: false }>): Error {
	const message = `SQLite: ${error}`;
	return isTemporary ? new Error(message) : new DatabaseProblem(message);
}

function startProcess(): SqliteProcess {
	const child: ChildProcess = fork(new URL("./databases-sqlite-entry.node.ts", import.meta.url), {
		...THREAD_OPTIONS,
		execArgv: [...THREAD_OPTIONS.execArgv, `--max-old-space-size=${HEAP_MB}`],
		serialization: "advanced",
		stdio: ["ignore", "ignore", "ignore", "ipc"],
	});
	// An idle one does not keep this process alive.
	child.unref();
	child.channel?.unref();
	let isUsable = true;
	child.on("error", () => {
		isUsable = false;
	});
	child.on("exit", () => {
		isUsable = false;
	});
	const close = () => {
		isUsable = false;
		child.kill("SIGKILL");
	};
	return {
		get isReusable() {
			return isUsable;
		},
		close,
		ask<Answer>(request: SqliteRequest | SqliteReadRequest, signal: AbortSignal) {
			const { promise, resolve, reject } = Promise.withResolvers<Answer>();
			const abort = () => {
				close();
				reject(signal.reason);
			};
			const fail = () =>
				reject(new DatabaseProblem("the query needs too much memory, or its process has failed"));
			child.channel?.ref();
			child.once("message", resolve);
			child.once("exit", fail);
			child.once("error", fail);
			signal.addEventListener("abort", abort, { once: true });
			if (signal.aborted) abort();
			else child.send(request);
			return promise.finally(() => {
				child.channel?.unref();
				child.off("message", resolve);
				child.off("exit", fail);
				child.off("error", fail);
				signal.removeEventListener("abort", abort);
			});
		},
	};
}
