import { ACCEPTED_RUN, MAX_DESCENDED_RUNS, MAX_WAITING_RUNS } from "@tripline/contract/accepted-runs";
import { Failed } from "@tripline/contract/failures";
import { ANONYMOUS } from "@tripline/contract/partner-keys";
import type { JsonObject, RunResult } from "@tripline/contract/workflows";
import type { CheckInput } from "@tripline/engine/input-schema";
import type { Background } from "@tripline/platform/background";
import type { Clock } from "@tripline/platform/clock";
import { type Log, toErrorFields } from "@tripline/platform/log";
import type { Turns } from "@tripline/platform/turns";
import { type StoreClient, StoreRefused } from "@tripline/store/client";
import { type Address, getWorkflowKey } from "../domain/address.ts";
import { isCountedRoot } from "../domain/event-root.ts";
import type { Runs } from "./admitted.ts";
import { type Executions, getOwner, newExecutionId, type RunRequest, type Trigger } from "./execute.ts";
import type { RunLeases } from "./leases.ts";
import { inProgress, SKIPPED } from "./refusals.ts";
import type { Runnable } from "./runnable.ts";

/** Runs started by one call or event. They differ only in their workflows. */
export interface NewRuns
	extends Pick<RunRequest, "namespace" | "input" | "request" | "passedCheck" | "trigger" | "eventDepth"> {
	/** Omitted: each run's workflow is found by its name in the namespace. */
	readonly address?: Address;
	/** The external event that led to them, if any. */
	readonly rootId?: string;
	readonly runs: readonly Pick<RunRequest, "executionId" | "workflow" | "runnable">[];
}

/** The stored form of an accepted run. The input is deleted when the run ends. */
type Accepted = Unfinished | Ended;

interface Unfinished {
	readonly status: "accepted";
	/** Unix seconds. If the run has not ended by then, its process is considered gone and another takes over. */
	readonly due_at: number;
	/** How many times it was started. */
	readonly attempts: number;
	readonly workflow: string;
	readonly address: Address;
	readonly trigger: Trigger;
	readonly input: JsonObject;
	readonly request?: JsonObject;
	readonly event_depth: number;
	readonly root?: string;
}

interface Ended {
	readonly status: "success" | "failed";
	readonly workflow: string;
	readonly duration_ms: number;
	readonly error: string;
}

const LEASE_MARGIN_MS = 10_000;
/** A run that crashes its process must not be retried forever. */
const MAX_ATTEMPTS = 5;
const RETRY_SECONDS = 5;
const DELETED = "cancelled: the workflow was deleted";

export type AcceptedRuns = ReturnType<typeof acceptedRuns>;

