import { fromBase64, toBase64Url } from "@tripline/contract/bytes";
import type { JsonObject } from "@tripline/contract/workflows";
import type { CreateCipher } from "@tripline/platform/cipher";
import { type Clock, toIsoTime, unixSeconds } from "@tripline/platform/clock";
import type { Journal } from "@tripline/platform/journal";
import type { Log } from "@tripline/platform/log";
import { CannotOpen, createKeyBytes } from "@tripline/platform/vault";
import { type Address, resolveAddress } from "../domain/address.ts";
import type { Vault } from "../vault/vault.ts";
import { type Beginning, openRows, type RetainedRun, type RunStart, type StoredRow } from "./rows.ts";
import { DurableRun } from "./run.ts";

/** The run of a workflow. */
interface DurableRequest {
	readonly namespace: string | null;
	readonly executionId: string;
	readonly workflow: string;
	readonly versionNumber?: number | undefined;
	readonly address?: Address;
	readonly input: JsonObject;
	readonly request?: JsonObject;
	readonly files?: readonly string[] | undefined;
	readonly replayOf?: string;
	readonly stepPrefix?: string;
	readonly isWaitedFor?: true;
}

/** Kept beside the steps. The key is sealed. */
interface Tag extends RunStart {
	readonly key: string;
}

/** A run that was taken so often without a step since has to wait before it is taken again. */
const MAX_TAKES_AT_ONCE = 3;
const MAX_WAIT_MS = 60_000;
const POLL_MS = 100;
/** Whoever was about to take a cancelled run does so within this time. */
const CANCELLED_SECONDS = 60 * 60;

/** Where it is recorded what a run began with. No called workflow has such a line. */
const BEGINNING = "beginning";

export type DurableRuns = ReturnType<typeof durableRuns>;

