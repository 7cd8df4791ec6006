import { toCanonicalJson } from "@tripline/components/installed/canonical";
import { Failed } from "@tripline/contract/failures";
import { sha256Hex } from "@tripline/contract/ids";
import type { Background } from "@tripline/platform/background";
import { toIsoTime } from "@tripline/platform/clock";
import {
	computeRetryAt,
	type PolledItem,
	type PollState,
	readPolledItems,
	remember,
} from "../domain/poll-state.ts";
import type { PollStates } from "../storage/poll-states.ts";
import type { AcceptedRuns } from "./accepted.ts";
import type { Runs } from "./admitted.ts";
import { deriveId } from "./derive-id.ts";
import type { Executions, RunRequest } from "./execute.ts";
import type { PollingRunnable } from "./runnable.ts";

/** An occurrence that was claimed. */
export interface PollRequest extends Omit<RunRequest, "runnable" | "namespace"> {
	readonly namespace: string;
	readonly runnable: PollingRunnable;
	/** Id of the workflow's entry. */
	readonly entryId: string;
	/** ISO 8601. */
	readonly occurrence: string;
}

/** Pause between two polls with the same credential. */
const SPACING_MS = 1_000;
/** Runs that one poll starts: further items are left for the next one. */
const MAX_STARTED = 500;
/** Runs that are accepted by one call of the store, and the size of their inputs. */
const MAX_BATCH = 50;
const MAX_BATCH_CHARACTERS = 262_144;
/** Characters of a key's hash that are remembered: 64 bits. */
const HASH_LENGTH = 16;

export type Polls = ReturnType<typeof polls>;

