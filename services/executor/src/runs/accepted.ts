import { ACCEPTED_RUN, MAX_DESCENDED_RUNS, MAX_WAITING_RUNS } from "@tripline/contract/accepted-runs";
import type { Entry } from "@tripline/contract/entries";
import type { UnfinishedExecution } from "@tripline/contract/executor";
import { Failed } from "@tripline/contract/failures";
import { MAX_HOLDS } from "@tripline/contract/file-records";
import { ANONYMOUS } from "@tripline/contract/partner-keys";
import { END_OF_TIME } from "@tripline/contract/schedules";
import type { JsonObject } from "@tripline/contract/workflows";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { Background } from "@tripline/platform/background";
import { toIsoTime } from "@tripline/platform/clock";
import { noSignals, type Signals } from "@tripline/platform/signals";
import type { Tracing } from "@tripline/platform/tracing";
import type { Turns } from "@tripline/platform/turns";
import { StoreRefused } from "@tripline/store/client";
import { STOPPED } from "../chat/replies.ts";
import { type Address, getWorkflowKey, resolveAddress } from "../domain/address.ts";
import { isCountedRoot } from "../domain/event-root.ts";
import { collectFileIds } from "../files/collect.ts";
import type { StoredFiles } from "../files/stored-files.ts";
import { type Accepted, type Ended, readUnfinished, type Unfinished, type Waiting } from "./accepted-run.ts";
import { type Finished, getOwner, newExecutionId, type RunRequest, type Trigger } from "./execute.ts";
import type { RunLeases } from "./leases.ts";
import { inProgress, SKIPPED } from "./refusals.ts";
import { CANCELLED, type RunToEndParts, runsToEnd } from "./run-to-end.ts";
import type { Runnable } from "./runnable.ts";
import { strandedRuns } from "./stranded.ts";
import { waking } from "./waking.ts";

/** Runs started by one call or event. They differ only in their workflows. */
export interface NewRuns
	extends Pick<
		RunRequest,
		"namespace" | "input" | "request" | "passedCheck" | "trigger" | "eventDepth" | "files" | "isOwners"
	> {
	/** Omitted: each run's workflow is found by its name in the namespace. */
	readonly address?: Address;
	/** The external event that led to them, if any. */
	readonly rootId?: string;
	/** On Workers each run starts in an invocation of its own: many would exceed the limits of this one. */
	readonly isOneOfMany?: boolean;
	readonly runs: readonly (Pick<
		RunRequest,
		| "executionId"
		| "workflow"
		| "versionNumber"
		| "runnable"
		| "repeats"
		| "replayOf"
		| "stepPrefix"
		| "isPinned"
		| "chatTurn"
	> & {
		/** Instead of the common input. */
		readonly input?: JsonObject;
	})[];
}

const WAKE = "wake";
const LEASE_MARGIN_MS = 10_000;
/** Before so many attempts a run need not be looked up. */
const MIN_IDLE_ATTEMPTS = 2;
const RETRY_SECONDS = 5;
/** Each needs a call of the store, of which an invocation may make few. */
const MAX_WOKEN_AT_ONCE = 10;

export type AcceptedRuns = ReturnType<typeof acceptedRuns>;

