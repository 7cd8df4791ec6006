import type { Background } from "@tripline/platform/background";
import { type Clock, unixSeconds } from "@tripline/platform/clock";
import { type Embedder, EmbedUnavailable } from "@tripline/platform/embed";
import type { Log } from "@tripline/platform/log";
import type { VectorIndex } from "@tripline/platform/vectors";
import type { EmbedCounts, Generation, GenerationKind, MadeVector } from "../storage/embed-work.ts";
import type { TypeFilter, VectorStorage } from "../storage/vectors.ts";
import { blockCache } from "./block-cache.ts";
import { embedTexts } from "./embed-texts.ts";
import { externalIndex } from "./external-index.ts";
import { createKernel, type Kernel } from "./kernel.ts";
import { findNearestByIndex, findNearestByScan, type Near } from "./nearest.ts";
import { getStoredLength, quantise } from "./quantise.ts";
import { mayWantEmbedding } from "./text.ts";

export interface SemanticIndex {
	/** Whether hits by meaning may be weighted against word hits. */
	readonly isModel: boolean;
	/** Schedules embedding of an entry that a write has marked, after the response. */
	scheduleEmbedding(metadataJson: string): void;
	/** Embeds due texts and cleans up. */
	tick(): Promise<void>;
	/** The entries closest in meaning, closest first; none if no embedder responds in time. */
	findNearest(owner: string, text: string, limit: number, types: TypeFilter): Promise<Near[]>;
	getStatus(): Promise<EmbedStatus>;
	/** Stops work in progress; unfinished texts stay marked. */
	stop(): void;
}

interface EmbedStatus extends EmbedCounts {
	readonly provider: string | null;
	readonly model: string | null;
	readonly dimensions: number | null;
}

/** Writes within this time are embedded together. */
const GATHER_MS = 50;
/** Shorter than the time Workers grants after a response, so that a failure can still be recorded. */
const EMBED_TIMEOUT_MS = 20_000;
const QUERY_TIMEOUT_MS = 3_000;
/** When a claim expires, in case its process died. */
const CLAIM_SECONDS = 120;
/** Searches skip a provider that has just failed for this long. */
const QUERY_PAUSE_MS = 10_000;
const BLOCKS_PER_PACKING = 2;
const GROUPS_PER_ROUND = 2;

/** The right to embed. It expires, because Workers may end a request's work without notice. */
interface Turn {
	until: number;
	readonly stopper: AbortController;
}

