import type { Json } from "@tripline/contract/json";
import { type Component, TerminalError } from "@tripline/engine/component";
import * as z from "zod";
import { define } from "./define.ts";
import type { Effects } from "./effects.ts";
import { anthropic } from "./llm/anthropic.ts";
import { type ChatRequest, Message, type Reply } from "./llm/chat.ts";
import { matching, schemaProblem } from "./llm/matching.ts";
import { callModel, modelParams } from "./llm/model-call.ts";
import { openai } from "./llm/openai.ts";
import { readReply } from "./llm/read-reply.ts";
import { anyObject } from "./schemas.ts";

const PROVIDERS = { openai, anthropic };
const BASE_URLS = { openai: "https://api.openai.com/v1", anthropic: "https://api.anthropic.com" };

const Schema = anyObject().superRefine((schema, context) => {
	const problem = schemaProblem(schema);
	if (problem !== null) context.addIssue(problem);
});

const Params = z
	.strictObject({
		model: modelParams.model,
		prompt: z.string().min(1, "must not be empty").optional().meta({ description: "What to ask" }),
		messages: z.array(Message).min(1).max(1_000).optional().meta({
			description:
				"Instead of `prompt`: a conversation. `role` is `system`, `user` or `assistant`; `content` is text, or a list of `{ type: text, text }` and `{ type: image_url, image_url: { url } }`",
		}),
		system: z.string().optional().meta({ description: "What the model is told before all else" }),
		schema: Schema.optional().meta({
			description: "JSON Schema of an object that the answer must be; without patterns",
		}),
		schema_by: z.enum(["format", "tool"]).default("format").meta({
			description:
				"How the model is held to the schema. `tool`, a function that it must call, is for models and servers that know no formats",
		}),
		max_tokens: z
			.int()
			.min(1)
			.max(1_000_000)
			.optional()
			.meta({ description: "How long the answer may be; Anthropic's default is 4096" }),
		temperature: z.number().min(0).max(2).optional().meta({
			description: "How much chance there is in the answer; not every model takes it",
		}),
		stop: z
			.array(z.string().min(1, "must not be empty"))
			.min(1)
			.max(16)
			.optional()
			.meta({ description: "Texts at which the answer ends" }),
		stream: z.boolean().default(false).meta({
			description: "Asks for the answer piece by piece, which keeps slow connections open",
		}),
		provider: z.enum(["openai", "anthropic"]).optional().meta({
			description:
				"Whose API it is; by default that of `base_url`'s host, else OpenAI's, which many servers speak",
		}),
		base_url: modelParams.base_url.meta({
			description: `Where the API is; by default ${BASE_URLS.openai} or ${BASE_URLS.anthropic}`,
		}),
		extra: modelParams.extra,
		attempts: modelParams.attempts,
		attempt_timeout_ms: modelParams.attempt_timeout_ms,
	})
	.refine(({ prompt, messages }) => (prompt === undefined) !== (messages === undefined), {
		path: ["prompt"],
		error: "or messages must say what to ask, and only one of them",
	});
type Params = z.output<typeof Params>;

const Tokens = z.int().nullable();

const definition = define({
	id: "llm_chat",
	title: "Ask a language model",
	description: `Asks a model of OpenAI, of Anthropic, or of any server that speaks OpenAI's language (Ollama, vLLM, OpenRouter and others). The node's \`credential\` has the key.

With \`schema\` the answer is an object that matches it, in \`json\`; an answer that does not match fails the node and may be tried again with \`retry\`. A model that refuses fails the node too, and so does an answer that was cut off before the object was whole.

Statuses 408, 429 and from 500 on, and failed connections, are tried again, up to \`attempts\` in all, after what \`Retry-After\` asks for.`,
	params: Params,
	output: z.object({
		text: z.string(),
		json: anyObject().optional().meta({ description: "With `schema`: the answer as an object" }),
		usage: z
			.object({ input_tokens: Tokens, output_tokens: Tokens, total_tokens: Tokens })
			.meta({ description: "Null where the provider does not say" }),
		model: z.string().meta({ description: "The model that answered" }),
		finish_reason: z.string().nullable().meta({
			description: "`stop`, `length` if it was cut off, or the provider's own word",
		}),
	}),
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
			title: "An answer with a form, from Anthropic",
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
			title: "A model on a server of your own",
			params: {
				base_url: "https://models.example.com/v1",
				model: "qwen3",
				messages: [{ role: "user", content: "Hello" }],
				stream: true,
			},
		},
		{
			title: "Something must be asked",
			params: { model: "gpt-5-mini" },
			error: 'parameter "prompt" is required',
		},
	],
	async run(node) {
		const { params } = node;
		const which = providerOf(params);
		const provider = PROVIDERS[which];
		const base = new URL(params.base_url ?? BASE_URLS[which]);
		const accept = params.stream ? { accept: "text/event-stream" } : {};
		const answer = await callModel(node, {
			url: provider.url(base),
			headers: { ...provider.headers, ...accept },
			value: provider.body(requestOf(params), base),
			attempts: params.attempts,
			timeoutMs: params.attempt_timeout_ms,
		});
		return outputOf(readReply(provider, answer), params);
	},
});

export const llmChat: Component<Effects> = { ...definition, hosts: ["*"], takesCredentials: true };

function providerOf({ provider, base_url }: Params): keyof typeof PROVIDERS {
	if (provider !== undefined || base_url === undefined) return provider ?? "openai";
	const { hostname } = new URL(base_url);
	return hostname === "api.anthropic.com" ? "anthropic" : "openai";
}

function requestOf(params: Params): ChatRequest {
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

function outputOf(reply: Reply, { schema, model }: Params): Json {
	const { text, inputTokens, outputTokens, finishReason } = reply;
	if (reply.refusal !== "") throw new TerminalError(`the model refused: ${reply.refusal.slice(0, 500)}`);
	if (finishReason === "content_filter") {
		throw new TerminalError("the provider's content filter stopped the answer");
	}
	if (schema !== undefined && finishReason === "length") {
		throw new TerminalError("the answer was cut off before it was whole; raise max_tokens");
	}
	const isCounted = inputTokens !== null && outputTokens !== null;
	return {
		text,
		...(schema === undefined ? {} : { json: matching(text, schema) }),
		usage: {
			input_tokens: inputTokens,
			output_tokens: outputTokens,
			total_tokens: isCounted ? inputTokens + outputTokens : null,
		},
		model: reply.model ?? model,
		finish_reason: finishReason,
	};
}