/** Runs that continue after the answer. They are stored before it, so that each runs at least once. */
export function acceptedRuns(
	deps: Omit<RunToEndParts, "onParked" | "onStranded"> & {
		readonly background: Background;
		readonly runTimeoutMs: number;
		readonly turns: Turns;
		readonly files: Pick<StoredFiles, "hold">;
		readonly leases: RunLeases;
		/** Names this process, if several serve the deployment. */
		readonly holder?: string | undefined;
		readonly signals?: Signals | undefined;
		/** Null: runs are not traced. */
		readonly tracing: Tracing | null;
	},
) {
	const { store, clock, runs, leases, background, holder, signals = noSignals } = deps;
	signals.on(WAKE, (id) => deps.durable?.wake(id));
	// On Workers no process lives from one tick to the next.
	const waker = deps.isolatesRequests ? null : waking({ store, clock, background, resume });
	const onParked: RunToEndParts["onParked"] = (run) => waker?.wakeOnTime(run);
	// Without other processes a run that this one does not have is found when it is due.
	const stranded =
		holder === undefined ? null : strandedRuns({ background, resumeOwn: () => resumeAll(holder) });
	const onStranded = (): void => stranded?.suspect();
	const { run: runToEnd, isDurable, findRun, refuse, abort } = runsToEnd({ ...deps, onParked, onStranded });
	/** Runs that are being stored: they are started once that is known. */
	const storing = new Set<string>();
	/** Queued or running in this process, until they end: not to be taken over, even past their `due_at`. */
	const underWay = new Map<string, Promise<void>>();
	/** Runs under way that became the first in their workflow's line meanwhile, or due before they had left. */
	const calledUp = new Map<string, Waiting>();

	return {
		/** Returns the ids of new runs; an id is accepted only once. Past a limit none is accepted and it throws `Failed`. */
		async accept(fresh: NewRuns): Promise<readonly string[]> {
			if (fresh.runs.length > MAX_DESCENDED_RUNS) throw tooMany(REFUSALS.descended);
			return fresh.runs.some(isLimited) ? acceptLimited(fresh) : acceptAll(fresh, fresh.runs);
		},

		/**
		 * Cancels runs of a workflow that have not started, because it was deleted or disabled, and if it was deleted also those
		 * that wait for a time or an answer. The caller waits only for the first batches.
		 */
		async cancelWaiting(namespace: string, workflow: string, why: "deleted" | "disabled"): Promise<void> {
			for (const parked of why === "deleted" ? [false, true] : [false]) {
				const cancelBatch = (up_to?: number) =>
					cancelSome(
						{ owner_id: namespace, waits_for: workflow, parked, up_to },
						`cancelled: the workflow was ${why}`,
					);
				const { more, up_to } = await cancelBatch();
				if (!more) continue;
				// Should the process end meanwhile, runs of a deleted workflow fail when they start, those of a disabled one run.
				background.run("cancel accepted runs", async () => {
					while ((await cancelBatch(up_to)).more);
				});
			}
		},

		/**
		 * Runs in a place that was already taken, for a caller who waits, and stores the run before it starts. Null if it was
		 * interrupted, and continues by itself.
		 */
		async runStored(request: RunRequest & { readonly isWaitedFor: true }): Promise<Finished | null> {
			const owner = getOwner(request);
			let isNew = false;
			const { promise, resolve, reject } = Promise.withResolvers<Finished | null>();
			try {
				const accepted = await write(owner, { ...request, runs: [] }, [{ ...request, hasPlace: true }]);
				isNew = accepted.has(request.executionId);
				if (isNew) runInBackground(request.executionId, () => runToEnd(request).then(resolve, reject));
			} finally {
				storing.delete(request.executionId);
				if (!isNew) runs.leave(request);
			}
			return isNew ? promise : null;
		},

		isDurable,

		/** Whether a run that no caller waits for is stored before it starts. */
		isStored: (request: RunRequest): boolean => isDurable(request) || isQueued(request),

		/** What a claim stores of a scheduled run. `settle` must follow, whatever becomes of the claim. */
		describe(request: RunRequest) {
			const { workflow, namespace, trigger, eventDepth: event_depth, executionId: id } = request;
			const address = resolveAddress(request);
			storing.add(id);
			return {
				id,
				due_at: computeLeaseEnd(),
				metadata_json: JSON.stringify({
					...{ status: "accepted", workflow, address, namespace, trigger, event_depth, holder },
				}),
				...(isQueued(request) && { waits_for: getWorkflowKey(address) }),
			};
		},

		/** Starts a scheduled run that its claim has stored, in a place that was already taken. */
		startStored(request: RunRequest): void {
			if (!isQueued(request)) {
				startAtOnce(request);
				return;
			}
			runs.leavePlace(getOwner(request));
			startLater(toWaiting(request, request));
		},

		/** The claim of a scheduled run was answered, and the run started if that succeeded. */
		settle: (executionId: string): void => void storing.delete(executionId),

		/** Calls of the store failed, and some of them may have been carried out. */
		suspectStranded: onStranded,

		resumeAll,

		/** What is known of a run that has ended or not; null if there is no such accepted run. */
		async status(owner: string, executionId: string): Promise<Ended | UnfinishedExecution | null> {
			const entry = await store.entries.get(owner, ACCEPTED_RUN, executionId);
			if (entry === null) return null;
			const accepted = JSON.parse(entry.metadata_json) as Accepted;
			return accepted.status === "accepted" ? describeUnfinished(entry, accepted) : accepted;
		},

		/** Runs that have not ended, in the order in which they are due. */
		async listUnfinished(owner_id: string, page: { limit: number; cursor?: string | undefined }) {
			const { limit, cursor } = page;
			const { entries, next_cursor } = await store.entries.list({
				...{ owner_id, entry_type: ACCEPTED_RUN, cron: "due", now: END_OF_TIME, limit },
				...(cursor !== undefined && { cursor }),
			});
			const executions = entries.map((entry) =>
				describeUnfinished(entry, JSON.parse(entry.metadata_json) as Unfinished),
			);
			return { executions, next_cursor };
		},

		/**
		 * Ends a run that has not ended, in whichever process it is: what it has started may still complete, but it starts
		 * nothing more, except to clean up. Null if there is no such run.
		 */
		async cancel(owner_id: string, id: string): Promise<"cancelled" | "cancelling" | "ended" | null> {
			const entry = await store.entries.get(owner_id, ACCEPTED_RUN, id);
			if (entry === null) return null;
			const accepted = JSON.parse(entry.metadata_json) as Accepted;
			if (accepted.status !== "accepted") return "ended";
			const hasToCleanUp = await cleanUp(owner_id, id, accepted);
			if (hasToCleanUp) return "cancelling";
			const { workflow } = accepted;
			const ended: Ended = { status: "cancelled", workflow, duration_ms: 0, error: CANCELLED };
			const isFirst = await store.acceptedRuns.end({ owner_id, id, metadata_json: JSON.stringify(ended) });
			if (!isFirst) return "ended";
			const request = toRequest(owner_id, id, accepted);
			deps.cancel(request, CANCELLED);
			if (request.chatTurn !== undefined) await deps.chatReplies.complete(request, STOPPED);
			abort(id);
			await deps.durable?.cancel(id);
			leases.release(request);
			return "cancelled";
		},

		resume,

		/** Runs may go on with answers that are stored. On Workers a tick finds those that do not go on at once. */
		async wake(owner_id: string, ids: readonly string[]): Promise<void> {
			for (const id of deps.isolatesRequests ? ids.slice(0, MAX_WOKEN_AT_ONCE) : ids) {
				if (deps.durable?.wake(id)) continue;
				await wakeParked({ owner_id, id });
				signals.send(WAKE, id);
			}
		},

		/** Null on Workers. */
		waking: waker,
	};

	/** Resumes a run that has left its process, if it is due. */
	async function wakeParked({ owner_id, id }: Pick<Waiting, "owner_id" | "id">): Promise<void> {
		const entry = await store.entries.get(owner_id, ACCEPTED_RUN, id);
		const run = entry === null ? null : readUnfinished(entry);
		if (run?.parkedUntil !== undefined && run.parkedUntil <= clock.now()) resume(run);
	}

	/** Resumes the runs that a process has, or all, unless they are under way here. */
	async function resumeAll(from?: string): Promise<void> {
		const left: Waiting[] = [];
		// Whatever their time: the clock may have been wrong when they were accepted.
		const filter = { entry_type: ACCEPTED_RUN, cron: "unparked", now: END_OF_TIME } as const;
		for await (const entry of store.entries.listAll(filter)) {
			const run = readUnfinished(entry);
			if (run !== null && (from === undefined || run.holder === from)) left.push(run);
		}
		// Oldest first: runs of a workflow that queues start in the order of acceptance.
		for (const run of left.reverse()) if (!storing.has(run.id)) resume(run);
		await waker?.lookAhead();
	}

	/** Queues a run whose process is gone, or whose turn has come. False if it is under way in this process. */
	function resume(run: Waiting): boolean {
		if (underWay.has(run.id)) {
			calledUp.set(run.id, run);
			return false;
		}
		startLater(run);
		return true;
	}

	/**
	 * Takes the run over from whoever has it, to clean up. False if there is nothing to clean up: it was not started, or no
	 * edge leads to a cleanup.
	 */
	async function cleanUp(owner_id: string, id: string, { attempts, address }: Unfinished): Promise<boolean> {
		if (deps.durable === null || attempts === 0) return false;
		const interrupted = await deps.durable.interrupt(id);
		if (interrupted === null || !interrupted.isFirst) return interrupted !== null;
		const found = await findRun(address, interrupted.start.version_number);
		if (typeof found === "string" || !mayCleanUp(found.runnable)) return false;
		// Read again: whoever claims it from now on cleans up, and otherwise this process does.
		const entry = await store.entries.get(owner_id, ACCEPTED_RUN, id);
		const waiting = entry === null ? null : readUnfinished(entry);
		if (waiting !== null) startLater(waiting);
		return true;
	}

	function describeUnfinished(
		{ page_name: id, created_at, updated_at }: Pick<Entry, "page_name" | "created_at" | "updated_at">,
		{ workflow, trigger, attempts, due_at, repeats, is_parked, parked_on = "time" }: Unfinished,
	): UnfinishedExecution {
		// On Node a run of this process may last longer than that.
		const isLost = due_at * 1000 <= clock.now() && !underWay.has(id);
		const waitsFor = attempts === 0 ? "start" : is_parked ? parked_on : isLost ? "resumption" : null;
		const since = waitsFor === "start" ? created_at : waitsFor === "resumption" ? due_at : updated_at;
		return {
			id,
			time: toIsoTime(created_at * 1000),
			workflow,
			status: waitsFor === null ? "running" : "waiting",
			waits_for: waitsFor,
			since: toIsoTime(since * 1000),
			...(is_parked && { until: toIsoTime(due_at * 1000) }),
			trigger,
			attempts,
			...(repeats !== undefined && { replay_of: repeats }),
		};
	}

	async function acceptAll(fresh: NewRuns, given: readonly LeasedRun[]): Promise<readonly string[]> {
		const owner = getOwner(fresh);
		const isElsewhere = fresh.isOneOfMany === true && deps.startElsewhere !== undefined;
		const placed = given.map((run): PlacedRun => {
			const hasPlace = !isElsewhere && (!isLimited(run) || run.lease !== undefined) && runs.takePlace(owner);
			return { ...run, hasPlace };
		});
		let accepted: ReadonlySet<string> = new Set();
		try {
			accepted = await write(owner, fresh, placed);
		} finally {
			for (const { hasPlace, lease, ...run } of placed) {
				const isNew = accepted.has(run.executionId);
				if (isNew && hasPlace) startAtOnce({ ...fresh, ...run });
				else if (isNew && isElsewhere) startInOther(toWaiting(fresh, run));
				else if (isNew) startLater(toWaiting(fresh, run));
				else if (hasPlace) runs.leavePlace(owner);
				if (!isNew && lease?.created === true) leases.release({ ...fresh, ...run });
				storing.delete(run.executionId);
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

	async function cancelSome(
		which: { owner_id: string; waits_for: string; parked: boolean; up_to: number | undefined },
		error: string,
	) {
		const { owner_id, waits_for, parked, up_to } = which;
		const batch = { owner_id, waits_for, parked, error, ...(up_to !== undefined && { up_to }) };
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
			deps.cancel(request, error);
			if (!parked) continue;
			await deps.durable?.cancel(id);
			leases.release(request);
		}
		return answer;
	}

	function startAtOnce(request: RunRequest): void {
		runInBackground(request.executionId, () => runToEnd(request));
	}

	/** Many may wait, so their inputs stay in the store until they start. */
	function startLater(waiting: Waiting): void {
		runInBackground(waiting.id, () => runWhenRoom(waiting));
	}

	/** A run that cannot be started so is taken over when it is due. */
	function startInOther({ owner_id, id, attempts, address, trigger, version }: Waiting): void {
		const metadata_json = JSON.stringify({ status: "accepted", attempts, address, trigger, version });
		background.run("accepted run", async () => {
			await deps.startElsewhere?.({ id, entry_type: ACCEPTED_RUN, owner_id, page_name: id, metadata_json });
		});
	}

	function runInBackground(id: string, work: () => Promise<unknown>): void {
		const before = underWay.get(id);
		const { promise: ended, resolve } = Promise.withResolvers<void>();
		if (!deps.isolatesRequests) underWay.set(id, ended);
		background.run("accepted run", async () => {
			try {
				// A run that was cancelled has to stop before it cleans up.
				if (before !== undefined) await before;
				await work();
			} catch (error) {
				onStranded();
				throw error;
			} finally {
				if (underWay.get(id) === ended) {
					underWay.delete(id);
					const called = calledUp.get(id);
					calledUp.delete(id);
					if (called !== undefined) background.run("called up run", () => wakeParked(called));
				}
				resolve();
			}
		});
	}

	async function runWhenRoom(waiting: Waiting): Promise<void> {
		if (waiting.attempts > MIN_IDLE_ATTEMPTS) await deps.durable?.waitIfIdle(waiting.id);
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
			if (request !== null) {
				await runToEnd(request);
				return;
			}
		} while (calledUp.has(waiting.id));
	}

	/**
	 * Null if another process claimed it, it has ended, its workflow is busy (the end of another run starts it), or it can
	 * no longer run (recorded as failed).
	 */
	async function claim(waiting: Waiting): Promise<RunRequest | null> {
		const { owner_id, id, attempts, address, passedCheck, version } = waiting;
		const found = await findRun(address, version);
		const limit = typeof found === "string" ? undefined : found.runnable.getRunLimit?.(waiting.trigger);
		const { metadata_json } = await store.acceptedRuns.claim({
			owner_id,
			id,
			attempts,
			due_at: computeLeaseEnd(),
			...(holder !== undefined && { holder }),
			...(limit !== undefined && { lease: leases.describe({ address, workflow: "" }, limit) }),
		});
		if (metadata_json === null) return null;
		const request = toRequest(owner_id, id, JSON.parse(metadata_json) as Unfinished);
		if (typeof found === "string") {
			await refuse(request, found);
			// It may have had one from the process before.
			leases.release(request);
			return null;
		}
		return { ...request, ...found, passedCheck, attempts, hops: waiting.hops };
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
			files,
			event_depth: eventDepth,
			root = executionId,
			repeats,
			replay_of: replayOf,
			step_prefix: stepPrefix,
			trace = null,
			chat_turn: chatTurn,
		} = accepted;
		return {
			workflow,
			address,
			namespace: owner_id === ANONYMOUS ? null : owner_id,
			input,
			...(request !== undefined && { request }),
			...(files !== undefined && { files }),
			trigger,
			executionId,
			eventDepth,
			trace,
			...(repeats !== undefined && { repeats }),
			...(replayOf !== undefined && { replayOf }),
			...(stepPrefix !== undefined && { stepPrefix }),
			...(chatTurn !== undefined && { chatTurn }),
			// A root older than a day is no longer counted; start a new count.
			rootId: isCountedRoot(root, clock.now()) ? root : newExecutionId(clock),
		};
	}

	/** A run that may have to wait for its workflow starts in the order of acceptance. */
	function isQueued({ runnable, trigger }: RunRequest): boolean {
		return runnable.getRunLimit?.(trigger)?.whenBusy === "wait";
	}

	async function write(
		owner_id: string,
		fresh: NewRuns,
		placed: readonly PlacedRun[],
	): Promise<ReadonlySet<string>> {
		const { namespace, trigger, input, request, eventDepth: event_depth, rootId: root } = fresh;
		const hasOneInput = placed.every((run) => run.input === undefined || run.input === input);
		const trace = deps.tracing?.store();
		const shared = { status: "accepted", namespace, trigger, request, event_depth, root, holder, trace };
		const common = hasOneInput ? { ...shared, input } : shared;
		for (const { executionId } of placed) storing.add(executionId);
		try {
			// Serialising and storing a large input is slow, so each step takes its own turn.
			const metadata_json = await deps.turns.run(owner_id, () => JSON.stringify(common));
			const files = await deps.turns.run(owner_id, () => listFiles(fresh, metadata_json));
			const own = placed.map((run) => {
				const address = resolveAddress({
					address: fresh.address,
					namespace: fresh.namespace,
					workflow: run.workflow,
				});
				return {
					id: run.executionId,
					metadata_json: JSON.stringify({
						workflow: run.workflow,
						address,
						...(files.length > 0 && { files }),
						...(run.isPinned === true && { version: run.versionNumber }),
						...(!hasOneInput && { input: run.input ?? input }),
						repeats: run.repeats,
						replay_of: run.replayOf,
						step_prefix: run.stepPrefix,
						chat_turn: run.chatTurn,
					}),
					...(!run.hasPlace && { waits_for: describeWait(address, run) }),
				};
			});
			// Before the runs are there: once they are, they may wait longer than the files would live.
			if (files.length > 0) {
				const ids = own.map(({ id }) => id);
				if (files.length * ids.length > MAX_HOLDS) throw tooManyFiles();
				await deps.files.hold(owner_id, files, ids);
			}
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
			if (!(error instanceof Failed)) onStranded();
			throw error;
		}
	}

	function computeLeaseEnd(): number {
		return Math.ceil((clock.now() + deps.runTimeoutMs + LEASE_MARGIN_MS) / 1000);
	}
}

