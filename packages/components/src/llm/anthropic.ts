import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { readStep } from "@tripline/engine/expressions/path";
import {
	ANSWER,
	type ChatRequest,
	emptyReply,
	type Message,
	omitUndefined,
	type Provider,
	type Reply,
	toCount,
	toStringOrEmpty,
} from "./chat.ts";
import { buildEndpoint } from "./model-call.ts";
import { toAnthropicSchema } from "./schema.ts";

/** The API requires a limit. */
const DEFAULT_MAX_TOKENS = 4096;

const REASONS: ReadonlyMap<string, string> = new Map([
	["end_turn", "stop"],
	["stop_sequence", "stop"],
	["tool_use", "stop"],
	["max_tokens", "length"],
	["model_context_window_exceeded", "length"],
]);

/** Anthropic's Messages API. */
export const anthropic: Provider = {
	url: (base) =>
		buildEndpoint(base, /\/v1\/?$/.test(base.pathname) ? "/messages" : "/v1/messages", "/messages"),
	headers: { "anthropic-version": "2023-06-01" },

	body(request) {
		const { model, messages, maxTokens = DEFAULT_MAX_TOKENS, temperature, stop, stream, extra } = request;
		return {
			...extra,
			...omitUndefined({
				model,
				max_tokens: maxTokens,
				system: buildSystem(messages),
				messages: messages.filter(({ role }) => role !== "system").map(toMessage),
				temperature,
				stop_sequences: stop && [...stop],
			}),
			...(stream ? { stream: true } : {}),
			...buildSchemaFields(request, extra),
		};
	},

	reply(answer) {
		const content = readStep(answer, "content");
		if (!Array.isArray(content)) return null;
		const reply = emptyReply();
		for (const block of content) addBlock(block, reply);
		addStop(answer, reply);
		addUsage(readStep(answer, "usage"), reply);
		addModel(answer, reply);
		return reply;
	},

	add(event, reply) {
		switch (readStep(event, "type")) {
			case "message_start":
				addModel(readStep(event, "message"), reply);
				addUsage(readStep(readStep(event, "message"), "usage"), reply);
				return false;
			case "content_block_start":
				reply.text += toStringOrEmpty(readStep(readStep(event, "content_block"), "text"));
				return false;
			case "content_block_delta":
				reply.text += toStringOrEmpty(readStep(readStep(event, "delta"), "text"));
				reply.text += toStringOrEmpty(readStep(readStep(event, "delta"), "partial_json"));
				return false;
			case "message_delta":
				addStop(readStep(event, "delta"), reply);
				addUsage(readStep(event, "usage"), reply);
				return false;
			default:
				return readStep(event, "type") === "message_stop";
		}
	},
};

function buildSystem(messages: readonly Message[]): string | undefined {
	const texts = messages.filter(({ role }) => role === "system").map(({ content }) => toText(content));
	return texts.length === 0 ? undefined : texts.join("\n\n");
}

const toText = (content: Message["content"]): string =>
	typeof content === "string"
		? content
		: content.map((part) => (part.type === "text" ? part.text : "")).join("");

function toMessage({ role, content }: Message): Json {
	if (typeof content === "string") return { role, content };
	return {
		role,
		content: content.map((part) =>
			part.type === "text" ? { type: "text", text: part.text } : toImage(part.image_url.url),
		),
	};
}

function toImage(url: string): Json {
	if (!/^data:/i.test(url)) return { type: "image", source: { type: "url", url } };
	const [start, end] = ["data:".length, url.indexOf(";")];
	const data = url.slice(url.indexOf(",") + 1);
	return { type: "image", source: { type: "base64", media_type: url.slice(start, end).toLowerCase(), data } };
}

function buildSchemaFields({ schema, byTool }: ChatRequest, { output_config }: JsonObject): JsonObject {
	if (schema === undefined) return {};
	if (byTool) {
		return {
			tools: [{ name: ANSWER, description: "Gives the answer.", input_schema: schema }],
			tool_choice: { type: "tool", name: ANSWER },
		};
	}
	const others = typeof output_config === "object" && !Array.isArray(output_config) ? output_config : {};
	return { output_config: { ...others, format: { type: "json_schema", schema: toAnthropicSchema(schema) } } };
}

/** Thinking blocks are ignored: they are not part of the answer. */
function addBlock(block: Json, reply: Reply): void {
	switch (readStep(block, "type")) {
		case "text":
			reply.text += toStringOrEmpty(readStep(block, "text"));
			return;
		case "tool_use":
			reply.text += JSON.stringify(readStep(block, "input") ?? null);
	}
}

function addModel(message: Json | undefined, reply: Reply): void {
	const model = readStep(message, "model");
	if (typeof model === "string") reply.model = model;
}

function addStop(message: Json | undefined, reply: Reply): void {
	const reason = readStep(message, "stop_reason");
	if (typeof reason !== "string") return;
	reply.finishReason = REASONS.get(reason) ?? reason;
	if (reason !== "refusal") return;
	const explanation = toStringOrEmpty(readStep(readStep(message, "stop_details"), "explanation"));
	reply.refusal = explanation === "" ? "it did not say why" : explanation;
}

/** `input_tokens` excludes tokens from the cache. A later count replaces an earlier one. */
function addUsage(usage: Json | undefined, reply: Reply): void {
	const read = toCount(readStep(usage, "input_tokens"));
	if (read !== null) {
		const cached = ["cache_creation_input_tokens", "cache_read_input_tokens"];
		reply.inputTokens = cached.reduce((sum, name) => sum + (toCount(readStep(usage, name)) ?? 0), read);
	}
	reply.outputTokens = toCount(readStep(usage, "output_tokens")) ?? reply.outputTokens;
}
