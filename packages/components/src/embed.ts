import type { Json } from "@tripline/contract/json";
import type { Component } from "@tripline/engine/component";
import { readStep } from "@tripline/engine/expressions/path";
import * as z from "zod";
import { define } from "./define.ts";
import type { Effects } from "./effects.ts";
import { omitUndefined, toCount } from "./llm/chat.ts";
import { findProviderError } from "./llm/failure.ts";
import { buildEndpoint, callModel, modelParams } from "./llm/model-call.ts";
import { parseAnswer } from "./llm/parse-answer.ts";

const BASE_URL = "https://api.openai.com/v1";
const MAX_TEXTS = 2048;
const MAX_DIMENSIONS = 65_536;

const Text = z.string().min(1);
const Tokens = z.int().nullable();

const Params = z.strictObject({
	model: modelParams.model,
	input: z
		.union([Text, z.array(Text).min(1).max(MAX_TEXTS)])
		.meta({ description: `A text, or a list of up to ${MAX_TEXTS} texts` }),
	dimensions: z
		.int()
		.min(1)
		.max(MAX_DIMENSIONS)
		.optional()
		.meta({ description: "Length of the vectors; not every model supports it" }),
	base_url: modelParams.base_url.meta({ description: `Base URL of the API; default ${BASE_URL}` }),
	extra: modelParams.extra,
	attempts: modelParams.attempts,
	attempt_timeout_ms: modelParams.attempt_timeout_ms,
});

const definition = define({
	id: "embed",
	title: "Embed texts",
	description: `Turns texts into vectors; texts with similar meanings get vectors that are close to each other. Works with OpenAI and OpenAI-compatible servers (Ollama, vLLM, Voyage and others). The node's \`credential\` holds the API key.

A node's output is at most 1 MiB, about 50 vectors of 1536 numbers. For more, use fewer \`dimensions\` or fewer texts per call.`,
	params: Params,
	output: z.object({
		embeddings: z
			.array(z.array(z.number()))
			.meta({ description: "One vector per text, in the order of the texts" }),
		model: z.string().meta({ description: "The model that was used" }),
		usage: z
			.object({ input_tokens: Tokens, total_tokens: Tokens })
			.meta({ description: "Null if the provider does not report it" }),
	}),
	examples: [
		{
			title: "Two texts",
			input: { texts: ["green tea", "black tea"] },
			params: { model: "text-embedding-3-small", input: "{{input.texts}}", credential: "openai" },
		},
		{
			title: "One text, with your own server and short vectors",
			params: {
				base_url: "https://models.example.com/v1",
				model: "nomic-embed-text",
				input: "green tea",
				dimensions: 256,
			},
		},
		{
			title: "An empty text cannot be embedded",
			params: { model: "text-embedding-3-small", input: "" },
			error: 'parameter "input" must be at least 1 characters long',
		},
	],
	async run(node) {
		const { model, input, dimensions, extra, attempts, ...params } = node.params;
		const texts = typeof input === "string" ? [input] : input;
		const base = new URL(params.base_url ?? BASE_URL);
		const answer = await callModel(node, {
			url: buildEndpoint(base, "/embeddings"),
			value: { ...extra, model, input: texts, ...buildOptions(base, dimensions) },
			attempts,
			timeoutMs: params.attempt_timeout_ms,
		});
		const value = parseAnswer(answer);
		const error = findProviderError(value);
		if (error !== null)
			throw new Error(`the provider failed: ${error === "" ? "it did not say why" : error}`);
		return toOutput(value, texts.length, model);
	},
});

export const embed: Component<Effects> = {
	...definition,
	hosts: ["*"],
	takesCredentials: true,
	targets: ["base_url"],
};

/** Voyage has its own name for the length, and accepts no encoding_format for plain numbers: they are its default. */
function buildOptions({ hostname }: URL, dimensions: number | undefined): { [name: string]: Json } {
	return hostname === "api.voyageai.com"
		? omitUndefined({ output_dimension: dimensions })
		: omitUndefined({ encoding_format: "float", dimensions });
}

function toOutput(answer: Json | undefined, count: number, model: string): Json {
	const answered = readStep(answer, "model");
	const usage = readStep(answer, "usage");
	const total = toCount(readStep(usage, "total_tokens"));
	return {
		embeddings: readVectors(readStep(answer, "data"), count),
		model: typeof answered === "string" ? answered : model,
		usage: { input_tokens: toCount(readStep(usage, "prompt_tokens")) ?? total, total_tokens: total },
	};
}

function readVectors(data: Json | undefined, count: number): number[][] {
	if (!Array.isArray(data)) throw new Error("the provider's answer has no vectors; is base_url right?");
	if (data.length !== count) {
		throw new Error(`the provider gave ${data.length} vectors for ${count} texts`);
	}
	const vectors: number[][] = [];
	for (const [place, item] of data.entries()) {
		const index = readStep(item, "index") ?? place;
		const vector = readStep(item, "embedding");
		if (!isIndex(index, count) || vectors[index] !== undefined) {
			throw new Error("the provider's vectors are not one for each text");
		}
		if (!isVector(vector)) throw new Error("the provider's vectors are not lists of numbers");
		vectors[index] = vector;
	}
	const length = vectors[0]?.length;
	if (vectors.some((vector) => vector.length !== length)) {
		throw new Error("the provider's vectors differ in length");
	}
	return vectors;
}

const isIndex = (index: Json, count: number): index is number =>
	typeof index === "number" && Number.isInteger(index) && index >= 0 && index < count;

const isVector = (value: Json | undefined): value is number[] =>
	Array.isArray(value) &&
	value.length > 0 &&
	value.length <= MAX_DIMENSIONS &&
	value.every((each) => typeof each === "number" && Number.isFinite(each));