/** Whether a node that is in progress when the run is cancelled may lead to others. */
const mayCleanUp = ({ plan }: Runnable): boolean =>
	"nodes" in plan &&
	plan.nodes.some(
		({ component, edges }) => component.cleansUp === true || edges.some(({ on }) => on === "ALWAYS"),
	);

/** The files that the runs may open. A caller's input is searched only if its text says that it may name files. */
function listFiles({ files = [], isOwners, input }: NewRuns, text: string): readonly string[] {
	if (isOwners !== true || !text.includes('"$file"')) return files;
	try {
		return [...new Set([...files, ...collectFileIds(input, UNBOUNDED)])];
	} catch (error) {
		throw error instanceof TerminalError
			? new Failed({ kind: "bad_request", message: error.message })
			: error;
	}
}

const tooManyFiles = (): Failed =>
	new Failed({
		kind: "bad_request",
		message: `the files that are passed times the runs that get them must be at most ${MAX_HOLDS}`,
	});

/** The body's own limit bounds the search. */
const UNBOUNDED = { spend() {} };

type NewRun = NewRuns["runs"][number];
/** A run of a workflow that skips has its lease before it is accepted. */
type LeasedRun = NewRun & { readonly lease?: { readonly created: boolean } };
type PlacedRun = LeasedRun & { readonly hasPlace: boolean };

const isLimited = ({ runnable }: NewRun): boolean => runnable.getRunLimit !== null;

/** The workflow that the run waits for. Empty for a webhook without a limit, whose runs wait for no other. */
const describeWait = (address: Address, run: NewRun): string =>
	address.kind === "named" || isLimited(run) ? getWorkflowKey(address) : "";

const toWaiting = (
	fresh: Pick<NewRuns, "address" | "namespace" | "trigger" | "passedCheck">,
	run: Pick<NewRun, "executionId" | "workflow" | "versionNumber" | "isPinned">,
): Waiting => ({
	owner_id: fresh.namespace ?? ANONYMOUS,
	id: run.executionId,
	attempts: 0,
	address: resolveAddress({ address: fresh.address, namespace: fresh.namespace, workflow: run.workflow }),
	trigger: fresh.trigger,
	passedCheck: fresh.passedCheck ?? null,
	version: run.isPinned === true ? run.versionNumber : undefined,
});

export const TOO_MANY_WAITING = `${MAX_WAITING_RUNS} accepted runs of this namespace are waiting to start, which is the maximum: try again later`;

const REFUSALS = {
	waiting: TOO_MANY_WAITING,
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
