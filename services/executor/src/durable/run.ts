import type { WorkflowCall } from "@tripline/components/effects";
import { toBase64Url } from "@tripline/contract/bytes";
import { sha256Hex } from "@tripline/contract/ids";
import { isAttemptKey, type JournalRow, type RunJournal } from "@tripline/engine/run/journal";
import type { Cipher } from "@tripline/platform/cipher";
import type { Clock } from "@tripline/platform/clock";
import type { HeldRun } from "@tripline/platform/journal";
import { sleep } from "../runs/sleep.ts";
import { openRows, type RetainedRun, type RunStart, type StoredRow } from "./rows.ts";

/** How long a run that is to be interrupted may wait for the effects that it has started. */
const PAUSE_MS = 10_000;

const INTERRUPTED = "the run was interrupted";

/** A run whose next wait ends sooner stays in its process. */
const MIN_PARKED_MS = 1_000;
const LOOK_MS = 1_000;

const SECRET_BITS = 192;

/** All steps of a run are read when it is resumed. */
const MAX_BYTES = 512 * 1024 * 1024;
const TOO_MANY_BYTES = "what the nodes of the run gave has more than 512 MiB";

/** The run did not end: it continues in another process, or later in this one. */
export class RunStopped extends Error {
	override readonly name = "RunStopped";
	/** Until when it waits, in milliseconds. Null: it can go on at once. */
	readonly until: number | null;

	constructor(message: string, { cause, until = null }: { cause?: unknown; until?: number | null } = {}) {
		super(message, { cause });
		this.until = until;
	}
}

interface DurableRunParts {
	readonly held: HeldRun;
	readonly cipher: Cipher;
	/** The run's own, with which its steps are sealed. */
	readonly key: Uint8Array<ArrayBuffer>;
	readonly start: RunStart;
	readonly maxEffects: number;
	/** Another process may store what it waits for, and wakes it at best. */
	readonly hasPeers: boolean;
	readonly clock: Clock;
	/** The run that this one repeats from where it failed. */
	readonly earlier: RetainedRun | null;
}

/** A run that this process holds. */
export class DurableRun {
	readonly start: RunStart;
	/** How many of the last processes that took it recorded no step. */
	readonly idleTakes: number;
	/** It was cancelled, and only cleans up. */
	readonly isCancelled: boolean;
	/** Of its steps. */
	bytes: number;
	/** Why this process can no longer continue the run. */
	stopped: RunStopped | null = null;
	readonly #parts: DurableRunParts;
	readonly #controller = new AbortController();
	/** By line. */
	readonly #unwritten = new Map<string, UnwrittenRow[]>();
	#isWriting = false;
	#effectsLeft: number;
	/** Effects that have started and not returned, and outcomes that are not on disk yet. */
	#pending = 0;
	#isPausing = false;
	/** The run's own line. */
	#line: Line | null = null;
	readonly #wakes = new Set<() => void>();
	/** When the run has to end, in milliseconds, however long its nodes wait. */
	endsBy = Number.POSITIVE_INFINITY;

	constructor(parts: DurableRunParts) {
		this.#parts = parts;
		this.start = parts.start;
		this.idleTakes = parts.held.idleTakes;
		this.isCancelled = parts.held.isCancelled;
		this.bytes = parts.held.bytes;
		this.#effectsLeft = parts.maxEffects;
	}

	/** A secret text that is the same for the same purpose in every process that has the run, and that nobody else knows. */
	async deriveSecret(purpose: string): Promise<string> {
		const key = await crypto.subtle.importKey("raw", this.#parts.key, "HKDF", false, ["deriveBits"]);
		const info = new TextEncoder().encode(await sha256Hex(purpose));
		const kdf = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info };
		return toBase64Url(new Uint8Array(await crypto.subtle.deriveBits(kdf, key, SECRET_BITS)));
	}

	/** Whether the run that it repeats is still there. */
	get hasEarlier(): boolean {
		return this.#parts.earlier !== null;
	}

	/** Aborted when the run stops. */
	get signal(): AbortSignal {
		return this.#controller.signal;
	}

