import { readFile } from "node:fs/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parentPort, workerData } from "node:worker_threads";
import { buildMeteredQuickJs, getOriginalQuickJsUrl } from "@tripline/sandbox/artifact";
import { Aborted } from "@tripline/sandbox/job";
import { Pool } from "@tripline/sandbox/pool";
import type { SandboxJob, SandboxOutcome } from "./sandbox.ts";
import { lowerPriority } from "./thread.node.ts";

/** A message to the thread. It responds to each with `free`, or with an outcome whose `free` is true. */
export type Step =
	| {
			readonly kind: "run";
			readonly id: number;
			readonly job: Omit<SandboxJob, "http" | "input"> & { readonly input: string };
			readonly asks: boolean;
	  }
	| { readonly kind: "answer"; readonly id: number; readonly request: number; readonly answer: Answer }
	/** For a job that is waiting for an answer. */
	| { readonly kind: "abort"; readonly id: number };

export type Answer = { readonly text: string } | { readonly error: string };

export type Report =
	| {
			readonly kind: "outcome";
			readonly id: number;
			readonly outcome: SandboxOutcome;
			readonly free: boolean;
	  }
	| { readonly kind: "ask"; readonly id: number; readonly request: number; readonly text: string }
	| { readonly kind: "ready" | "free" };

export interface ThreadData {
	/** The id of a computing job that must stop. */
	readonly stop: Int32Array;
}

const { stop } = workerData as ThreadData;
lowerPriority();
const original = await readFile(new URL(getOriginalQuickJsUrl()));
const pool = new Pool(await WebAssembly.compile(await buildMeteredQuickJs(original)));

/** A job that may make requests. */
interface Asking {
	isAborted: boolean;
	readonly requests: ((answer: Answer) => void)[];
}
const asking = new Map<number, Asking>();

/** V8 does not account for the engines' memory, so hundreds of megabytes of garbage could accumulate. */
const MAX_DROPPED_BYTES = 32 * 1024 * 1024;
let dropped = 0;
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const report = (message: Report) => parentPort?.postMessage(message);

parentPort?.on("message", (step: Step) => {
	if (step.kind === "run") run(step);
	else continueJob(step);
});

report({ kind: "ready" });

function continueJob(step: Exclude<Step, { kind: "run" }>): void {
	const job = asking.get(step.id);
	if (job !== undefined && step.kind === "abort") {
		job.isAborted = true;
		for (const answer of job.requests) answer({ error: "aborted" });
	}
	if (step.kind === "answer") job?.requests[step.request]?.(step.answer);
	reportFree();
}

/** How long this thread has computed. On a busy machine it may wait much longer, which is no fault of the code. */
function computedMs(): number {
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1000;
}

function run({ id, job, asks }: Step & { kind: "run" }): void {
	const state: Asking = { isAborted: false, requests: [] };
	const control = {
		now: () => Date.now(),
		elapsed: computedMs,
		isAborted: () => state.isAborted || Atomics.load(stop, 0) === id,
	};
	const http = (text: string) =>
		new Promise<string>((resolve, reject) => {
			const request = state.requests.push((answer) =>
				"text" in answer ? resolve(answer.text) : reject(new Error(answer.error)),
			);
			report({ kind: "ask", id, request: request - 1, text });
		});
	let free = true;
	const tell = (outcome: SandboxOutcome) => report({ kind: "outcome", id, outcome, free });
	try {
		const outcome = pool.run(asks ? { ...job, http } : job, control, tell);
		if (!(outcome instanceof Promise)) {
			collectDropped();
			return;
		}
		free = false;
		asking.set(id, state);
		outcome.catch(ignoreAbort).finally(() => asking.delete(id));
	} catch (error) {
		ignoreAbort(error);
	}
	reportFree();
}

/** Ignores the error of an aborted job; any other error ends the thread. */
function ignoreAbort(error: unknown): void {
	if (!(error instanceof Aborted)) throw error;
}

/** All computation for a step runs in promises, which complete before this. */
const reportFree = () =>
	void setImmediate(() => {
		collectDropped();
		report({ kind: "free" });
	});

function collectDropped(): void {
	dropped += pool.takeDropped();
	if (dropped < MAX_DROPPED_BYTES) return;
	dropped = 0;
	collect();
}
