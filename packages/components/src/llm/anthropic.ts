import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { step } from "@tripline/engine/expressions/path";
import {
	ANSWER,
	asCount,
	asString,
	type ChatRequest,
	emptyReply,
	given,
	type Message,
	type Provider,
	type Reply,
} from "./chat.ts";
import { endpoint } from "./model-call.ts";
import { forAnthropic } from "./schema.ts";

/** The API requires a limit. */
const MAX_TOKENS = 4096;

const REASONS: ReadonlyMap<string, string> = new Map([
	["end_turn", "stop"],
	["stop_sequence", "stop"],
	["tool_use", "stop"],
	["max_tokens", "length"],
	["model_context_window_exceeded", "length"],
]);

/** Anthropic's Messages API. */
export const anthropic: Provider = {
	url: (base) => endpoint(base, /\/v1\/?$/.test(base.pathname) ? "/messages" : "/v1/messages", "/messages"),
	headers: { "anthropic-version": "2023-06-01" },

	body(request) {
		const { model, messages, maxTokens = MAX_TOKENS, temperature, stop, stream, extra } = request;
		return {
			...extra,
			...given({
				model,
				max_tokens: maxTokens,
				system: systemOf(messages),
				messages: messages.filter(({ role }) => role !== "system").map(messageOf),
				temperature,
				stop_sequences: stop && [...stop],
			}),
			...(stream ? { stream: true } : {}),
			...schemaFields(request, extra),
		};
	},

	reply(answer) {
		const content = step(answer, "content");
		if (!Array.isArray(content)) return null;
		const reply = emptyReply();
		for (const block of content) addBlock(block, reply);
		addStop(answer, reply);
		addUsage(step(answer, "usage"), reply);
		addModel(answer, reply);
		return reply;
	},

	add(event, reply) {
		switch (step(event, "type")) {
			case "message_start":
				addModel(step(event, "message"), reply);
				addUsage(step(step(event, "message"), "usage"), reply);
				return false;
			case "content_block_start":
				reply.text += asString(step(step(event, "content_block"), "text"));
				return false;
			case "content_block_delta":
				reply.text += asString(step(step(event, "delta"), "text"));
				reply.text += asString(step(step(event, "delta"), "partial_json"));
				return false;
			case "message_delta":
				addStop(step(event, "delta"), reply);
				addUsage(step(event, "usage"), reply);
				return false;
			default:
				return step(event, "type") === "message_stop";
		}
	},
};

function systemOf(messages: readonly Message[]): string | undefined {
	const texts = messages.filter(({ role }) => role === "system").map(({ content }) => textOf(content));
	return texts.length === 0 ? undefined : texts.join("\n\n");
}

const textOf = (content: Message["content"]): string =>
	typeof content === "string"
		? content
		: content.map((part) => (part.type === "text" ? part.text : "")).join("");

function messageOf({ role, content }: Message): Json {
	if (typeof content === "string") return { role, content };
	return {
		role,
		content: content.map((part) =>
			part.type === "text" ? { type: "text", text: part.text } : imageOf(part.image_url.url),
		),
	};
}

function imageOf(url: string): Json {
	if (!/^data:/i.test(url)) return { type: "image", source: { type: "url", url } };
	const [start, end] = ["data:".length, url.indexOf(";")];
	const data = url.slice(url.indexOf(",") + 1);
	return { type: "image", source: { type: "base64", media_type: url.slice(start, end).toLowerCase(), data } };
}

function schemaFields({ schema, byTool }: ChatRequest, { output_config }: JsonObject): JsonObject {
	if (schema === undefined) return {};
	if (byTool) {
		return {
			tools: [{ name: ANSWER, description: "Gives the answer.", input_schema: schema }],
			tool_choice: { type: "tool", name: ANSWER },
		};
	}
	const others = typeof output_config === "object" && !Array.isArray(output_config) ? output_config : {};
	return { output_config: { ...others, format: { type: "json_schema", schema: forAnthropic(schema) } } };
}

/** Thinking blocks are ignored: they are not part of the answer. */
function addBlock(block: Json, reply: Reply): void {
	switch (step(block, "type")) {
		case "text":
			reply.text += asString(step(block, "text"));
			return;
		case "tool_use":
			reply.text += JSON.stringify(step(block, "input") ?? null);
	}
}

function addModel(message: Json | undefined, reply: Reply): void {
	const model = step(message, "model");
	if (typeof model === "string") reply.model = model;
}

function addStop(message: Json | undefined, reply: Reply): void {
	const reason = step(message, "stop_reason");
	if (typeof reason !== "string") return;
	reply.finishReason = REASONS.get(reason) ?? reason;
	if (reason !== "refusal") return;
	const explanation = asString(step(step(message, "stop_details"), "explanation"));
	reply.refusal = explanation === "" ? "it did not say why" : explanation;
}

/** `input_tokens` excludes tokens from the cache. A later count replaces an earlier one. */
function addUsage(usage: Json | undefined, reply: Reply): void {
	const read = asCount(step(usage, "input_tokens"));
	if (read !== null) {
		const cached = ["cache_creation_input_tokens", "cache_read_input_tokens"];
		reply.inputTokens = cached.reduce((sum, name) => sum + (asCount(step(usage, name)) ?? 0), read);
	}
	reply.outputTokens = asCount(step(usage, "output_tokens")) ?? reply.outputTokens;
}