	cancel(): void {
		this.#stop(new RunStopped("the run was cancelled", { cause: "cancelled" }));
	}

	/** Starts no further effects, and stops when those that have started are recorded. */
	pause(): void {
		if (this.#isPausing) return;
		this.#isPausing = true;
		this.#stopIfIdle();
		setTimeout(() => this.#stop(new RunStopped(INTERRUPTED)), PAUSE_MS).unref?.();
	}

	mayStart(): boolean {
		if (this.#effectsLeft === 0) this.pause();
		if (this.#isPausing) return false;
		this.#effectsLeft -= 1;
		this.#pending += 1;
		return true;
	}

	/** An effect has returned. */
	settle(): void {
		this.#pending -= 1;
		this.#stopIfIdle();
	}

	/** A node that calls a workflow is no effect while that workflow runs: its effects are counted themselves. */
	async callWorkflow<T>(work: () => Promise<T>): Promise<T> {
		this.#effectsLeft += 1;
		return this.untracked(work);
	}

	/** What is not to be waited for before the run is interrupted. */
	async untracked<T>(work: () => Promise<T>): Promise<T> {
		this.settle();
		try {
			return await work();
		} finally {
			this.#pending += 1;
		}
	}

	/** Stops a run in which nothing happens until a wait ends. Whoever stored it resumes it then. */
	parkIfResting(): void {
		const until = this.#line?.restsUntil ?? null;
		if (until === null || this.#isPausing) return;
		const end = Math.min(until, this.endsBy);
		if (end - this.#parts.clock.now() > MIN_PARKED_MS)
			this.#stop(new RunStopped("the run waits", { until: end }));
	}

	/** In a later turn, because the run may end, or record what an effect returned, once it goes on. */
	#stopIfIdle(): void {
		if (!this.#isPausing || this.#pending > 0) return;
		setTimeout(() => {
			if (this.#pending === 0) this.#stop(new RunStopped(INTERRUPTED));
		}, 0);
	}

	#stop(reason: RunStopped): void {
		if (this.stopped !== null) return;
		this.stopped = reason;
		this.#controller.abort(reason);
	}

	/** The steps of the run itself, whose line is the empty text, or of a workflow that one of its nodes calls. */
	async openLine(
		name: string,
		{
			earlierName = name,
			isCancelled = this.isCancelled,
			caller = null,
		}: { earlierName?: string; isCancelled?: boolean; caller?: Line | null } = {},
	): Promise<Line> {
		const { held, cipher, earlier } = this.#parts;
		const before = earlier === null ? [] : await earlier.list(earlierName);
		const rows = await openRows<StoredRow>(held, cipher, name);
		const line = new Line(this, {
			...{ name, rows, isCancelled, caller, earlier: { name: earlierName, rows: before } },
		});
		if (name === "") this.#line = line;
		return line;
	}

	/** Something that the run waits for may have happened. */
	wake(): void {
		for (const wake of this.#wakes) wake();
	}

	/** How long it waits before it looks whether it has been woken, in milliseconds. */
	get maxSleep(): number {
		return this.#parts.hasPeers ? LOOK_MS : Number.POSITIVE_INFINITY;
	}

	onWake(wake: () => void): () => void {
		this.#wakes.add(wake);
		return () => this.#wakes.delete(wake);
	}

	/** In milliseconds. */
	get now(): number {
		return this.#parts.clock.now();
	}

	/** The line of a called workflow, with the last attempt of the same call in the run that this one repeats. */
	async openCall(
		caller: Line,
		{ step, attempt, isCancelled }: Pick<WorkflowCall, "step" | "attempt" | "isCancelled">,
	): Promise<Line> {
		const { earlier } = this.#parts;
		const build = (line: string, number: number) => `${line}/${number}:${step}`;
		let last = 0;
		while (earlier !== null && (await earlier.list(build(caller.earlierName, last + 1))).length > 0)
			last += 1;
		const earlierName = build(caller.earlierName, last);
		return this.openLine(build(caller.name, attempt), { earlierName, isCancelled, caller });
	}

	/** Rows that come while others are being written are sealed and written together. */
	append(line: string, row: StoredRow): Promise<void> {
		if (this.stopped !== null) return Promise.reject(this.stopped);
		if (this.bytes > MAX_BYTES) return Promise.reject(new Error(TOO_MANY_BYTES));
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		const batch = this.#unwritten.get(line);
		const waiting = { row, resolve, reject };
		if (batch === undefined) this.#unwritten.set(line, [waiting]);
		else batch.push(waiting);
		this.#pending += 1;
		if (!this.#isWriting) void this.#writeAll();
		return promise;
	}

	async #writeAll(): Promise<void> {
		this.#isWriting = true;
		while (this.#unwritten.size > 0) {
			const batches = [...this.#unwritten];
			this.#unwritten.clear();
			try {
				await Promise.all(
					batches.map(([line, batch]) =>
						this.write(
							line,
							batch.map(({ row }) => row),
						),
					),
				);
			} catch (error) {
				this.#stop(new RunStopped(error instanceof Error ? error.message : String(error), { cause: error }));
			}
			for (const { resolve, reject } of batches.flatMap(([, batch]) => batch)) {
				this.settle();
				if (this.stopped === null) resolve();
				else reject(this.stopped);
			}
		}
		this.#isWriting = false;
	}

	async write(line: string, batch: readonly object[]): Promise<void> {
		const { cipher, held } = this.#parts;
		const sealed = cipher.seal(JSON.stringify(batch));
		const bytes = sealed instanceof Promise ? await sealed : sealed;
		this.bytes += bytes.length;
		await held.append(line, bytes);
	}
}

/** Of the row that says how a called workflow began, if a wait comes before its first step. */
const START_KEY = "start";

interface UnwrittenRow {
	readonly row: StoredRow;
	readonly resolve: () => void;
	readonly reject: (reason: RunStopped) => void;
}

/** The journal of a run, or of a workflow that it calls. */
export class Line implements RunJournal {
	readonly run: DurableRun;
	readonly name: string;
	readonly rows: readonly JournalRow[];
	readonly isCancelled: boolean;
	/** Files that the run gained in earlier processes. */
	readonly files: readonly string[];
	/** Gives the files that the run gained since the last call. */
	takeFiles: (() => readonly string[]) | null = null;
	/** How the called workflow began; null for the run itself, and while nothing is recorded. */
	readonly start: RunStart | null;
	#newStart: RunStart | null = null;
	/** Null for the run itself. */
	readonly #caller: Line | null;
	/** The name of the line in the run that this one repeats. */
	readonly earlierName: string;
	/** Its outputs, by step. */
	readonly #earlier: ReadonlyMap<string, StoredRow>;
	/** Attempts that have started and not returned. */
	#inProgress = 0;
	/** When the waits of such attempts end, in milliseconds. */
	readonly #waits = new Set<{ readonly until: number }>();
	/** The lines of workflows that such attempts have called. */
	readonly #calls = new Set<Line>();
	/** Whether nothing happens until an attempt returns. */
	#isResting = false;

	constructor(run: DurableRun, { name, rows, isCancelled, caller, earlier }: LineParts) {
		this.run = run;
		this.name = name;
		this.rows = rows.filter(({ key }) => key !== START_KEY);
		this.#caller = caller;
		this.isCancelled = isCancelled;
		this.files = [...rows, ...earlier.rows].flatMap(({ files = [] }) => files);
		this.start = rows[0]?.start ?? null;
		this.earlierName = earlier.name;
		this.#earlier = new Map(earlier.rows.filter(hasOutput).map((row) => [readStep(row.key), row]));
	}

	findEarlier(step: string): StoredRow | undefined {
		return this.#earlier.get(step);
	}

	/** Says how a called workflow begins, which is recorded with its first step, or before it waits. */
	begin(start: RunStart): void {
		this.#newStart = start;
	}

	/** Otherwise a workflow that has recorded no step when the run leaves its process would begin anew. */
	async #recordStart(): Promise<void> {
		if (this.#caller !== null) await this.#caller.#recordStart();
		const start = this.#newStart;
		if (start === null) return;
		this.#newStart = null;
		await this.run.append(this.name, { key: START_KEY, time: this.run.now, outcome: null, start });
	}

	append(row: JournalRow): Promise<void> {
		this.#isResting = false;
		const files = this.takeFiles?.() ?? [];
		const start = this.#newStart;
		this.#newStart = null;
		const stored = { ...row, ...(files.length > 0 && { files }), ...(start !== null && { start }) };
		return this.run.append(this.name, stored);
	}

	mayStart(): boolean {
		const may = this.run.mayStart();
		if (may) this.#inProgress += 1;
		return may;
	}

	settle(): void {
		this.#inProgress -= 1;
		this.run.settle();
	}

	rest(): void {
		this.#isResting = true;
		this.run.parkIfResting();
	}

	/** Until when nothing happens, in milliseconds; null if it is not known. */
	get restsUntil(): number | null {
		const waiting = this.#waits.size + this.#calls.size;
		if (!this.#isResting || waiting === 0 || this.#inProgress > waiting) return null;
		let earliest = Number.POSITIVE_INFINITY;
		for (const { until } of this.#waits) earliest = Math.min(earliest, until);
		for (const call of this.#calls) {
			const until = call.restsUntil;
			if (until === null) return null;
			earliest = Math.min(earliest, until);
		}
		return earliest;
	}

	/** An attempt of this line calls a workflow, whose line is given. */
	async during<T>(call: Line, work: () => Promise<T>): Promise<T> {
		this.#calls.add(call);
		try {
			return await work();
		} finally {
			this.#calls.delete(call);
		}
	}

	/**
	 * An attempt of this line waits until then, in milliseconds, or until it is found that it need not. The run may be stopped
	 * meanwhile. Null if nothing was found.
	 */
	waitUntil<T>(until: number, signal: AbortSignal, find: () => Promise<T | null>): Promise<T | null> {
		return this.run.untracked(async () => {
			if (until - this.run.now > MIN_PARKED_MS) await this.#recordStart();
			for (;;) {
				// A run that has left must not take an answer: it is resumed only for one that nobody has taken.
				signal.throwIfAborted();
				const { promise: woken, resolve } = Promise.withResolvers<void>();
				// Before it looks, so that nothing that happens meanwhile is missed.
				const forget = this.run.onWake(resolve);
				try {
					const found = await find();
					if (found !== null || until <= this.run.now) return found;
					await this.#wait(until, signal, woken);
				} finally {
					forget();
				}
			}
		});
	}

	async #wait(until: number, signal: AbortSignal, woken: Promise<void>): Promise<void> {
		const over = new AbortController();
		const wait = { until };
		this.#waits.add(wait);
		try {
			this.run.parkIfResting();
			const next = Math.min(until, this.run.now + this.run.maxSleep);
			await Promise.race([woken, sleepUntil(next, this.run, AbortSignal.any([signal, over.signal]))]);
		} finally {
			this.#waits.delete(wait);
			over.abort();
		}
	}
}

/** Timers with longer delays fire immediately. */
const MAX_TIMER_MS = 2_147_483_647;

async function sleepUntil(
	until: number,
	clock: { readonly now: number },
	signal: AbortSignal,
): Promise<void> {
	for (let left = until - clock.now; left > 0; left = until - clock.now)
		await sleep(Math.min(left, MAX_TIMER_MS), signal);
}

interface RecordedLine {
	readonly name: string;
	readonly rows: readonly StoredRow[];
}

interface LineParts extends RecordedLine {
	readonly isCancelled: boolean;
	/** Null for the run itself. */
	readonly caller: Line | null;
	/** Of the run that this one repeats. */
	readonly earlier: RecordedLine;
}

/** Whether it is an attempt that succeeded. That one waits is recorded with a value too, which is no output. */
const hasOutput = ({ key, outcome }: StoredRow): boolean =>
	isAttemptKey(key) && outcome !== null && "value" in outcome;

/** Of the key of an attempt. */
const readStep = (key: string): string => key.slice(key.indexOf(":") + 1);
