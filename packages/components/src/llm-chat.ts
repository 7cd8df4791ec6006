import type { Json } from "@tripline/contract/json";
import type { Component } from "@tripline/engine/component";
import { TerminalError } from "@tripline/engine/terminal-error";
import { toSchemaType } from "@tripline/engine/types/from-schema";
import { ANY_OBJECT, replaceFields } from "@tripline/engine/types/type";
import * as z from "zod";
import { define } from "./define.ts";
import type { Effects } from "./effects.ts";
import { anthropic } from "./llm/anthropic.ts";
import { type ChatRequest, Message, type Reply } from "./llm/chat.ts";
import { findSchemaProblem, parseMatching } from "./llm/matching.ts";
import { callModel, modelParams } from "./llm/model-call.ts";
import { openai } from "./llm/openai.ts";
import { readReply } from "./llm/read-reply.ts";
import { anyObject } from "./schemas.ts";

const PROVIDERS = { openai, anthropic };
const BASE_URLS = { openai: "https://api.openai.com/v1", anthropic: "https://api.anthropic.com" };

const Schema = anyObject().superRefine((schema, context) => {
	const problem = findSchemaProblem(schema);
	if (problem !== null) context.addIssue(problem);
});

const Params = z
	.strictObject({
		model: modelParams.model,
		prompt: z
			.string()
			.min(1, "must not be empty")
			.optional()
			.meta({ description: "The question or instruction" }),
		messages: z.array(Message).min(1).max(1_000).optional().meta({
			description:
				"A conversation, instead of `prompt`. `role` is `system`, `user` or `assistant`; `content` is text, or a list of `{ type: text, text }` and `{ type: image_url, image_url: { url } }`",
		}),
		system: z.string().optional().meta({ description: "System prompt" }),
		schema: Schema.optional().meta({
			description: "JSON Schema of an object that the answer must match; `pattern` is not supported",
		}),
		schema_by: z.enum(["format", "tool"]).default("format").meta({
			description:
				"How the schema is enforced: as the response format, or with `tool` as a function that the model must call, for models and servers without structured output",
		}),
		max_tokens: z
			.int()
			.min(1)
			.max(1_000_000)
			.optional()
			.meta({ description: "Maximum length of the answer in tokens; default 4096 for Anthropic" }),
		temperature: z.number().min(0).max(2).optional().meta({
			description: "Randomness of the answer; not every model supports it",
		}),
		stop: z
			.array(z.string().min(1, "must not be empty"))
			.min(1)
			.max(16)
			.optional()
			.meta({ description: "Texts that end the answer" }),
		stream: z.boolean().default(false).meta({
			description: "Request a streamed response, which keeps slow connections open",
		}),
		provider: z.enum(["openai", "anthropic"]).optional().meta({
			description:
				"API format; by default derived from the host of `base_url`, else `openai`, which many servers support",
		}),
		base_url: modelParams.base_url.meta({
			description: `Base URL of the API; default ${BASE_URLS.openai} or ${BASE_URLS.anthropic}`,
		}),
		extra: modelParams.extra,
		attempts: modelParams.attempts,
		attempt_timeout_ms: modelParams.attempt_timeout_ms,
	})
	.refine(({ prompt, messages }) => (prompt === undefined) !== (messages === undefined), {
		path: ["prompt"],
		error: "or messages must be set, but not both",
	});
type Params = z.output<typeof Params>;

const Tokens = z.int().nullable();

