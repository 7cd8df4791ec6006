import { ACCEPTED_RUN, MAX_PARKED_RUNS } from "@tripline/contract/accepted-runs";
import { Failed } from "@tripline/contract/failures";
import type { RunResult } from "@tripline/contract/workflows";
import { type Clock, unixSeconds } from "@tripline/platform/clock";
import { RunLost } from "@tripline/platform/journal";
import { type Log, toErrorFields } from "@tripline/platform/log";
import type { StoreClient } from "@tripline/store/client";
import { type ChatReplies, STOPPED, toTurnEnd } from "../chat/replies.ts";
import { type Address, getWorkflowKey, resolveAddress } from "../domain/address.ts";
import { type DurableRun, RunStopped } from "../durable/run.ts";
import type { DurableRuns } from "../durable/runs.ts";
import { type Ended, readUnfinished, type Waiting } from "./accepted-run.ts";
import type { Runs } from "./admitted.ts";
import type { DueRun } from "./due-run.ts";
import { type Executions, type Finished, getOwner, type RunRequest } from "./execute.ts";
import type { RunLeases } from "./leases.ts";

/** A workflow that an accepted run starts. */
export interface FoundRun extends Pick<RunRequest, "runnable" | "versionNumber"> {
	/** Its present name, if it was renamed since. */
	readonly workflow?: string;
}

/** A run that crashes its process must not be retried forever. */
const MAX_ATTEMPTS = 5;
/** The same for durable runs, which wait longer and longer in between. */
const MAX_IDLE_TAKES = 20;
const INTERRUPTED = "the run was interrupted too often";
const NO_STEPS = "the steps of the run that it repeats are no longer kept";
const NO_ROWS = "no further run can be repeated from where it failed today: DURABLE_DAILY_ROWS is reached";
const TOO_MANY_PARKED = `${MAX_PARKED_RUNS} runs of this namespace wait already, which is the maximum`;
export const CANCELLED = "cancelled";
const RETENTION_SECONDS = 7 * 24 * 60 * 60;
/** How long the steps of a run that has ended stay if its process dies before it deletes them. */
const MAX_LEFT_SECONDS = 60 * 60;
/** Workers' plans allow 32 invocations in a chain. */
const MAX_HOPS = 20;

export interface RunToEndParts {
	readonly store: StoreClient;
	readonly clock: Clock;
	readonly log: Log;
	readonly runs: Runs;
	readonly fail: Executions["fail"];
	readonly cancel: Executions["cancel"];
	/** Null: a run that was interrupted starts again. */
	readonly durable: DurableRuns | null;
	/** Whether the steps of a failed run are kept, so that it can be repeated from where it failed. */
	retainsFailed(request: RunRequest): Promise<boolean>;
	/** Continues an interrupted run in another invocation. Omitted: the next process resumes it. */
	readonly startElsewhere?: ((run: DueRun) => Promise<unknown>) | undefined;
	readonly leases: Pick<RunLeases, "keep" | "release">;
	readonly chatReplies: ChatReplies;
	/** A run has left this process. */
	onParked(run: Pick<Waiting, "owner_id" | "id" | "parkedUntil">): void;
	/** A run has stopped here although it has not ended, because the database could not be reached. */
	onStranded(): void;
	/** True on Workers: an invocation may end without notice, so no run is assumed to be still running. */
	readonly isolatesRequests: boolean;
	/** The workflow, or one of its versions. */
	find(address: Address, version?: number): Promise<FoundRun | null>;
}