/** Runs that continue after the answer. They are stored before it, so that each runs at least once. */
export function acceptedRuns(deps: {
	readonly store: StoreClient;
	readonly clock: Clock;
	readonly log: Log;
	readonly background: Background;
	readonly runTimeoutMs: number;
	readonly turns: Turns;
	readonly runs: Runs;
	readonly leases: RunLeases;
	readonly fail: Executions["fail"];
	readonly cancel: Executions["cancel"];
	/** True on Workers: an invocation may end without notice, so no run is assumed to be still running. */
	readonly isolatesRequests: boolean;
	find(address: Address): Promise<Runnable | null>;
}) {
	const { store, clock, runs, leases, background } = deps;
	/** Queued or running in this process: not to be taken over, even past their `due_at`. */
	const underWay = new Set<string>();
	/** Runs under way that became the first in their workflow's line meanwhile. */
	const calledUp = new Set<string>();

	return {
		/** Returns the ids of new runs; an id is accepted only once. Past a limit none is accepted and it throws `Failed`. */
		async accept(fresh: NewRuns): Promise<readonly string[]> {
			if (fresh.runs.length > MAX_DESCENDED_RUNS) throw tooMany(REFUSALS.descended);
			return fresh.runs.some(isLimited) ? acceptLimited(fresh) : acceptAll(fresh, fresh.runs);
		},

		/** Cancels runs of a deleted workflow that have not started. The caller waits only for the first batch. */
		async cancelWaiting(namespace: string, workflow: string): Promise<void> {
			const { more, up_to } = await cancelSome(namespace, workflow);
			// Runs that this does not reach fail when they start, because their workflow is gone.
			if (more) background.run("cancel accepted runs", () => cancelRest(namespace, workflow, up_to));
		},

		async status(owner: string, executionId: string): Promise<Ended | "accepted" | null> {
			const entry = await store.entries.get(owner, ACCEPTED_RUN, executionId);
			if (entry === null) return null;
			const accepted = JSON.parse(entry.metadata_json) as Accepted;
			return accepted.status === "accepted" ? "accepted" : accepted;
		},

		/** Queues a run whose process is gone, or whose turn has come. False if it is under way in this process. */
		resume(run: Waiting): boolean {
			if (underWay.has(run.id)) {
				calledUp.add(run.id);
				return false;
			}
			startLater(run);
			return true;
		},
	};

	async function acceptAll(fresh: NewRuns, given: readonly LeasedRun[]): Promise<readonly string[]> {
		const owner = getOwner(fresh);
		const placed = given.map((run): PlacedRun => {
			const hasPlace = (!isLimited(run) || run.lease !== undefined) && runs.takePlace(owner);
			return { ...run, hasPlace };
		});
		let accepted: ReadonlySet<string> = new Set();
		try {
			accepted = await write(owner, fresh, placed);
		} finally {
			for (const { hasPlace, lease, ...run } of placed) {
				const isNew = accepted.has(run.executionId);
				if (isNew && hasPlace) startAtOnce({ ...fresh, ...run });
				else if (isNew) startLater(toWaiting(fresh, run));
				else if (hasPlace) runs.leavePlace(owner);
				if (!isNew && lease?.created === true) leases.release({ ...fresh, ...run });
			}
		}
		return [...accepted];
	}

	/** Leaves out runs of busy workflows that skip. The other limited runs take their lease when they start. */
	async function acceptLimited(fresh: NewRuns): Promise<readonly string[]> {
		const { admitted, skipped } = await takeLeases(fresh);
		if (skipped.length > 0 && fresh.trigger !== "event") throw inProgress();
		const accepted = admitted.length === 0 ? [] : await acceptAll(fresh, admitted);
		for (const { workflow } of skipped) {
			// With its own id: the event may be sent again, and then run.
			deps.cancel({ ...fresh, workflow, executionId: newExecutionId(clock) }, SKIPPED);
			deps.log("info", "run skipped", { namespace: fresh.namespace, workflow });
		}
		return accepted;
	}

	async function takeLeases(fresh: NewRuns) {
		const admitted: LeasedRun[] = [];
		const skipped: NewRun[] = [];
		try {
			for (const run of fresh.runs) {
				const limit = run.runnable.getRunLimit?.(fresh.trigger);
				const lease = limit?.whenBusy === "skip" ? await leases.take({ ...fresh, ...run }, limit) : undefined;
				if (lease === null) skipped.push(run);
				else admitted.push({ ...run, ...(lease !== undefined && { lease }) });
			}
		} catch (error) {
			for (const { lease, ...run } of admitted) if (lease?.created) leases.release({ ...fresh, ...run });
			throw error;
		}
		return { admitted, skipped };
	}

	async function cancelRest(namespace: string, workflow: string, up_to: number): Promise<void> {
		while ((await cancelSome(namespace, workflow, up_to)).more);
	}

	async function cancelSome(owner_id: string, waits_for: string, up_to?: number) {
		const batch = { owner_id, waits_for, error: DELETED, ...(up_to !== undefined && { up_to }) };
		const answer = await store.acceptedRuns.cancel(batch);
		for (const { id, trigger, page_name, path } of answer.cancelled) {
			const request = {
				workflow: waits_for,
				namespace: owner_id,
				input: { page_name, path },
				trigger: trigger as Trigger,
				executionId: id,
				eventDepth: 0,
			};
			deps.cancel(request, DELETED);
		}
		return answer;
	}

	function startAtOnce(request: RunRequest): void {
		runInBackground(request.executionId, () => runToEnd(request.namespace ?? ANONYMOUS, request));
	}

	/** Many may wait, so their inputs stay in the store until they start. */
	function startLater(waiting: Waiting): void {
		runInBackground(waiting.id, () => runWhenRoom(waiting));
	}

	function runInBackground(id: string, work: () => Promise<void>): void {
		if (!deps.isolatesRequests) underWay.add(id);
		background.run("accepted run", () =>
			work().finally(() => {
				underWay.delete(id);
				calledUp.delete(id);
			}),
		);
	}

	async function runWhenRoom(waiting: Waiting): Promise<void> {
		do {
			// Without a place the process is shutting down: the run stays accepted and another process takes over.
			if (!(await runs.placeFor(waiting.owner_id))) return;
			calledUp.delete(waiting.id);
			let request: RunRequest | null = null;
			try {
				request = await claim(waiting);
			} finally {
				if (request === null) runs.leavePlace(waiting.owner_id);
			}
			if (request !== null) return runToEnd(waiting.owner_id, request);
		} while (calledUp.has(waiting.id));
	}

	/**
	 * Null if another process claimed it, it has ended, its workflow is busy (the end of another run starts it), or it can
	 * no longer run (recorded as failed).
	 */
	async function claim(waiting: Waiting): Promise<RunRequest | null> {
		const { owner_id, id, attempts, address, passedCheck } = waiting;
		const runnable =
			attempts >= MAX_ATTEMPTS ? "the run was interrupted too often" : await findRunnable(address);
		const limit = typeof runnable === "string" ? undefined : runnable.getRunLimit?.(waiting.trigger);
		const { metadata_json } = await store.acceptedRuns.claim({
			owner_id,
			id,
			attempts,
			due_at: computeLeaseEnd(),
			...(limit !== undefined && { lease: leases.describe({ address, workflow: "" }, limit) }),
		});
		if (metadata_json === null) return null;
		const request = toRequest(owner_id, id, JSON.parse(metadata_json) as Unfinished);
		if (typeof runnable !== "string") return { ...request, runnable, passedCheck };
		deps.fail(request, runnable);
		const { workflow } = request;
		await end(owner_id, id, { success: false, workflow, duration_ms: 0, error: runnable });
		return null;
	}

	function toRequest(
		owner_id: string,
		executionId: string,
		accepted: Unfinished,
	): Omit<RunRequest, "runnable"> {
		const {
			workflow,
			address,
			trigger,
			input,
			request,
			event_depth: eventDepth,
			root = executionId,
		} = accepted;
		return {
			workflow,
			address,
			namespace: owner_id === ANONYMOUS ? null : owner_id,
			input,
			...(request !== undefined && { request }),
			trigger,
			executionId,
			eventDepth,
			// A root older than a day is no longer counted; start a new count.
			rootId: isCountedRoot(root, clock.now()) ? root : newExecutionId(clock),
		};
	}

	/** The workflow, or the reason why it can no longer run. Throws if the store is unreachable. */
	async function findRunnable(address: Address): Promise<Runnable | string> {
		try {
			return (await deps.find(address)) ?? "the workflow no longer exists";
		} catch (error) {
			if (error instanceof Failed && error.failure.kind === "corrupt") return error.message;
			throw error;
		}
	}

	/** Runs in a place that was already taken. */
	async function runToEnd(owner_id: string, request: RunRequest): Promise<void> {
		const { result } = await runs.run(request);
		await end(owner_id, request.executionId, result);
	}

	async function end(
		owner_id: string,
		id: string,
		result: Pick<RunResult, "success" | "workflow" | "duration_ms" | "error">,
	): Promise<void> {
		const { success, workflow, duration_ms, error = "" } = result;
		const ended: Ended = { status: success ? "success" : "failed", workflow, duration_ms, error };
		try {
			await store.acceptedRuns.end({ owner_id, id, metadata_json: JSON.stringify(ended) });
		} catch (problem) {
			// It stays accepted and runs again after `due_at`: at-least-once.
			deps.log("error", "end of an accepted run not written", toErrorFields(problem));
		}
	}

	async function write(
		owner_id: string,
		fresh: NewRuns,
		placed: readonly PlacedRun[],
	): Promise<ReadonlySet<string>> {
		const { namespace, trigger, input, request, eventDepth: event_depth, rootId: root } = fresh;
		const common = { status: "accepted", namespace, trigger, input, request, event_depth, root };
		const own = placed.map((run) => {
			const address = resolveAddress(fresh, run);
			return {
				id: run.executionId,
				metadata_json: JSON.stringify({ workflow: run.workflow, address }),
				...(!run.hasPlace && { waits_for: describeWait(address, run) }),
			};
		});
		try {
			// Serialising and storing a large input is slow, so each step takes its own turn.
			const metadata_json = await deps.turns.run(owner_id, () => JSON.stringify(common));
			const batch = { owner_id, due_at: computeLeaseEnd(), metadata_json, runs: own, root };
			const { accepted, refused } = await deps.turns.run(owner_id, () => store.acceptedRuns.accept(batch));
			if (refused === "descended" && own.length === 1) throw new RootIsFull();
			if (refused !== null) throw tooMany(REFUSALS[refused]);
			return new Set(accepted);
		} catch (error) {
			if (error instanceof StoreRefused && error.status === 413)
				throw new Failed({ kind: "too_large", message: "the body is too large to store for a later run" });
			if (error instanceof StoreRefused)
				throw new Failed({
					kind: "bad_request",
					message: `the body cannot be stored for a later run: ${error.message}`,
				});
			throw error;
		}
	}

	function computeLeaseEnd(): number {
		return Math.ceil((clock.now() + deps.runTimeoutMs + LEASE_MARGIN_MS) / 1000);
	}
}