const definition = define({
	id: "llm_chat",
	title: "Ask a language model",
	description: `Calls a model of OpenAI, Anthropic or any OpenAI-compatible server (Ollama, vLLM, OpenRouter and others). The node's \`credential\` holds the API key.

With \`schema\`, \`json\` holds the answer as an object that matches it. An answer that does not match fails the node and can be retried with \`retry\`. The node also fails if the model refuses, or if the answer is cut off before the object is complete.

Statuses 408, 429 and 500 and above, and failed connections, are retried, up to \`attempts\` attempts in total, after the delay in \`Retry-After\`.`,
	params: Params,
	output: z.object({
		text: z.string(),
		json: anyObject().optional().meta({ description: "With `schema`: the answer as an object" }),
		usage: z
			.object({ input_tokens: Tokens, output_tokens: Tokens, total_tokens: Tokens })
			.meta({ description: "Null if the provider does not report it" }),
		model: z.string().meta({ description: "The model that answered" }),
		finish_reason: z.string().nullable().meta({
			description: "`stop`, `length` if the answer was cut off, or the provider's own value",
		}),
	}),
	inferOutput({ output, has, constant, meter }) {
		const schema = constant("schema");
		return replaceFields(output, {
			json: schema !== undefined ? toSchemaType(schema, meter) : has("schema") ? ANY_OBJECT : null,
		});
	},
	examples: [
		{
			title: "A question",
			input: { text: "Le thé est prêt." },
			params: {
				model: "gpt-5-mini",
				system: "You translate into English.",
				prompt: "{{input.text}}",
				credential: "openai",
			},
		},
		{
			title: "A structured answer from Anthropic",
			input: { mail: "Please cancel order 7." },
			params: {
				provider: "anthropic",
				model: "claude-sonnet-5",
				prompt: "What does this customer want?\n\n{{input.mail}}",
				schema: {
					type: "object",
					properties: { intent: { enum: ["cancel", "change", "other"] }, order: { type: "integer" } },
					required: ["intent", "order"],
					additionalProperties: false,
				},
				credential: "anthropic",
			},
		},
		{
			title: "A model on your own server",
			params: {
				base_url: "https://models.example.com/v1",
				model: "qwen3",
				messages: [{ role: "user", content: "Hello" }],
				stream: true,
			},
		},
		{
			title: "A prompt or messages are required",
			params: { model: "gpt-5-mini" },
			error: 'parameter "prompt" is required',
		},
	],
	async run(node) {
		const { params } = node;
		const which = pickProvider(params);
		const provider = PROVIDERS[which];
		const base = new URL(params.base_url ?? BASE_URLS[which]);
		const accept = params.stream ? { accept: "text/event-stream" } : {};
		const answer = await callModel(node, {
			url: provider.url(base),
			headers: { ...provider.headers, ...accept },
			value: provider.body(buildRequest(params), base),
			attempts: params.attempts,
			timeoutMs: params.attempt_timeout_ms,
		});
		return toOutput(readReply(provider, answer), params);
	},
});

export const llmChat: Component<Effects> = { ...definition, hosts: ["*"], takesCredentials: true };

function pickProvider({ provider, base_url }: Params): keyof typeof PROVIDERS {
	if (provider !== undefined || base_url === undefined) return provider ?? "openai";
	const { hostname } = new URL(base_url);
	return hostname === "api.anthropic.com" ? "anthropic" : "openai";
}

function buildRequest(params: Params): ChatRequest {
	const { prompt, messages = [], system } = params;
	const asked: Message[] = prompt === undefined ? messages : [{ role: "user", content: prompt }];
	return {
		model: params.model,
		messages: system === undefined ? asked : [{ role: "system", content: system }, ...asked],
		schema: params.schema,
		byTool: params.schema_by === "tool",
		maxTokens: params.max_tokens,
		temperature: params.temperature,
		stop: params.stop,
		stream: params.stream,
		extra: params.extra,
	};
}

function toOutput(reply: Reply, { schema, model }: Params): Json {
	const { text, inputTokens, outputTokens, finishReason } = reply;
	if (reply.refusal !== "") throw new TerminalError(`the model refused: ${reply.refusal.slice(0, 500)}`);
	if (finishReason === "content_filter") {
		throw new TerminalError("the provider's content filter stopped the answer");
	}
	if (schema !== undefined && finishReason === "length") {
		throw new TerminalError("the answer was cut off before it was complete; raise max_tokens");
	}
	const isCounted = inputTokens !== null && outputTokens !== null;
	return {
		text,
		...(schema === undefined ? {} : { json: parseMatching(text, schema) }),
		usage: {
			input_tokens: inputTokens,
			output_tokens: outputTokens,
			total_tokens: isCounted ? inputTokens + outputTokens : null,
		},
		model: reply.model ?? model,
		finish_reason: finishReason,
	};
}
