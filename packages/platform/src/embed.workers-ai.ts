import { type Embedder, EmbedUnavailable } from "./embed.ts";

/** The part of a Workers AI binding that is used. */
export interface WorkersAi {
	run(model: string, input: { readonly text: readonly string[] }): Promise<unknown>;
}

const MODEL = "@cf/baai/bge-m3";
const DIMENSIONS = 1024;
const BATCH_SIZE = 32;
const MAX_CHARACTERS = 8_000;

/** The model is multilingual, accepts long texts and is available on the free plan. */
export function workersAiEmbedder(ai: WorkersAi): Embedder {
	return {
		provider: "workers-ai",
		model: MODEL,
		dimensions: DIMENSIONS,
		isModel: true,
		batchSize: BATCH_SIZE,
		maxCharacters: MAX_CHARACTERS,
		async embed(texts, signal) {
			const answer = await raceSignal(ai.run(MODEL, { text: texts }), signal);
			const { data } = (answer ?? {}) as { data?: unknown };
			if (!Array.isArray(data) || data.length !== texts.length || !data.every(isVector)) {
				throw new EmbedUnavailable("Workers AI did not return a vector for each text");
			}
			return data.map((vector) => Float32Array.from(vector));
		},
	};
}

/** The binding does not accept a signal, so a late response is discarded. */
async function raceSignal(answer: Promise<unknown>, signal: AbortSignal): Promise<unknown> {
	const { promise, reject } = Promise.withResolvers<never>();
	const tooLate = () => reject(new EmbedUnavailable("Workers AI took too long"));
	if (signal.aborted) tooLate();
	signal.addEventListener("abort", tooLate, { once: true });
	try {
		return await Promise.race([answer, promise]);
	} catch (error) {
		if (error instanceof EmbedUnavailable) throw error;
		throw new EmbedUnavailable("Workers AI cannot answer");
	} finally {
		signal.removeEventListener("abort", tooLate);
		// Whichever lost the race must not surface as an unhandled rejection.
		promise.catch(() => {});
		answer.catch(() => {});
	}
}

const isVector = (value: unknown): value is number[] =>
	Array.isArray(value) &&
	value.length === DIMENSIONS &&
	value.every((each) => typeof each === "number" && Number.isFinite(Math.fround(each)));