type NewRun = NewRuns["runs"][number];
/** A run of a workflow that skips has its lease before it is accepted. */
type LeasedRun = NewRun & { readonly lease?: { readonly created: boolean } };
type PlacedRun = LeasedRun & { readonly hasPlace: boolean };

const isLimited = ({ runnable }: NewRun): boolean => runnable.getRunLimit !== null;

/** The workflow that the run waits for. Empty for a webhook without a limit, whose runs wait for no other. */
const describeWait = (address: Address, run: NewRun): string =>
	address.kind === "named" || isLimited(run) ? getWorkflowKey(address) : "";

/** An accepted run that has to be started. */
export interface Waiting {
	readonly owner_id: string;
	readonly id: string;
	readonly attempts: number;
	readonly address: Address;
	readonly trigger: Trigger;
	/** Null if no caller waited for the check, or another process made it. */
	readonly passedCheck: CheckInput | null;
}

/** Null if it has ended. */
export function readUnfinished(entry: {
	readonly owner_id: string;
	readonly page_name: string;
	readonly metadata_json: string;
}): Waiting | null {
	const accepted = JSON.parse(entry.metadata_json) as Accepted;
	if (accepted.status !== "accepted") return null;
	const { attempts, address, trigger } = accepted;
	return { owner_id: entry.owner_id, id: entry.page_name, attempts, address, trigger, passedCheck: null };
}

const resolveAddress = ({ address, namespace }: NewRuns, { workflow: name }: NewRun): Address =>
	address ?? { kind: "named", namespace: namespace ?? ANONYMOUS, name };

const toWaiting = (fresh: NewRuns, run: NewRun): Waiting => ({
	owner_id: fresh.namespace ?? ANONYMOUS,
	id: run.executionId,
	attempts: 0,
	address: resolveAddress(fresh, run),
	trigger: fresh.trigger,
	passedCheck: fresh.passedCheck ?? null,
});

const REFUSALS = {
	waiting: `${MAX_WAITING_RUNS} accepted runs of this namespace are waiting to start, which is the maximum: try again later`,
	descended: `one event has led to ${MAX_DESCENDED_RUNS} runs, which is the maximum`,
} as const;

/** The root has reached its maximum number of descended runs. */
export class RootIsFull extends Failed {
	constructor() {
		super({ kind: "too_many", message: REFUSALS.descended, retryAfterSeconds: RETRY_SECONDS });
	}
}

const tooMany = (message: string): Failed =>
	new Failed({ kind: "too_many", message, retryAfterSeconds: RETRY_SECONDS });
