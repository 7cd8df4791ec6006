import type { Json } from "@tripline/contract/json";
import type { ModelPrice } from "@tripline/contract/model-prices";
import type { Component } from "@tripline/engine/component";
import { TerminalError } from "@tripline/engine/terminal-error";
import { toSchemaType } from "@tripline/engine/types/from-schema";
import { ANY, NULL, replaceFields, unionType } from "@tripline/engine/types/type";
import * as z from "zod";
import { define } from "./define.ts";
import type { Effects, TokenUse } from "./effects.ts";
import { askModel, PROVIDERS } from "./llm/ask-model.ts";
import { ANSWER, type ChatMessage, type ChatRequest, type Reply, toAssistantMessage } from "./llm/chat.ts";
import { estimateTokens } from "./llm/estimate-tokens.ts";
import { AnswerSchema, buildRepair, matchAnswer, readAnswer } from "./llm/matching.ts";
import { CHOICES, Message, Tools } from "./llm/messages.ts";
import { modelParams } from "./llm/model-call.ts";
import { readFiles } from "./llm/read-files.ts";
import { roundCost } from "./llm/round-cost.ts";
import { anyObject, anything } from "./schemas.ts";

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
				"A conversation, instead of `prompt`. `role` is `system`, `user`, `assistant` or `tool`; `content` is text, or a list of `{ type: text, text }`, `{ type: file, file }` and `{ type: image_url, image_url: { url } }`. A tool's result has the `tool_call_id`",
		}),
		system: z.string().optional().meta({ description: "System prompt" }),
		schema: AnswerSchema.optional().meta({
			description: "JSON Schema that the answer must match; `pattern` is not supported",
		}),
		schema_by: z.enum(["format", "tool"]).default("format").meta({
			description:
				"How the schema is enforced: as the response format, or with `tool` as a function that the model must call, for models and servers without structured output",
		}),
		repair: z.int().min(0).max(3).default(0).meta({
			description:
				"How many times the model is asked to mend an answer that does not match the schema; each counts as another request",
		}),
		tools: Tools.optional().meta({
			description:
				"Tools that the model may call: `{ name, description, parameters }`, a JSON Schema of an object",
		}),
		tool_choice: z.string().min(1).max(64).optional().meta({
			description:
				"`auto`: the model decides, which is the default; `none`; `required`: it must call a tool; or the name of the tool that it must call",
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
		provider: z.enum(["openai", "anthropic", "gemini"]).optional().meta({
			description:
				"API format; by default derived from the host of `base_url`, else `openai`, which many servers support",
		}),
		base_url: modelParams.base_url.meta({
			description: `Base URL of the API; default ${PROVIDERS.openai.baseUrl}, ${PROVIDERS.anthropic.baseUrl} or ${PROVIDERS.gemini.baseUrl}`,
		}),
		extra: modelParams.extra,
		attempts: modelParams.attempts,
		attempt_timeout_ms: modelParams.attempt_timeout_ms,
	})
	.refine(({ prompt, messages }) => (prompt === undefined) !== (messages === undefined), {
		path: ["prompt"],
		error: "or messages must be set, but not both",
	})
	.superRefine(({ tools = [], tool_choice, schema, schema_by }, context) => {
		const isTool = (name: string) => tools.some((tool) => tool.name === name);
		if (
			tool_choice !== undefined &&
			!isTool(tool_choice) &&
			!(CHOICES.has(tool_choice) && tools.length > 0)
		) {
			const message = "must be auto, none, required or the name of one of the tools";
			context.addIssue({ code: "custom", path: ["tool_choice"], message });
		}
		if (schema !== undefined && schema_by === "tool" && isTool(ANSWER)) {
			const message = `must not have a tool named ${ANSWER} with schema_by: tool`;
			context.addIssue({ code: "custom", path: ["tools"], message });
		}
	});
type Params = z.output<typeof Params>;

const Tokens = z.int().nullable();

const ToolCalls = z.array(
	z.object({
		id: z.string().meta({ description: "Identifies the call" }),
		name: z.string().meta({ description: "Name of the tool" }),
		arguments: anything().meta({ description: "Usually an object; not checked against `parameters`" }),
		is_json: z.boolean().meta({ description: "False if the arguments are a text that is not JSON" }),
	}),
);

