import { NO_PROCESS } from "@tripline/contract/run-leases";
import type { Background } from "@tripline/platform/background";
import type { Clock } from "@tripline/platform/clock";
import { type Log, toErrorFields } from "@tripline/platform/log";
import { noSignals, type Signals } from "@tripline/platform/signals";
import type { StoreClient } from "@tripline/store/client";
import { getWorkflowKey } from "../domain/address.ts";
import type { RunLimit } from "../domain/run-limits.ts";
import { getOwner, type RunRequest } from "./execute.ts";
import { busy, inProgress } from "./refusals.ts";

type LeasedRun = Pick<RunRequest, "executionId" | "namespace" | "workflow" | "address">;

const LEASE_MARGIN_MS = 10_000;
/** Another process may have freed a lease without waking this one's callers. */
const RETRY_MS = 1_000;
/** On Workers each attempt is a subrequest, of which an invocation has few. */
const MAX_ATTEMPTS = 20;
const MAX_PAUSE_MS = 2_000;
const RELEASED = "lease";

export type RunLeases = ReturnType<typeof runLeases>;

/**
 * Counts the runs of workflows that limit them. A run in progress holds a lease in the store, so the limit also holds
 * between processes and between invocations of a Worker, and a process that dies frees its leases when they end.
 */
export function runLeases(deps: {
	readonly store: StoreClient;
	readonly log: Log;
	readonly background: Background;
	readonly clock: Clock;
	readonly runTimeoutMs: number;
	/** Names this process. */
	readonly holder: string;
	/** How many callers may wait for a lease. */
	readonly queue: { readonly max: number; readonly perNamespace: number };
	/** True on Workers: a request must not await another request's promise, so callers poll. */
	readonly isolatesRequests: boolean;
	readonly signals?: Signals | undefined;
	/** Starts the accepted run that waits longest for a workflow. */
	startNext(run: {
		readonly id: string;
		readonly owner_id: string;
		readonly page_name: string;
	}): Promise<unknown>;
}) {
	const { store, log, signals = noSignals } = deps;
	/** Callers who wait, by workflow: each goes after the one before it. */
	const lines = new Map<string, Promise<void>>();
	const wakes = new Map<string, () => void>();
	const waiting = new Map<string, number>();
	let waitCount = 0;
	let isClosing = false;
	signals.on(RELEASED, (key) => wakes.get(key)?.());

	return {
		take,
		release,
		describe,

		/** For a run whose caller waits. Throws if the workflow is busy and skips, or if too many callers wait. */
		async enter(run: LeasedRun, limit: RunLimit): Promise<void> {
			const key = buildLineKey(run);
			const mayTry = limit.max === null || !lines.has(key);
			if (mayTry && (await take(run, limit)) !== null) return;
			if (limit.whenBusy === "skip") throw inProgress();
			await waitCounted(getOwner(run), () =>
				deps.isolatesRequests ? poll(run, limit) : waitInLine(key, run, limit),
			);
		},

		/** Keeps the lease of a run that leaves its process until then, in milliseconds. */
		async keep(run: LeasedRun, limit: RunLimit, until: number): Promise<void> {
			const seconds = Math.ceil((until - deps.clock.now() + deps.runTimeoutMs + LEASE_MARGIN_MS) / 1000);
			const lease = { owner_id: getOwner(run), id: run.executionId, ...describe(run, limit) };
			await store.runLeases.take({ ...lease, seconds, holder: NO_PROCESS });
		},

		/** How many callers wait for a lease. */
		countWaiting: (): number => waitCount,

		/** Frees the leases of processes that have ended. Call it only if no other process runs. */
		clear: () => store.runLeases.clear(deps.holder),

		close(): void {
			isClosing = true;
			for (const wake of wakes.values()) wake();
		},
	};

	/** What a claim of an accepted run needs to take its lease with it. */
	function describe(run: Pick<LeasedRun, "address" | "workflow">, { max, timeoutMs }: RunLimit) {
		const seconds = Math.ceil((Math.max(deps.runTimeoutMs, timeoutMs) + LEASE_MARGIN_MS) / 1000);
		return { workflow: getKey(run), seconds, holder: deps.holder, ...(max !== null && { max }) };
	}

	/** Takes a lease or extends it. Null if the workflow is busy. */
	async function take(run: LeasedRun, limit: RunLimit): Promise<{ readonly created: boolean } | null> {
		const lease = { owner_id: getOwner(run), id: run.executionId, ...describe(run, limit) };
		const { taken, created } = await store.runLeases.take(lease);
		return taken ? { created } : null;
	}

	/** Frees the lease after the run and starts what waits. */
	function release(run: LeasedRun): void {
		deps.background.run("release of a lease", async () => {
			const owner_id = getOwner(run);
			try {
				const lease = { owner_id, workflow: getKey(run), id: run.executionId };
				const { next } = await store.runLeases.release(lease);
				wakes.get(buildLineKey(run))?.();
				signals.send(RELEASED, buildLineKey(run));
				if (next !== null) await deps.startNext({ owner_id, ...next });
			} catch (error) {
				// The lease ends by itself, and the next run is started by a tick.
				log("error", "lease not released, or the next run not started", toErrorFields(error));
			}
		});
	}

	async function waitCounted(owner: string, work: () => Promise<void>): Promise<void> {
		const ahead = waiting.get(owner) ?? 0;
		if (isClosing || waitCount >= deps.queue.max || ahead >= deps.queue.perNamespace) throw busy();
		waitCount++;
		waiting.set(owner, ahead + 1);
		try {
			await work();
		} finally {
			waitCount--;
			const left = (waiting.get(owner) ?? 1) - 1;
			if (left === 0) waiting.delete(owner);
			else waiting.set(owner, left);
		}
	}

	async function waitInLine(key: string, run: LeasedRun, limit: RunLimit): Promise<void> {
		const before = lines.get(key);
		const mine = waitForTurn(before, key, run, limit);
		const settled = mine.catch(() => {});
		lines.set(key, settled);
		try {
			await mine;
		} finally {
			if (lines.get(key) === settled) lines.delete(key);
		}
	}

	async function waitForTurn(
		before: Promise<void> | undefined,
		key: string,
		run: LeasedRun,
		limit: RunLimit,
	) {
		await before;
		for (;;) {
			if (isClosing) throw busy();
			// Before the attempt, so that a lease that is freed meanwhile is not missed.
			const woken = waitForWake(key);
			try {
				if ((await take(run, limit)) !== null) return;
				await woken.promise;
			} finally {
				woken.stop();
			}
		}
	}

	function waitForWake(key: string) {
		const { promise, resolve } = Promise.withResolvers<void>();
		const timer = setTimeout(resolve, RETRY_MS);
		wakes.set(key, resolve);
		const stop = () => {
			clearTimeout(timer);
			wakes.delete(key);
		};
		return { promise, stop };
	}

	async function poll(run: LeasedRun, limit: RunLimit): Promise<void> {
		for (let attempt = 0, pause = 100; attempt < MAX_ATTEMPTS; attempt++, pause *= 2) {
			await new Promise((resolve) => setTimeout(resolve, Math.min(pause, MAX_PAUSE_MS)));
			if ((await take(run, limit)) !== null) return;
		}
		throw busy();
	}
}

const getKey = ({ address, workflow }: Pick<LeasedRun, "address" | "workflow">): string =>
	address === undefined ? workflow : getWorkflowKey(address);

const buildLineKey = (run: LeasedRun): string => `${getOwner(run)}\n${getKey(run)}`;
