import type { Json } from "@tripline/contract/json";
import type { Keep } from "@tripline/contract/workflows";
import type { Plan } from "@tripline/engine/plan";
import type { Background } from "@tripline/platform/background";
import type { Clock } from "@tripline/platform/clock";
import type { KeptRuns } from "@tripline/platform/kept";
import { noPeers, type Peers } from "@tripline/platform/peers";
import type { Turns } from "@tripline/platform/turns";
import { CannotOpen } from "@tripline/platform/vault";
import type { Vault } from "../vault/vault.ts";
import { RunCapture } from "./capture.ts";
import type { KeepDefaults } from "./defaults.ts";
import { buildDocument, type CapturedRun, type KeptDocument } from "./document.ts";
import { createMask } from "./mask.ts";
import type { MemoryRuns } from "./memory.ts";

/** Captures that wait to be stored hold memory. Beyond this they are kept in memory only. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** Looking at a larger input would hold up other runs, and it would displace many of them. */
const MAX_MEMORY_INPUT_BYTES = 256 * 1024;
const FIND = "kept data";
const DELETE = "delete kept data";
const RETENTION_MS = 7 * 24 * 60 * 60_000;

/** What is kept of a run, and where. */
export interface FoundData {
	readonly document: KeptDocument;
	/** In milliseconds. Null if it is in memory. */
	readonly expiresAt: number | null;
}

type KeptPlan = Pick<Plan<never>, "graph" | "context" | "options">;

interface LiveRun {
	readonly captured: CapturedRun;
	readonly keep: Keep | undefined;
}

interface KeptRun {
	readonly namespace: string | null;
	readonly executionId: string;
	readonly workflow: string;
	readonly versionNumber?: number | undefined;
	readonly request?: Json;
	readonly trigger: string;
	readonly runnable: { readonly version: string | null };
}