/** How a stored run runs, from where it was interrupted if it is durable, and how its end is stored. */
export function runsToEnd(deps: RunToEndParts) {
	const { store, clock, runs } = deps;
	/** Cancel the runs in this process that are not durable. */
	const controllers = new Map<string, AbortController>();

	return {
		/** Runs in a place that was already taken. Null if it did not end here. */
		run: (request: RunRequest): Promise<Finished | null> =>
			request.chatTurn === undefined ? start(request) : deps.chatReplies.count(request, start),

		isDurable,

		findRun,

		refuse,

		abort: (executionId: string): void => controllers.get(executionId)?.abort(),
	};

	async function start(request: RunRequest): Promise<Finished | null> {
		const { durable } = deps;
		if (durable === null || !(isDurable(request) || (await wasDurable(durable, request))))
			return runAtOnce(request);
		const run = await take(durable, request);
		if (run === "lost") return null;
		if (run !== null) return runDurably(durable, run, request);
		return request.replayOf === undefined ? runAtOnce(request) : giveUp(request, NO_ROWS);
	}

	/** Runs of nobody have no key with which their steps could be sealed. */
	function isDurable({ runnable, namespace }: RunRequest): boolean {
		return deps.durable !== null && namespace !== null && runnable.hasEffects;
	}

	/** Its workflow may have had effects when it began. */
	async function wasDurable(
		durable: DurableRuns,
		{ executionId, namespace, attempts = 0 }: RunRequest,
	): Promise<boolean> {
		return attempts > 0 && namespace !== null && durable.knows(executionId);
	}

	async function runAtOnce(request: RunRequest): Promise<Finished | null> {
		const { executionId, attempts = 0 } = request;
		if (attempts >= MAX_ATTEMPTS) return giveUp(request, INTERRUPTED);
		const controller = new AbortController();
		if (!deps.isolatesRequests) controllers.set(executionId, controller);
		try {
			const finished = await runs.run({ ...request, signal: controller.signal });
			await end(request, finished.result);
			return finished;
		} finally {
			controllers.delete(executionId);
		}
	}

	async function giveUp(request: RunRequest, problem: string): Promise<null> {
		runs.leave(request);
		await refuse(request, problem);
		return null;
	}

	/** Null if no further run is durable today, lost if it was cancelled meanwhile. */
	async function take(durable: DurableRuns, request: RunRequest): Promise<DurableRun | null | "lost"> {
		try {
			return await durable.take(request);
		} catch (error) {
			runs.leave(request);
			if (error instanceof RunLost) return "lost";
			throw error;
		}
	}

	async function runDurably(
		durable: DurableRuns,
		run: DurableRun,
		request: RunRequest,
	): Promise<Finished | null> {
		const { executionId } = request;
		let finished: Finished | null = null;
		let resumed: RunRequest | string | null = null;
		try {
			resumed = await resume(request, run);
		} finally {
			if (resumed === null || typeof resumed === "string") {
				runs.leave(request);
				durable.release(executionId, run);
			}
		}
		let isEnded = false;
		if (typeof resumed === "string") isEnded = await refuse(request, resumed, run.isCancelled);
		else {
			try {
				finished = await runs.run(resumed);
				const { result } = finished;
				if (run.isCancelled && !result.success) {
					if (await end(request, result, true)) await durable.cancel(executionId);
					return finished;
				}
				const retains = !result.success && (await deps.retainsFailed(resumed));
				const seconds = retains ? RETENTION_SECONDS : MAX_LEFT_SECONDS;
				await durable.retain(run, retains ? resumed : null, executionId, unixSeconds(clock) + seconds);
				isEnded = await end(request, result);
				if (retains) return finished;
			} catch (error) {
				if (!(error instanceof RunStopped)) throw error;
				// Otherwise another process has it, or the database cannot be reached: then it is taken over when it is due.
				if (error.until !== null) await park(request, error.until);
				else if (error.cause === undefined) await goOnElsewhere(request);
				else {
					deps.log("warn", "a run was stopped", { execution: executionId, ...toErrorFields(error) });
					deps.onStranded();
				}
				return null;
			} finally {
				durable.release(executionId, run);
			}
		}
		// Whoever takes over a run that has not ended needs its steps, so that none is repeated.
		if (isEnded) await durable.delete(executionId);
		return finished;
	}

	/** The request with the steps so far and the workflow as it was when the run began, or why it cannot continue. */
	async function resume(request: RunRequest, run: DurableRun): Promise<RunRequest | string> {
		if (run.idleTakes >= MAX_IDLE_TAKES) return INTERRUPTED;
		if (request.replayOf !== undefined && !run.hasEarlier) return NO_STEPS;
		const { version_number: version } = run.start;
		const line = await run.openLine("");
		if (version === undefined || version === request.versionNumber) return { ...request, line };
		const found = await findRun(resolveAddress(request), version);
		return typeof found === "string" ? found : { ...request, ...found, line };
	}

	/** The run is due again when its wait ends. Until then it stays the one run of its workflow, if that has a limit. */
	async function park(request: RunRequest, until: number): Promise<void> {
		const { runnable, executionId, attempts = 0 } = request;
		const limit = runnable.getRunLimit?.(request.trigger);
		if (limit !== undefined) await deps.leases.keep(request, limit, until);
		const run = { owner_id: getOwner(request), id: executionId };
		const address = resolveAddress(request);
		const { due_at, refused } = await store.acceptedRuns.park({
			...{ ...run, attempts: attempts + 1, due_at: Math.ceil(until / 1000) },
			workflow: address.kind === "named" ? getWorkflowKey(address) : "",
		});
		if (due_at !== null) deps.onParked({ ...run, parkedUntil: Math.min(until, due_at * 1000) });
		if (!refused) return;
		if (await refuse(request, TOO_MANY_PARKED)) await deps.durable?.delete(executionId);
		if (limit !== undefined) deps.leases.release(request);
	}

	/** Invocations that start each other may form only a short chain, so that the next tick must begin a new one. */
	async function goOnElsewhere(request: RunRequest): Promise<void> {
		if (deps.startElsewhere === undefined) return;
		const { executionId, hops = 0 } = request;
		const owner_id = getOwner(request);
		const entry = await store.entries.get(owner_id, ACCEPTED_RUN, executionId);
		const run = entry === null ? null : readUnfinished(entry);
		if (entry === null || run === null) return;
		const { id, entry_type, page_name, metadata_json } = entry;
		if (hops + 1 < MAX_HOPS)
			await deps.startElsewhere({ id, entry_type, owner_id, page_name, metadata_json, hops: hops + 1 });
		else {
			const { attempts } = run;
			await store.acceptedRuns.claim({ owner_id, id: executionId, attempts, due_at: unixSeconds(clock) });
		}
	}

	/** The workflow, or the reason why it can no longer run. Throws if the store is unreachable. */
	async function findRun(address: Address, version?: number): Promise<FoundRun | string> {
		try {
			const found = await deps.find(address, version);
			if (found !== null) return found;
			return version === undefined
				? "the workflow no longer exists"
				: `version ${version} of the workflow, with which the run began, no longer exists`;
		} catch (error) {
			if (error instanceof Failed && error.failure.kind === "corrupt") return error.message;
			throw error;
		}
	}

	/** Records a run that cannot continue as failed. False if its end could not be written. */
	async function refuse(
		request: Omit<RunRequest, "runnable">,
		error: string,
		isCancelled = false,
	): Promise<boolean> {
		if (isCancelled) deps.cancel(request, CANCELLED);
		else deps.fail(request, error);
		const { workflow } = request;
		const result = { success: false, workflow, duration_ms: 0, error: isCancelled ? CANCELLED : error };
		return end(request, result, isCancelled);
	}

	/** False if it could not be written. */
	async function end(
		request: Pick<RunRequest, "namespace" | "executionId" | "chatTurn">,
		result: Pick<RunResult, "success" | "workflow" | "duration_ms" | "error"> &
			Partial<Pick<RunResult, "data">>,
		isCancelled = false,
	): Promise<boolean> {
		const { success, workflow, duration_ms, error = "" } = result;
		const status = success ? "success" : isCancelled ? "cancelled" : "failed";
		const ended: Ended = { status, workflow, duration_ms, error };
		const metadata_json = JSON.stringify(ended);
		try {
			// Before its end: a run that has not ended is resumed, and does it again.
			if (request.chatTurn !== undefined)
				await deps.chatReplies.complete(request, isCancelled ? STOPPED : toTurnEnd(result));
			await store.acceptedRuns.end({ owner_id: getOwner(request), id: request.executionId, metadata_json });
			return true;
		} catch (problem) {
			// It stays accepted and runs again after `due_at`: at-least-once.
			deps.log("error", "end of an accepted run not written", toErrorFields(problem));
			deps.onStranded();
			return false;
		}
	}
}
