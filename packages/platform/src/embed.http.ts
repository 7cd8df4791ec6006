import { type Embedder, EmbedUnavailable } from "./embed.ts";

const BATCH_SIZE = 32;
const MAX_CHARACTERS = 8_000;
/** A text that is rejected even at this length is not rejected because of its length. */
const MIN_CUT_LENGTH = 250;
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const MAX_DIMENSIONS = 8_192;

/** Statuses for a text that the model cannot accept; all others may be temporary. */
const REFUSALS = new Set([400, 413, 422]);

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** An OpenAI-compatible server: OpenAI itself, Ollama, vLLM, llama.cpp and others. */
export function httpEmbedder(deps: {
	/** The API's base (`https://host/v1`) or the whole address of its embeddings endpoint. */
	readonly url: string;
	readonly model: string;
	readonly apiKey: string | undefined;
	readonly fetch: Fetch;
}): Embedder {
	const url = toEndpoint(deps.url);
	const headers = {
		"content-type": "application/json",
		...(deps.apiKey === undefined ? {} : { authorization: `Bearer ${deps.apiKey}` }),
	};

	return {
		provider: "http",
		model: deps.model,
		dimensions: null,
		isModel: true,
		batchSize: BATCH_SIZE,
		maxCharacters: MAX_CHARACTERS,
		embed,
	};

	/** Splits a rejected batch so that one text does not block the others, and shortens a rejected text in case it is too long. */
	async function embed(texts: readonly string[], signal: AbortSignal): Promise<(Float32Array | null)[]> {
		const vectors = await ask(texts, signal);
		if (vectors !== null) return vectors;
		if (texts.length > 1) {
			const middle = texts.length >> 1;
			return [
				...(await embed(texts.slice(0, middle), signal)),
				...(await embed(texts.slice(middle), signal)),
			];
		}
		const text = texts[0] as string;
		return text.length > MIN_CUT_LENGTH
			? embed([text.slice(0, text.length >> 1).toWellFormed()], signal)
			: [null];
	}

	/** Null if the server rejects the texts. */
	async function ask(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[] | null> {
		try {
			const response = await deps.fetch(url, {
				method: "POST",
				headers,
				body: JSON.stringify({ model: deps.model, input: texts, encoding_format: "float" }),
				// Following a redirect would send the key to another host.
				redirect: "manual",
				signal,
			});
			if (!response.ok) {
				await response.body?.cancel();
				if (REFUSALS.has(response.status)) return null;
				throw new EmbedUnavailable(`the provider answered ${response.status}`);
			}
			return parseVectors(await readJson(response), texts.length);
		} catch (error) {
			if (error instanceof EmbedUnavailable) throw error;
			throw new EmbedUnavailable(
				signal.aborted ? "the provider took too long" : "the provider cannot be reached",
			);
		}
	}
}

function toEndpoint(base: string): string {
	const url = new URL(base);
	const path = url.pathname.replace(/\/+$/, "");
	url.pathname = path.endsWith("/embeddings") ? path : `${path}/embeddings`;
	return url.href;
}

async function readJson(response: Response): Promise<unknown> {
	const decoder = new TextDecoder();
	let text = "";
	let size = 0;
	for await (const chunk of response.body ?? []) {
		size += chunk.length;
		if (size > MAX_ANSWER_BYTES) throw new EmbedUnavailable("the provider's response is too large");
		text += decoder.decode(chunk, { stream: true });
	}
	try {
		return JSON.parse(text + decoder.decode());
	} catch {
		throw new EmbedUnavailable("the provider's response is not JSON");
	}
}

function parseVectors(answer: unknown, count: number): Float32Array[] {
	const { data } = (answer ?? {}) as { data?: unknown };
	if (!Array.isArray(data) || data.length !== count) {
		throw new EmbedUnavailable("the provider's response does not have a vector for each text");
	}
	const vectors: Float32Array[] = [];
	for (const [place, item] of data.entries()) {
		const { index = place, embedding } = (item ?? {}) as { index?: unknown; embedding?: unknown };
		if (typeof index !== "number" || !isVector(embedding)) {
			throw new EmbedUnavailable("the provider's response contains items that are not vectors");
		}
		vectors[index] = Float32Array.from(embedding);
	}
	const dimensions = vectors[0]?.length;
	for (let place = 0; place < count; place++) {
		if (vectors[place] === undefined || vectors[place]?.length !== dimensions) {
			throw new EmbedUnavailable("the provider's vectors differ in length or are missing for some texts");
		}
	}
	return vectors;
}

const isVector = (value: unknown): value is number[] =>
	Array.isArray(value) &&
	value.length > 0 &&
	value.length <= MAX_DIMENSIONS &&
	value.every((each) => typeof each === "number" && Number.isFinite(Math.fround(each)));
