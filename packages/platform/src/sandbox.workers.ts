import { Aborted } from "@tripline/sandbox/job";
import { Pool } from "@tripline/sandbox/pool";
import type { Sandbox } from "./sandbox.ts";

/** Runs code in the isolate itself. The clock does not advance during computation there, so only fuel limits the code. */
export function workersSandbox(module: WebAssembly.Module): Sandbox {
	const pool = new Pool(module);
	return {
		async run(job, signal) {
			signal.throwIfAborted();
			const control = { now: () => Date.now(), elapsed: () => Date.now(), isAborted: () => signal.aborted };
			const { http } = job;
			const abortable = http && ((request: string) => rejectOnAbort(http(request), signal));
			try {
				const input = typeof job.input === "string" ? job.input : job.input();
				return await pool.run(
					{ ...job, input, ...(abortable !== undefined && { http: abortable }) },
					control,
				);
			} catch (error) {
				throw error instanceof Aborted ? signal.reason : error;
			}
		},
		async close() {},
	};
}

function rejectOnAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
	return new Promise((resolve, reject) => {
		const abort = () => reject(signal.reason);
		signal.addEventListener("abort", abort, { once: true });
		promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
	});
}
