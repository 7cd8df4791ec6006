import { ACCEPTED_RUN } from "@tripline/contract/accepted-runs";
import type { EntryPage } from "@tripline/contract/entries";
import { Failed } from "@tripline/contract/failures";
import type { Background } from "@tripline/platform/background";
import { type Clock, unixSeconds } from "@tripline/platform/clock";
import { type Log, toErrorFields } from "@tripline/platform/log";
import type { StoreClient } from "@tripline/store/client";
import { readStoredSource } from "../domain/saved-workflow.ts";
import { type AcceptedRuns, TOO_MANY_WAITING } from "./accepted.ts";
import { readUnfinished } from "./accepted-run.ts";
import type { Runs } from "./admitted.ts";
import type { DueRun } from "./due-run.ts";
import { type Executions, newExecutionId } from "./execute.ts";
import type { RunLeases } from "./leases.ts";
import type { Polls } from "./polls.ts";
import { SKIPPED } from "./refusals.ts";
import { isPolling, type Runnable, type Runnables } from "./runnable.ts";

export interface StartedDue {
	/** False if, for example, another replica claimed it first. */
	readonly started: boolean;
	/** Its next occurrence is due as well. */
	readonly isDueAgain: boolean;
}

/** Spreads due runs over a tree of invocations: one splits them into parts, and each part starts its runs in others. */
export interface FanOut {
	/** Starts one run in its own invocation. */
	start(due: DueRun, since: number): Promise<StartedDue>;
	/** Starts several runs through another invocation. Returns how many scheduled runs were started. */
	startPart(due: readonly DueRun[], since: number): Promise<number>;
	/** How many calls one invocation may make. */
	readonly callsPerInvocation: number;
	/** How many effects of a run, each with the record of its outcome, fit into one invocation. */
	readonly effectsPerInvocation: number;
	/** How many runs a request that repeats many starts. */
	readonly replaysPerInvocation: number;
}

interface Ticked {
	readonly scanned: number;
	readonly triggered: number;
}

type Scheduled = Pick<DueRun, "id" | "owner_id" | "page_name">;

const NOT_STARTED: StartedDue = { started: false, isDueAgain: false };
/** Concurrent claims; each is a write to the store. */
const MAX_CLAIMS_AT_ONCE = 32;
const PAGE_SIZE = 1000;
const NOT_STARTABLE = "due runs could not be started";
/** Seconds. A longer gap between ticks counts as downtime: the process did not run, or the machine slept. */
const MAX_PAUSE_SECONDS = 600;