/** Keeps what nodes received and gave, in memory or in the executor's database. */
export function keptData(deps: {
	/** Null where no memory outlives a request. */
	readonly memory: MemoryRuns | null;
	/** Null if there is no database. */
	readonly stored: KeptRuns | null;
	readonly defaults: KeepDefaults;
	readonly vault: Pick<Vault, "runSealer">;
	readonly background: Background;
	readonly clock: Clock;
	readonly turns: Turns;
	readonly maxBytes: number;
	/** Other processes have a memory of their own. */
	readonly peers?: Peers | undefined;
}) {
	const { memory, stored, defaults, background, clock, peers = noPeers } = deps;
	peers.answer(FIND, async (key) => {
		const [namespace = "", id = ""] = key.split(" ");
		const run = await findHere(namespace, id);
		return run === null ? null : JSON.stringify(await build(namespace, run));
	});
	peers.answer(DELETE, async (key) => {
		const [namespace = "", id = ""] = key.split(" ");
		return memory?.delete(namespace, id) ? "deleted" : null;
	});
	/** Writes in progress. Where no memory outlives a request, none may await another's promise either. */
	const writes = memory === null ? null : new Map<string, Promise<void>>();
	let waitingBytes = 0;
	/** Runs in progress that can be looked at, by their keys. */
	const live = memory === null ? null : new Map<string, LiveRun>();

	return {
		/**
		 * Undefined if nothing will be kept of the run. Runs of nobody are never kept. `inputBytes` is the size of its request,
		 * if it has one, `caller` the data of the run that calls this one as a workflow.
		 */
		begin(
			namespace: string | null,
			keep: Keep | undefined,
			input: Json,
			{
				inputBytes = 0,
				caller,
			}: { readonly inputBytes?: number | undefined; readonly caller?: RunCapture | undefined } = {},
		): RunCapture | undefined {
			if (namespace === null) return undefined;
			const mode = keep ?? defaults.peek(namespace);
			if (mode === "none" || (memory === null && (mode === "memory" || stored === null))) return undefined;
			if (mode === "memory" && memory?.wants(namespace) === false) return undefined;
			if (memory !== null && inputBytes > MAX_MEMORY_INPUT_BYTES) {
				if (mode === undefined) background.run("kept data", () => defaults.load(namespace));
				if ((mode ?? defaults.peekLast(namespace)) === "memory") return undefined;
			}
			return new RunCapture(input, caller);
		},

		end(
			capture: RunCapture,
			ended: KeptRun,
			plan: KeptPlan,
			{ time, success }: { readonly time: string; readonly success: boolean },
		): void {
			const { namespace, executionId } = ended;
			if (namespace === null) return;
			const { options } = plan;
			const run = toCaptured(capture, ended, plan, time);
			live?.delete(buildKey(namespace, executionId));
			memory?.put(namespace, run);
			const known = options.keep ?? defaults.peek(namespace);
			if (stored === null || known === "memory" || (known === "failed" && success)) return;
			background.run("kept data", () => {
				if (waitingBytes > MAX_WAITING_BYTES) throw new Error("too much data of runs waits to be stored");
				waitingBytes += capture.bytes;
				const key = buildKey(namespace, executionId);
				const work = settleMode(namespace, run, { known, success }).finally(() => {
					waitingBytes -= capture.bytes;
					writes?.delete(key);
				});
				writes?.set(key, work);
				return work;
			});
		},

		/** Lets a run be looked at while it is in progress. It has to end, or to leave. */
		follow(capture: RunCapture, run: KeptRun, plan: KeptPlan, time: string): void {
			const { namespace, executionId } = run;
			if (namespace === null || live === null) return;
			// What it had when it left the process.
			memory?.delete(namespace, executionId);
			const captured = toCaptured(capture, run, plan, time);
			live.set(buildKey(namespace, executionId), { captured, keep: plan.options.keep });
		},

		/** The run leaves the process, and goes on later. */
		leave({ namespace, executionId }: Pick<KeptRun, "namespace" | "executionId">): void {
			if (namespace === null || live === null) return;
			const key = buildKey(namespace, executionId);
			const run = live.get(key);
			if (run === undefined) return;
			live.delete(key);
			if ((run.keep ?? defaults.peekLast(namespace)) !== "none") memory?.put(namespace, run.captured);
		},

		/** Null if nothing is kept. */
		async find(namespace: string, id: string): Promise<FoundData | null> {
			await settle(namespace, id);
			const row = await stored?.get(namespace, id);
			if (row !== undefined && row !== null) {
				const document = await open(namespace, id, row.text);
				if (document !== null) return { document, expiresAt: row.expiresAt };
			}
			const run = await findHere(namespace, id);
			if (run !== null) return { document: await build(namespace, run), expiresAt: null };
			const text = await peers.ask(FIND, `${namespace} ${id}`);
			return text === null ? null : { document: JSON.parse(text) as KeptDocument, expiresAt: null };
		},

		/** Whether there was anything. */
		async delete(namespace: string, id: string): Promise<boolean> {
			await settle(namespace, id);
			const wasInMemory = memory?.delete(namespace, id) ?? false;
			const wasStored = (await stored?.delete(namespace, id)) ?? false;
			const wasElsewhere = (await peers.ask(DELETE, `${namespace} ${id}`)) !== null;
			return wasInMemory || wasStored || wasElsewhere;
		},

		/** Deletes a bounded number of runs that have expired, and returns how many. */
		sweep: async (): Promise<number> => (await stored?.sweep()) ?? 0,
	};

	/** In progress, or in memory. */
	async function findHere(namespace: string, id: string): Promise<CapturedRun | null> {
		const followed = live?.get(buildKey(namespace, id));
		if (followed === undefined) return memory?.get(namespace, id) ?? null;
		const keep = followed.keep ?? (await defaults.load(namespace));
		return keep === "none" ? null : followed.captured;
	}

	/** Waits for the run's data to be stored. A failure is reported by the background. */
	async function settle(namespace: string, id: string): Promise<void> {
		await writes?.get(buildKey(namespace, id))?.catch(() => {});
	}

	/** Masking and cutting take time, so it waits for its turn. */
	async function build(namespace: string, run: CapturedRun): Promise<KeptDocument> {
		const mask = await createMask(run.capture.secrets);
		return await deps.turns.run(namespace, () => buildDocument(run, mask));
	}

	async function settleMode(
		namespace: string,
		run: CapturedRun,
		{ known, success }: { readonly known: Keep | undefined; readonly success: boolean },
	): Promise<void> {
		const keep = known ?? (await defaults.load(namespace));
		if (keep === "none") memory?.delete(namespace, run.id);
		if (keep === "all" || (keep === "failed" && !success)) await store(namespace, run);
	}

	async function store(namespace: string, run: CapturedRun): Promise<void> {
		const text = JSON.stringify(await build(namespace, run));
		const sealer = await deps.vault.runSealer(namespace);
		const sealed = await sealer.seal(buildContext(run.id), text);
		const expiresAt = clock.now() + RETENTION_MS;
		await stored?.put({ namespace, id: run.id, text: sealed, expiresAt }, deps.maxBytes);
	}

	/** Null if its key is gone. */
	async function open(namespace: string, id: string, sealed: string): Promise<KeptDocument | null> {
		const sealer = await deps.vault.runSealer(namespace);
		try {
			return JSON.parse(await sealer.open(buildContext(id), sealed)) as KeptDocument;
		} catch (error) {
			if (error instanceof CannotOpen) return null;
			throw error;
		}
	}
}

export type KeptRunData = ReturnType<typeof keptData>;

const toCaptured = (
	capture: RunCapture,
	{ executionId, workflow, versionNumber, request, trigger, runnable: { version } }: KeptRun,
	{ graph, context }: KeptPlan,
	time: string,
): CapturedRun => ({
	...{ id: executionId, workflow, versionNumber, version, trigger, time, request },
	...{ graph, context, capture },
});

const buildKey = (namespace: string, id: string): string => `${namespace}\n${id}`;

const buildContext = (id: string): string[] => ["kept data", id];