/** Reads what workflows poll, and starts a run for each new item. */
export function polls(deps: {
	readonly states: PollStates;
	readonly accepted: AcceptedRuns;
	readonly runs: Runs;
	readonly background: Background;
	readonly fail: Executions["fail"];
	/** True on Workers: a request must not await another request's promise, and may end without notice. */
	readonly isolatesRequests: boolean;
	/** Runs that an invocation of a Worker can start. */
	readonly maxStarted?: number | undefined;
}) {
	const { states, accepted, runs, background, isolatesRequests } = deps;
	const maxStarted = Math.min(deps.maxStarted ?? MAX_STARTED, MAX_STARTED);
	/** By the workflow's entry: polls in progress here, or waiting for their turn, with what became due meanwhile. */
	const underWay = new Map<string, PollRequest | null>();
	/** The last poll of each credential. */
	const lines = new Map<string, Promise<void>>();

	return {
		/** Polls in the background, one after the other for each workflow. */
		start(request: PollRequest): void {
			if (isolatesRequests) {
				background.run("poll", () => poll(request));
				return;
			}
			const { entryId } = request;
			const isUnderWay = underWay.has(entryId);
			underWay.set(entryId, isUnderWay ? request : null);
			if (!isUnderWay) background.run("poll", () => pollUntilDone(request));
		},
	};

	async function pollUntilDone(request: PollRequest): Promise<void> {
		const { entryId } = request;
		try {
			for (let next: PollRequest | null = request; next !== null; ) {
				underWay.set(entryId, null);
				await pollInTurn(next);
				next = underWay.get(entryId) ?? null;
			}
		} finally {
			underWay.delete(entryId);
		}
	}

	/** Services limit the calls of an account, so the polls of a credential take turns. */
	async function pollInTurn(request: PollRequest): Promise<void> {
		const { credential } = request.runnable.poll.settings;
		if (credential === undefined) return poll(request);
		const key = `${request.namespace}\n${credential}`;
		const before = lines.get(key);
		const { promise: mine, resolve } = Promise.withResolvers<void>();
		lines.set(key, mine);
		try {
			await before;
			await poll(request);
		} finally {
			const next = () => {
				if (lines.get(key) === mine) lines.delete(key);
				resolve();
			};
			setTimeout(next, SPACING_MS).unref?.();
		}
	}

	async function poll(request: PollRequest): Promise<void> {
		const { namespace, workflow, runnable, occurrence, entryId } = request;
		const { plan, settings } = runnable.poll;
		const fingerprint = await sha256Hex(toCanonicalJson([entryId, { ...settings }]));
		const stored = await states.find(namespace, workflow);
		const known = stored?.fingerprint === fingerprint ? stored : createState(fingerprint);
		if (known.retry_at !== null && Date.parse(occurrence) < Date.parse(known.retry_at)) return;
		// Without a place the process is shutting down: the next occurrence polls.
		if (!(await runs.placeFor(namespace))) return;
		const { result } = await runs.run({
			...request,
			runnable: {
				...runnable,
				plan,
				nodes: plan.nodes.map(({ id, component }) => ({ id, component: component.id })),
				getRunLimit: null,
				checkInput: null,
				checkOutput: null,
			},
			isPoll: true,
		});
		const save = (changes: Partial<PollState>) => states.save(namespace, workflow, { ...known, ...changes });
		const saveFailure = (error: string, changes: Partial<PollState> = {}) => {
			const failures = known.failures + 1;
			const retry_at = toIsoTime(computeRetryAt(Date.parse(occurrence), failures));
			return save({ ...changes, failures, error, retry_at });
		};
		if (!result.success) return saveFailure(result.error ?? "");
		const items = readPolledItems(result.data, settings);
		if ("problem" in items) return failWith(items.problem, saveFailure);
		const hashed = await Promise.all(items.map(hashKey));
		const all = hashed.map(({ hash }) => hash);
		if (known.since === null) return save({ ...FINE, since: occurrence, seen: remember([], all) });
		const seen = new Set(known.seen);
		const fresh = hashed.filter(({ hash }) => !seen.has(hash)).slice(0, maxStarted);
		const refusal = await startRuns(fresh);
		const now = remember(
			known.seen,
			all.filter((hash) => seen.has(hash)),
		);
		if (refusal !== null) return failWith(refusal, (error) => saveFailure(error, { seen: now }));
		const isChanged = known.failures > 0 || now.some((hash, index) => hash !== known.seen[index]);
		if (isChanged) await save({ ...FINE, seen: now });

		/** Adds what was started to `seen`. Null unless the service accepts no more runs. */
		async function startRuns(
			waiting: readonly (PolledItem & { readonly hash: string })[],
		): Promise<string | null> {
			for (const batch of splitIntoBatches(waiting)) {
				try {
					const started = batch.map(async ({ key, input }) => ({
						...{ workflow, versionNumber: request.versionNumber, runnable, input },
						// The same if the process dies before the item is remembered: the run is not accepted twice.
						executionId: await deriveId(fingerprint, key),
					}));
					await accepted.accept({
						...{ namespace, input: {}, trigger: "schedule", eventDepth: 0 },
						isOneOfMany: isolatesRequests,
						runs: await Promise.all(started),
					});
				} catch (error) {
					if (error instanceof Failed) return error.message;
					throw error;
				}
				for (const { hash } of batch) seen.add(hash);
			}
			return null;
		}

		function failWith(problem: string, then: (error: string) => Promise<void>): Promise<void> {
			const error = `poll: ${problem}`;
			deps.fail(request, error);
			return then(error);
		}
	}
}

const FINE = { failures: 0, error: null, retry_at: null } as const;

const createState = (fingerprint: string): PollState => ({ fingerprint, since: null, seen: [], ...FINE });

const hashKey = async (item: PolledItem) => ({
	...item,
	hash: (await sha256Hex(item.key)).slice(0, HASH_LENGTH),
});

function* splitIntoBatches<Item extends PolledItem>(items: readonly Item[]): Generator<readonly Item[]> {
	let batch: Item[] = [];
	let characters = 0;
	for (const item of items) {
		const size = JSON.stringify(item.input).length;
		if (batch.length === MAX_BATCH || (batch.length > 0 && characters + size > MAX_BATCH_CHARACTERS)) {
			yield batch;
			batch = [];
			characters = 0;
		}
		batch.push(item);
		characters += size;
	}
	if (batch.length > 0) yield batch;
}