/** Starts scheduled runs and takes over abandoned accepted ones. */
export function schedule(deps: {
	readonly store: StoreClient;
	readonly runnables: Runnables;
	readonly accepted: AcceptedRuns;
	readonly clock: Clock;
	readonly log: Log;
	readonly background: Background;
	readonly runs: Runs;
	readonly leases: RunLeases;
	readonly fail: Executions["fail"];
	readonly cancel: Executions["cancel"];
	readonly polls: Polls;
	/** True on Workers: an invocation may end without notice, so no run is assumed to be still running. */
	readonly isolatesRequests: boolean;
	/** Omitted: runs start in this process. */
	readonly fanOut?: FanOut | undefined;
	/** Names this process, if several serve the deployment. */
	readonly holder?: string | undefined;
	/** Unix seconds. Omitted on Workers, where it is unknown: the service is assumed to have run without interruption. */
	readonly startedAt?: number | undefined;
}) {
	const { store, clock, log, fanOut } = deps;
	const start = fanOut?.start ?? runDue;
	/** Ids of due workflow entries that wait for a place in this process. */
	const waitingIds = new Set<string>();
	let lastTick = deps.startedAt;
	/** Unix seconds since when ticks have come without downtime, so that no occurrence was missed. */
	let watchedSince = deps.startedAt === undefined ? 0 : deps.startedAt + 1;

	return {
		/** Called every minute on every platform. Starts everything that is due now. */
		async tick(): Promise<void> {
			const now = unixSeconds(clock);
			const since = advanceWatch(now);
			const { scanned, triggered } = await (fanOut === undefined
				? tickHere(now, since)
				: tickElsewhere(fanOut, now, since));
			await deps.accepted.waking?.lookAhead();
			log("info", `cron: scanned=${scanned} triggered=${triggered}`);
		},

		/** Takes over all accepted runs that were in progress, because the process that ran them is gone. */
		async recover(): Promise<void> {
			await deps.leases.clear();
			await deps.accepted.resumeAll();
		},

		/** Takes over the accepted runs of one of several processes that has ended, unless another one does. */
		async takeOver(from: string): Promise<boolean> {
			const { holder } = deps;
			if (holder === undefined) return false;
			try {
				if (!(await store.processes.takeOver({ holder, from }))) return false;
				await deps.accepted.resumeAll(holder);
				return true;
			} catch (error) {
				deps.accepted.suspectStranded();
				throw error;
			}
		},

		runDue,
		startDue: start,

		/** Starts a part of the runs that a tick found due. Returns how many scheduled runs were started. */
		runDuePart: (due: readonly DueRun[], since: number): Promise<number> => startAll(due, since),
	};

	async function tickHere(now: number, since: number): Promise<Ticked> {
		let scanned = 0;
		let triggered = 0;
		let cursor: string | null = null;
		do {
			const filter = { now, limit: PAGE_SIZE, ...(cursor !== null && { cursor }) };
			const page: EntryPage = await store.schedules.listDue(filter);
			scanned = page.scheduled ?? scanned;
			triggered += await startAll(page.entries, since);
			cursor = page.next_cursor;
		} while (cursor !== null);
		return { scanned, triggered };
	}

	/** Runs beyond what two levels of invocations can start stay due for the next tick. */
	async function tickElsewhere(out: FanOut, now: number, since: number): Promise<Ticked> {
		const max = out.callsPerInvocation;
		const limit = Math.min(max * max, PAGE_SIZE);
		const { due, scheduled: scanned } = await store.schedules.listDueInTurns({ now, limit });
		if (due.length <= max) return { scanned, triggered: await startAll(due, since) };
		const parts = Array.from({ length: max }, (_, nth) => due.filter((_each, index) => index % max === nth));
		const counts = await Promise.all(
			parts.map((part) =>
				out.startPart(part, since).catch((error: unknown) => {
					log("error", NOT_STARTABLE, { count: part.length, ...toErrorFields(error) });
					return 0;
				}),
			),
		);
		return { scanned, triggered: counts.reduce((sum, count) => sum + count, 0) };
	}

	/** The time from which every occurrence runs. Of earlier, missed occurrences only the latest runs. */
	function advanceWatch(now: number): number {
		const isPaused = lastTick !== undefined && now - lastTick > MAX_PAUSE_SECONDS;
		// The clock was set back; start over.
		if (isPaused || now < watchedSince - 1) watchedSince = now + 1;
		lastTick = now;
		return Math.max(watchedSince, now - MAX_PAUSE_SECONDS);
	}

	/** Returns how many scheduled runs were started. A failure of one does not stop the others. */
	async function startAll(entries: readonly DueRun[], since: number): Promise<number> {
		const waiting = [...entries];
		let left = fanOut?.callsPerInvocation ?? Number.POSITIVE_INFINITY;
		let started = 0;
		let failed = 0;
		let failure: unknown;
		const work = async () => {
			for (let due = waiting.shift(); due !== undefined && left > 0; due = waiting.shift()) {
				left--;
				try {
					const outcome = await start(due, since);
					if (outcome.started && due.entry_type !== ACCEPTED_RUN) started++;
					// At the end, so that every workflow gets its first run before any gets its second.
					if (outcome.isDueAgain) waiting.push(due);
				} catch (error) {
					failed++;
					failure ??= error;
				}
			}
		};
		await Promise.all(Array.from({ length: MAX_CLAIMS_AT_ONCE }, work));
		if (failed > 0) log("error", NOT_STARTABLE, { count: failed, ...toErrorFields(failure) });
		return started;
	}

	/** Starts the oldest due occurrence when there is a place, without waiting for the place or the run. */
	async function runDue(due: DueRun, since: number): Promise<StartedDue> {
		if (due.entry_type === ACCEPTED_RUN) return takeOver(due);
		if (waitingIds.has(due.id)) return NOT_STARTED;
		if (deps.runs.takePlace(due.owner_id)) return startInPlace(due, since, due);
		if (!deps.isolatesRequests) waitingIds.add(due.id);
		const { id, owner_id, page_name } = due;
		deps.background.run("scheduled run", () => startWhenRoom({ id, owner_id, page_name }, since));
		return NOT_STARTED;
	}

	async function takeOver(due: DueRun): Promise<StartedDue> {
		const { owner_id, id, page_name, metadata_json: known, hops } = due;
		const metadata_json = known ?? (await store.entries.getById(owner_id, id))?.metadata_json;
		const isThere = metadata_json !== undefined;
		const run = isThere ? readUnfinished({ owner_id, page_name, metadata_json }) : null;
		return { started: run !== null && deps.accepted.resume({ ...run, hops }), isDueAgain: false };
	}

	/** Many may wait, so their definitions are read only when they start. */
	async function startWhenRoom(due: Scheduled, since: number): Promise<void> {
		try {
			let isDue = true;
			while (isDue && (await deps.runs.placeFor(due.owner_id)))
				isDue = (await startInPlace(due, since)).isDueAgain;
		} finally {
			waitingIds.delete(due.id);
		}
	}

	/** Everything that can throw comes before the claim: a claimed run is started or recorded as failed. */
	async function startInPlace(
		due: Scheduled,
		since: number,
		known: Pick<DueRun, "metadata_json" | "version"> = {},
	): Promise<StartedDue> {
		const run = {
			workflow: due.page_name,
			namespace: due.owner_id,
			trigger: "schedule",
			executionId: newExecutionId(clock),
			eventDepth: 0,
		} as const;
		let lease: Awaited<ReturnType<RunLeases["take"]>> | undefined;
		let isStarted = false;
		try {
			const { owner_id, id } = due;
			const workflow = known.metadata_json === undefined ? await store.entries.getById(owner_id, id) : known;
			if (workflow?.metadata_json === undefined) return NOT_STARTED;
			const runnable = await findRunnable(workflow.metadata_json, owner_id);
			const limit = typeof runnable === "string" ? undefined : runnable.getRunLimit?.("schedule");
			if (limit?.whenBusy === "skip") lease = await deps.leases.take(run, limit);
			const now = unixSeconds(clock);
			const versionNumber = workflow.version;
			const isStored =
				typeof runnable !== "string" &&
				!isPolling(runnable) &&
				lease !== null &&
				deps.accepted.isStored({ ...run, runnable, input: {} });
			const { claimed, accepted, occurrence, next_run_at } = await store.schedules.claim({
				...{ owner_id, id, now, since },
				...(isStored && { run: deps.accepted.describe({ ...run, runnable, input: {} }) }),
			});
			const isDueAgain = next_run_at !== null && Date.parse(next_run_at) <= now * 1000;
			if (!claimed) return { started: false, isDueAgain };
			const request = { ...run, versionNumber, input: { scheduled_at: occurrence } };
			if (typeof runnable === "string") {
				deps.fail(request, runnable);
				return { started: false, isDueAgain };
			}
			if (isPolling(runnable)) {
				// The next occurrence, which is due too, reads everything that this one would.
				if (!isDueAgain)
					deps.polls.start({ ...request, runnable, entryId: id, occurrence: occurrence ?? "" });
				return { started: true, isDueAgain };
			}
			if (lease === null) {
				deps.cancel(request, SKIPPED);
				log("info", "run skipped", { namespace: owner_id, workflow: run.workflow });
				return { started: false, isDueAgain };
			}
			if (accepted === false) {
				deps.fail(request, TOO_MANY_WAITING);
				return { started: false, isDueAgain };
			}
			isStarted = true;
			if (isStored) {
				deps.accepted.startStored({ ...request, runnable });
				return { started: true, isDueAgain };
			}
			const finished = deps.runs.run({ ...request, runnable });
			deps.background.run("scheduled run", async () => finished);
			return { started: true, isDueAgain };
		} catch (error) {
			deps.accepted.suspectStranded();
			throw error;
		} finally {
			deps.accepted.settle(run.executionId);
			if (!isStarted) deps.runs.leavePlace(due.owner_id);
			if (!isStarted && lease) deps.leases.release(run);
		}
	}

	/** The workflow, or the reason why it can no longer run. */
	async function findRunnable(definition: string, namespace: string): Promise<Runnable | string> {
		try {
			return await deps.runnables.get(definition, readStoredSource, namespace);
		} catch (error) {
			if (error instanceof Failed) return error.message;
			throw error;
		}
	}
}
