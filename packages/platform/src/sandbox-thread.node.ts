import { Worker } from "node:worker_threads";
import type { FairQueue } from "./fair-queue.ts";
import type { SandboxJob, SandboxOutcome } from "./sandbox.ts";
import type { Answer, Report, Step, ThreadData } from "./sandbox-entry.node.ts";
import { THREAD_OPTIONS } from "./thread.node.ts";

/** Limited because jobs that wait for answers hold memory. */
const MAX_TASKS = 32;
const IDLE_MS = 300_000;
/**
 * A job stops itself when it has computed for its timeout. This is the extra time before its thread is ended: at a lower
 * priority than the rest of a busy machine, it may have to wait for most of it.
 */
const computeGraceMs = (timeoutMs: number) => 1000 + 9 * timeoutMs;
/** How long an aborted job may continue before its thread is ended. */
const ABORT_GRACE_MS = 100;

let lastId = 0;

/** Fits into 32 bits and is never 0. */
function createId(): number {
	lastId = (lastId % 2 ** 30) + 1;
	return lastId;
}

/** A job that is waiting or running. */
export class Task {
	readonly id = createId();
	readonly owner: string;
	thread: Thread | null = null;
	readonly job: SandboxJob;
	readonly resolve: (outcome: SandboxOutcome) => void;
	readonly reject: (error: unknown) => void;

	constructor(job: SandboxJob, resolve: Task["resolve"], reject: Task["reject"]) {
		this.job = job;
		this.owner = job.owner ?? "";
		this.resolve = resolve;
		this.reject = reject;
	}
}

/** Marks a thread that accepts no more jobs. */
const ENDED = 0;

/** Computes one step of one job at a time. Jobs that wait for an answer stay in the thread. */
export class Thread {
	readonly #worker: Worker;
	readonly #stop = new Int32Array(new SharedArrayBuffer(4));
	readonly #tasks = new Map<number, Task>();
	/** Steps for jobs of this thread that arrived while another job was computing. */
	readonly #steps: Step[] = [];
	readonly #freed: () => void;
	#computing: number | null = null;
	/** The start-up time of a new thread does not count against the job's timeout. */
	#isReady = false;
	#timer: NodeJS.Timeout | undefined;
	#isOverdue = false;

	/** `freed` is called when it can take the next step, `ended` when the thread has exited. */
	constructor(freed: () => void, ended: () => void) {
		this.#freed = freed;
		this.#worker = new Worker(new URL("./sandbox-entry.node.ts", import.meta.url), {
			workerData: { stop: this.#stop } satisfies ThreadData,
			...THREAD_OPTIONS,
		});
		this.#worker.on("message", (report: Report) => this.#report(report));
		this.#worker.on("error", (error: unknown) => this.#fail(error));
		this.#worker.on("exit", () => {
			this.#fail(new Error("the thread that ran the code has ended"));
			ended();
		});
	}

	isComputing(owner: string): boolean {
		return this.#computing !== null && this.#tasks.get(this.#computing)?.owner === owner;
	}

	/** If it is free, continues one of its own jobs or takes a waiting one. */
	takeNext(waiting: FairQueue<Task>, mayCompute: (owner: string) => boolean): void {
		if (this.#computing !== null) return;
		const step = this.#nextStep(mayCompute) ?? this.#take(waiting, mayCompute);
		if (step === null) this.#rest();
		else this.#send(step);
	}

	#nextStep(mayCompute: (owner: string) => boolean): Step | undefined {
		const place = this.#steps.findIndex(({ id }) => {
			const task = this.#tasks.get(id);
			return task === undefined || mayCompute(task.owner);
		});
		return place === -1 ? undefined : this.#steps.splice(place, 1)[0];
	}

	#take(waiting: FairQueue<Task>, mayCompute: (owner: string) => boolean): Step | null {
		const task = this.#tasks.size < MAX_TASKS ? waiting.shift(mayCompute) : undefined;
		if (task === undefined) return null;
		const { http, owner: _, input, ...job } = task.job;
		try {
			const text = typeof input === "string" ? input : input();
			task.thread = this;
			this.#tasks.set(task.id, task);
			return { kind: "run", id: task.id, job: { ...job, input: text }, asks: http !== undefined };
		} catch (error) {
			task.reject(error);
			return this.#take(waiting, mayCompute);
		}
	}

	abort(task: Task): void {
		if (!this.#tasks.delete(task.id)) return;
		if (this.#computing !== task.id) this.#steps.push({ kind: "abort", id: task.id });
		else {
			Atomics.store(this.#stop, 0, task.id);
			this.#endAfter(ABORT_GRACE_MS);
		}
		if (this.#isOverdue) this.#endIfAlone();
		this.#freed();
	}

	async end(reason: Error): Promise<void> {
		this.#fail(reason);
		await this.#worker.terminate();
	}

	#send(step: Step): void {
		this.#computing = step.id;
		this.#worker.ref();
		this.#endInTime();
		this.#worker.postMessage(step);
	}

	#report(report: Report): void {
		// Sent before it noticed: a job that it took now would be lost.
		if (this.#computing === ENDED) return;
		if (report.kind === "ready") {
			this.#isReady = true;
			this.#endInTime();
		}
		if (report.kind === "ask") void this.#ask(report);
		if (report.kind === "outcome") {
			this.#tasks.get(report.id)?.resolve(report.outcome);
			this.#tasks.delete(report.id);
		}
		if (report.kind === "free" || (report.kind === "outcome" && report.free)) {
			clearTimeout(this.#timer);
			this.#computing = null;
			this.#isOverdue = false;
			this.#freed();
		}
	}

	async #ask({ id, request, text }: Report & { kind: "ask" }): Promise<void> {
		const answer = await this.#answer(id, text);
		if (!this.#tasks.has(id)) return;
		this.#steps.push({ kind: "answer", id, request, answer });
		this.#freed();
	}

	async #answer(id: number, text: string): Promise<Answer> {
		try {
			return { text: (await this.#tasks.get(id)?.job.http?.(text)) ?? "null" };
		} catch (error) {
			return { error: error instanceof Error ? error.message : String(error) };
		}
	}

	#endInTime(): void {
		const { timeoutMs } = this.#tasks.get(this.#computing ?? 0)?.job.limits ?? { timeoutMs: 0 };
		this.#endAfter(timeoutMs + computeGraceMs(timeoutMs));
	}

	#endAfter(ms: number): void {
		clearTimeout(this.#timer);
		if (!this.#isReady) return;
		this.#timer = setTimeout(() => {
			this.#isOverdue = true;
			const id = this.#computing ?? 0;
			const task = this.#tasks.get(id);
			this.#tasks.delete(id);
			task?.resolve({
				ok: false,
				reason: "timeout",
				error: `the code computed for longer than ${task.job.limits.timeoutMs} ms`,
				log: [],
			});
			this.#endIfAlone();
		}, ms);
	}

	/** Ends the thread only if no other job is waiting for an answer in it. */
	#endIfAlone(): void {
		if (this.#tasks.size === 0) void this.end(new Error("the thread was ended"));
	}

	#rest(): void {
		if (this.#tasks.size > 0) return;
		this.#worker.unref();
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.#endIfAlone(), IDLE_MS).unref();
	}

	/** Fails its jobs, and takes no more. */
	#fail(error: unknown): void {
		this.#computing = ENDED;
		clearTimeout(this.#timer);
		for (const task of this.#tasks.values()) task.reject(error);
		this.#tasks.clear();
	}
}