/** Runs whose steps are kept, so that another process can resume them. */
export function durableRuns(deps: {
	readonly journal: Journal;
	readonly createCipher: CreateCipher;
	readonly vault: Pick<Vault, "runSealer">;
	readonly clock: Clock;
	readonly log: Log;
	/** True on Workers: a request must not touch the run of another one. */
	readonly isolatesRequests: boolean;
	/** Several processes serve the deployment. */
	readonly hasPeers?: boolean;
	/** How many bytes of steps are retained for a namespace. */
	readonly maxKeptBytes: number;
	/** After so many effects a run is interrupted. Omitted: it continues until it ends. */
	readonly maxEffects?: number | undefined;
}) {
	const { journal, clock, maxEffects = Number.POSITIVE_INFINITY, hasPeers = false } = deps;
	/** The runs of this process, by execution. */
	const held = new Map<string, DurableRun>();
	let isStopping = false;
	/** The day of the last log line about the limit. */
	let loggedDay = "";

	return {
		/** Takes a run, whether it is new or another process had it. Null if it is new and no further run is durable today. */
		async take(request: DurableRequest): Promise<DurableRun | null> {
			const { namespace, executionId, versionNumber, replayOf, isWaitedFor = false } = request;
			const sealer = await deps.vault.runSealer(namespace ?? "");
			const context = buildContext(executionId);
			const key = createKeyBytes();
			const fresh: Tag = {
				key: await sealer.seal(context, toBase64Url(key)),
				started_at: clock.now(),
				version_number: versionNumber,
			};
			const tag = JSON.stringify(fresh);
			const taken = await journal.take(executionId, tag);
			if (taken === null) {
				logLimit();
				return null;
			}
			const start = JSON.parse(taken.tag) as Tag;
			const isNew = taken.tag === tag;
			const runKey = isNew ? key : decodeKey(await sealer.open(context, start.key));
			const cipher = await deps.createCipher(runKey);
			const earlier = replayOf === undefined ? null : await this.read(namespace ?? "", replayOf);
			// Another invocation could not answer the caller.
			const limit = isWaitedFor ? Number.POSITIVE_INFINITY : maxEffects;
			const run = new DurableRun({
				...{ held: taken, cipher, key: runKey, start, maxEffects: limit, hasPeers, clock, earlier },
			});
			if (!deps.isolatesRequests) held.set(executionId, run);
			if (isStopping) run.pause();
			return run;
		},

		/**
		 * The steps of a run that has ended are deleted then, in Unix seconds. With the request of a failed run also what it
		 * began with is kept, so that it can be repeated.
		 */
		async retain(
			run: DurableRun,
			request: DurableRequest | null,
			executionId: string,
			until: number,
		): Promise<void> {
			if (request !== null) {
				const { input, request: called, files, workflow, stepPrefix = executionId } = request;
				const address = resolveAddress(request);
				const beginning: Beginning = { input, request: called, files, workflow, address, stepPrefix };
				await run.write(BEGINNING, [beginning]);
			}
			const owner = request?.namespace ?? null;
			const kept = owner === null ? undefined : { owner, bytes: run.bytes, maxBytes: deps.maxKeptBytes };
			await journal.retain(executionId, until, kept);
		},

		/** What is retained of a run; null if nothing is. */
		async read(namespace: string, executionId: string): Promise<RetainedRun | null> {
			const recorded = await journal.read(executionId);
			if (recorded === null) return null;
			const { key, ...start } = JSON.parse(recorded.tag) as Tag;
			const sealer = await deps.vault.runSealer(namespace);
			const cipher = await deps.createCipher(decodeKey(await sealer.open(buildContext(executionId), key)));
			const [beginning] = await openRows<Beginning>(recorded, cipher, BEGINNING);
			if (beginning === undefined) return null;
			return { ...beginning, start, list: (line) => openRows<StoredRow>(recorded, cipher, line) };
		},

		/**
		 * Before a run is taken: waits if the last processes that took it have all ended before it recorded a step. It may be
		 * the cause, and other work must have time to complete.
		 */
		async waitIfIdle(executionId: string): Promise<void> {
			const takes = (await journal.countIdleTakes(executionId)) ?? 0;
			if (deps.isolatesRequests || takes <= MAX_TAKES_AT_ONCE) return;
			const until = clock.now() + Math.min(MAX_WAIT_MS, 1_000 * 2 ** (takes - MAX_TAKES_AT_ONCE));
			while (!isStopping && clock.now() < until) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
		},

		/** Whether the run was taken before. */
		knows: async (executionId: string): Promise<boolean> =>
			(await journal.countIdleTakes(executionId)) !== null,

		sweep: (now: number): Promise<number> => journal.sweep(now),

		/** Lets a run of this process look for what it waits for. False if it is not here, or is about to leave. */
		wake(executionId: string): boolean {
			const run = held.get(executionId);
			if (run === undefined || run.stopped !== null) return false;
			run.wake();
			return true;
		},

		/** Must be called when this process no longer runs it. Another run of it may have begun to clean up. */
		release(executionId: string, run: DurableRun | null): void {
			if (held.get(executionId) === run) held.delete(executionId);
		},

		/**
		 * Stops a run in whichever process it is: whoever takes it from now on only cleans up. `isFirst` is false if it was
		 * stopped before. Null if it has recorded nothing that could be cleaned up.
		 */
		async interrupt(
			executionId: string,
		): Promise<{ readonly start: RunStart; readonly isFirst: boolean } | null> {
			const interrupted = await journal.interrupt(executionId);
			if (interrupted === null) return null;
			const { tag, isFirst } = interrupted;
			if (isFirst) held.get(executionId)?.cancel();
			return { start: JSON.parse(tag) as Tag, isFirst };
		},

		/** Stops a run in whichever process it is, for good: no process can take it any more. */
		async cancel(executionId: string): Promise<void> {
			await journal.cancel(executionId, unixSeconds(clock) + CANCELLED_SECONDS);
			held.get(executionId)?.cancel();
		},

		/** Deletes the steps of a run that has ended. */
		delete: (executionId: string): Promise<void> => journal.delete(executionId),

		/** Interrupts all runs. Another process can resume them. */
		stop(): void {
			isStopping = true;
			for (const run of held.values()) run.pause();
		},
	};

	/** Once a day. */
	function logLimit(): void {
		const day = toIsoTime(clock.now()).slice(0, 10);
		if (day === loggedDay) return;
		loggedDay = day;
		deps.log(
			"warn",
			"DURABLE_DAILY_ROWS is reached: until midnight UTC a new run that is interrupted starts again",
		);
	}
}

function decodeKey(text: string): Uint8Array<ArrayBuffer> {
	const key = fromBase64(text);
	if (key === null) throw new CannotOpen();
	return key;
}

const buildContext = (executionId: string): string[] => ["run", executionId];