export function semanticIndex(deps: {
	readonly storage: VectorStorage;
	readonly embedder: Embedder | null;
	readonly index: VectorIndex | null;
	readonly background: Background;
	readonly clock: Clock;
	readonly log: Log;
	/** Batches per run; a platform may limit the work of one request. */
	readonly rounds: number;
}): SemanticIndex {
	const { storage, embedder, index, background, clock, log } = deps;
	const external = index === null ? null : externalIndex({ storage, index, clock, log });
	const cache = blockCache(storage.blocks);
	let kernel: Kernel | undefined;
	let isStopped = false;
	let hasNewWork = false;
	let turn: Turn | null = null;
	let queriesPausedUntil = 0;

	return {
		isModel: embedder?.isModel ?? false,

		scheduleEmbedding(metadataJson) {
			if (embedder === null || isStopped || !mayWantEmbedding(metadataJson)) return;
			const own = takeTurn();
			if (own === null) {
				hasNewWork = true;
				return;
			}
			background.run("embed", async () => {
				await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
				await run(own);
			});
		},

		async tick() {
			const own = takeTurn();
			if (own !== null) await run(own);
			if (isStopped) return;
			await storage.unpackSparse();
			await external?.deleteRemoved();
		},

		async findNearest(owner, text, limit, types) {
			if (embedder === null || clock.now() < queriesPausedUntil) return [];
			const generation = await storage.generation();
			if (generation === null || !isCurrent(generation)) return [];
			const vector = await embedQuery(text);
			if (vector === null || vector.length !== generation.dimensions) return [];
			const quantised = quantise(vector);
			if (quantised === null) return [];
			kernel ??= createKernel();
			const query = { owner, types, limit, generation: generation.id, vector: quantised };
			if (external === null) return findNearestByScan(storage, cache, kernel, query);
			return findNearestByIndex(storage, kernel, external.query, { ...query, now: unixSeconds(clock) });
		},

		async getStatus() {
			const [counts, generation] = await Promise.all([storage.countTexts(), storage.generation()]);
			const known = generation !== null && isCurrent(generation) ? generation.dimensions : null;
			return {
				...counts,
				provider: embedder?.provider ?? null,
				model: embedder?.model ?? null,
				dimensions: embedder?.dimensions ?? known,
			};
		},

		stop() {
			isStopped = true;
			turn?.stopper.abort();
		},
	};

	/** Only one run at a time per process; claims prevent conflicts between processes. */
	function takeTurn(): Turn | null {
		if (turn !== null && turn.until > clock.now()) return null;
		turn = { until: computeTurnEnd(), stopper: new AbortController() };
		return turn;
	}

	async function run(own: Turn): Promise<void> {
		try {
			for (let round = 0; embedder !== null && round < deps.rounds && !isStopped; round++) {
				own.until = computeTurnEnd();
				hasNewWork = false;
				const outcome = await runRound(embedder, own.stopper.signal);
				if (outcome === "outage" || (outcome === "nothing to do" && !hasNewWork)) break;
			}
		} finally {
			if (turn === own) turn = null;
		}
	}

	function computeTurnEnd(): number {
		return clock.now() + CLAIM_SECONDS * 1000;
	}

	async function runRound(
		using: Embedder,
		stopped: AbortSignal,
	): Promise<"nothing to do" | "worked" | "outage"> {
		const now = unixSeconds(clock);
		const generation = await currentGeneration(using);
		if (generation.swept_to !== null) await storage.sweep(generation.id, now);
		const texts = await storage.claim({
			now,
			until: now + CLAIM_SECONDS,
			limit: using.batchSize,
			maxCharacters: using.maxCharacters,
		});
		const wasSent = (await external?.sendUnsent()) ?? false;
		if (texts.length === 0) return generation.swept_to !== null || wasSent ? "worked" : "nothing to do";

		const result = await runUntilStopped(stopped, (signal) =>
			embedTexts({ embedder: using, texts, generation: generation.id, now, signal }),
		);
		if (result === null || isStopped) {
			await storage.release(texts, now);
			return "outage";
		}
		await storage.confirm(result.same);
		await storage.release(result.untried, now);
		await storage.recordFailures(result.failed, now);
		if (result.dimensions !== null) await storeVectors(using, generation, result.made, result.dimensions);
		await pack(generation.id, result.made, result.dimensions);
		await external?.sendUnsent();
		if (result.failed.length > 0) {
			log("warn", "embedding failed", {
				provider: using.provider,
				model: using.model,
				texts: result.failed.length,
				reason: result.failed[0]?.error,
			});
		}
		return result.outage === null ? "worked" : "outage";
	}

	async function currentGeneration(using: Embedder): Promise<Generation> {
		const newest = await storage.generation();
		if (newest !== null && isCurrent(newest)) return newest;
		await storage.beginGeneration(toKind(using, using.dimensions));
		return (await storage.generation()) as Generation;
	}

	/** A change of dimensions means a different model, even under the same name. */
	async function storeVectors(
		using: Embedder,
		generation: Generation,
		vectors: readonly MadeVector[],
		dimensions: number,
	): Promise<void> {
		if (generation.dimensions === null) await storage.learnDimensions(generation.id, dimensions);
		else if (generation.dimensions !== dimensions) {
			await storage.beginGeneration(toKind(using, dimensions));
			await storage.release(
				vectors.map(({ text }) => text),
				unixSeconds(clock),
			);
			return;
		}
		await storage.storeVectors({
			generation: generation.id,
			dimensions,
			vectors,
			visibleAt: index === null ? 0 : null,
		});
	}

	/** With an external index, searches read no blocks. */
	async function pack(
		generation: number,
		made: readonly MadeVector[],
		dimensions: number | null,
	): Promise<void> {
		if (index !== null || dimensions === null) return;
		const groups = new Map(made.map(({ text }) => [`${text.owner_id}\n${text.entry_type}`, text]));
		for (const { owner_id, entry_type } of [...groups.values()].slice(0, GROUPS_PER_ROUND)) {
			await storage.pack({
				owner: owner_id,
				entryType: entry_type,
				generation,
				stride: getStoredLength(dimensions),
				blocks: BLOCKS_PER_PACKING,
			});
		}
	}

	async function embedQuery(text: string): Promise<Float32Array | null> {
		if (embedder === null) return null;
		try {
			const cut = text.slice(0, embedder.maxCharacters).toWellFormed();
			const [vector] = await embedder.embed([cut], AbortSignal.timeout(QUERY_TIMEOUT_MS));
			return vector ?? null;
		} catch (error) {
			queriesPausedUntil = clock.now() + QUERY_PAUSE_MS;
			const reason = error instanceof EmbedUnavailable ? error.message : "the embedder failed";
			log("warn", "embedding of the query failed", {
				provider: embedder.provider,
				model: embedder.model,
				reason,
			});
			return null;
		}
	}

	function toKind(using: Embedder, dimensions: number | null): GenerationKind {
		return {
			provider: using.provider,
			model: using.model,
			dimensions,
			vector_index: index?.name ?? "",
		};
	}

	function isCurrent(generation: Generation): boolean {
		return (
			generation.provider === embedder?.provider &&
			generation.model === embedder.model &&
			generation.vector_index === (index?.name ?? "") &&
			(embedder.dimensions === null || generation.dimensions === embedder.dimensions)
		);
	}
}

/** The result of the work, or null as soon as it is stopped, even if the embedder ignores its signal. */
async function runUntilStopped<T>(
	stopped: AbortSignal,
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
	const { promise, resolve } = Promise.withResolvers<null>();
	const limit = new AbortController();
	const stop = () => {
		limit.abort();
		resolve(null);
	};
	const timer = setTimeout(() => limit.abort(), EMBED_TIMEOUT_MS);
	stopped.addEventListener("abort", stop, { once: true });
	if (stopped.aborted) stop();
	try {
		return await Promise.race([work(limit.signal), promise]);
	} finally {
		clearTimeout(timer);
		stopped.removeEventListener("abort", stop);
	}
}