const definition = define({
	id: "llm_chat",
	title: "Ask a language model",
	description: `Calls a model of OpenAI, Anthropic, Gemini or any OpenAI-compatible server (Ollama, vLLM, OpenRouter and others). The node's \`credential\` holds the API key.

With \`schema\`, \`json\` holds the answer as a value that matches it. An answer that does not match fails the node, unless the model mends it (\`repair\`), and can be retried with \`retry\`. The node also fails if the model refuses, or if the answer is cut off before it is complete.

With \`tools\`, \`tool_calls\` holds the calls that the model wants; nothing is called. To answer them, append the output \`message\` and, for each call, \`{ role: tool, tool_call_id, content }\` to \`messages\`.

Statuses 408, 429 and 500 and above, and failed connections, are retried, up to \`attempts\` attempts in total, after the delay in \`Retry-After\`.`,
	params: Params,
	output: z.object({
		text: z.string(),
		json: anything().optional().meta({
			description: "With `schema`: the answer as a value; null if the model calls tools instead",
		}),
		tool_calls: ToolCalls.optional().meta({ description: "With `tools`: the calls that the model wants" }),
		message: z
			.object({
				role: z.literal("assistant"),
				content: z.string(),
				tool_calls: ToolCalls.optional(),
				provider_data: anyObject().optional().meta({ description: "What the provider needs back unchanged" }),
			})
			.optional()
			.meta({ description: "With `tools`: the answer as a message, to be sent back in `messages`" }),
		usage: z
			.object({
				input_tokens: Tokens,
				output_tokens: Tokens,
				total_tokens: Tokens,
				cached_tokens: z.int().optional().meta({ description: "The part of the input that was cached" }),
				cost: z.number().optional().meta({
					description: "If the operator has set the model's price; without the provider's discounts",
				}),
			})
			.meta({ description: "Null if the provider does not report it" }),
		model: z.string().meta({ description: "The model that answered" }),
		finish_reason: z.string().nullable().meta({
			description: "`stop`, `tool_calls`, `length` if the answer was cut off, or the provider's own value",
		}),
	}),
	inferOutput({ output, has, constant, meter }) {
		const mayCall = has("tools") || has("extra");
		const typed = mayCall ? output : replaceFields(output, { tool_calls: null, message: null });
		if (!has("schema")) return replaceFields(typed, { json: null });
		const schema = constant("schema");
		const json = schema === undefined ? ANY : toSchemaType(schema, meter);
		return replaceFields(typed, { json: mayCall ? unionType([json, NULL]) : json });
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
			title: "A list from a file, with Gemini",
			input: {
				invoice: { $file: "AAAAAAAAAAAAAAAAAAAAAA", name: "invoice.pdf", type: "application/pdf", size: 1 },
			},
			params: {
				provider: "gemini",
				model: "gemini-3.5-flash",
				messages: [
					{
						role: "user",
						content: [
							{ type: "text", text: "Which items are on this invoice?" },
							{ type: "file", file: "{{input.invoice}}" },
						],
					},
				],
				schema: { type: "array", items: { type: "string" } },
				credential: "gemini",
			},
		},
		{
			title: "Tools that the model may call",
			input: { question: "Is it raining in Oslo?" },
			params: {
				model: "gpt-5-mini",
				prompt: "{{input.question}}",
				tools: [
					{
						name: "get_weather",
						description: "The weather at a place now",
						parameters: { type: "object", properties: { place: { type: "string" } }, required: ["place"] },
					},
				],
				credential: "openai",
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
		const read = await readFiles(listMessages(params), node);
		let request = buildRequest(params, read);
		const used: Reply[] = [];
		for (let left = params.repair; ; left--) {
			const reply = await askModel(node, params, request, (text) => node.emit(text));
			used.push(reply);
			node.effects.countTokens(toTokenUse(request, reply));
			const answer = readJson(reply, params);
			if (!("problem" in answer)) {
				const price = node.effects.getModelPrice(params.model);
				return toOutput(reply, used, answer, params, price);
			}
			if (left === 0) throw new Error(answer.problem);
			node.log(`${answer.problem}; the model is asked to mend it`);
			const messages = buildRepair(reply, request.byTool, answer.problem);
			request = { ...request, messages: [...request.messages, ...messages] };
		}
	},
});

export const llmChat: Component<Effects> = {
	...definition,
	hosts: ["*"],
	takesCredentials: true,
	targets: ["base_url"],
};

function listMessages({ prompt, messages = [], system }: Params): Message[] {
	const asked: Message[] = prompt === undefined ? messages : [{ role: "user", content: prompt }];
	return system === undefined ? asked : [{ role: "system", content: system }, ...asked];
}

const buildRequest = (params: Params, messages: readonly ChatMessage[]): ChatRequest => ({
	model: params.model,
	messages,
	tools: params.tools ?? [],
	toolChoice: params.tool_choice,
	schema: params.schema,
	byTool: params.schema_by === "tool",
	maxTokens: params.max_tokens,
	temperature: params.temperature,
	stop: params.stop,
	stream: params.stream,
	extra: params.extra,
});

/** The answer as a value: null for tool calls, undefined without a schema. */
function readJson(reply: Reply, { schema, schema_by }: Params): { value?: Json } | { problem: string } {
	const { refusal, finishReason, toolCalls } = reply;
	if (refusal !== "") throw new TerminalError(`the model refused: ${refusal.slice(0, 500).toWellFormed()}`);
	if (finishReason === "content_filter") {
		throw new TerminalError("the provider's content filter stopped the answer");
	}
	if (schema === undefined) return {};
	if (finishReason === "length") {
		throw new TerminalError("the answer was cut off before it was complete; raise max_tokens");
	}
	const { text, call } = readAnswer(reply, schema_by === "tool");
	return call === null && toolCalls.length > 0 ? { value: null } : matchAnswer(text, schema);
}

function toOutput(
	reply: Reply,
	used: readonly Reply[],
	json: { value?: Json },
	params: Params,
	price: ModelPrice | null,
): Json {
	const { text, call } = readAnswer(reply, params.schema !== undefined && params.schema_by === "tool");
	const calls = reply.toolCalls.filter((each) => each !== call).map((each) => ({ ...each }));
	const { finishReason } = reply;
	const isCalling = calls.length > 0 && (finishReason === null || finishReason === "stop");
	return {
		text,
		...(json.value === undefined ? {} : { json: json.value }),
		...(params.tools === undefined && calls.length === 0
			? {}
			: { tool_calls: calls, message: toMessage(reply, calls) }),
		usage: sumUsage(used, price),
		model: reply.model ?? params.model,
		finish_reason: isCalling ? "tool_calls" : finishReason,
	};
}

function toMessage(reply: Reply, calls: Reply["toolCalls"]): Json {
	// The provider's data includes the call that gave the answer, which gets no result.
	const providerData = calls.length === reply.toolCalls.length ? reply.providerData : undefined;
	return toAssistantMessage({ text: reply.text, toolCalls: calls, providerData }) as unknown as Json;
}

function toTokenUse({ messages }: ChatRequest, { inputTokens, outputTokens, text }: Reply): TokenUse {
	return {
		input: inputTokens ?? estimateTokens(messages.reduce((sum, { content }) => sum + countText(content), 0)),
		output: outputTokens ?? estimateTokens(text.length),
		isEstimate: inputTokens === null || outputTokens === null,
	};
}

/** Without pictures and files, whose length says nothing. */
const countText = (content: ChatMessage["content"]): number =>
	typeof content === "string"
		? content.length
		: content.reduce((sum, part) => sum + (part.type === "text" ? part.text.length : 0), 0);

function sumUsage(replies: readonly Reply[], price: ModelPrice | null): Json {
	const sum = (name: "inputTokens" | "outputTokens" | "cachedTokens") =>
		replies.reduce<number | null>((total, { [name]: count }) => {
			return total === null || count === null ? null : total + count;
		}, 0);
	const [input, output, cached] = [sum("inputTokens"), sum("outputTokens"), sum("cachedTokens")];
	return {
		input_tokens: input,
		output_tokens: output,
		total_tokens: input === null || output === null ? null : input + output,
		...(cached === null ? {} : { cached_tokens: cached }),
		...(input === null || output === null || price === null
			? {}
			: { cost: roundCost((input * price.input + output * price.output) / TOKENS_PER_PRICE) }),
	};
}

const TOKENS_PER_PRICE = 1_000_000;
