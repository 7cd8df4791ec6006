import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { readStep } from "@tripline/engine/expressions/path";
import { isObject } from "../schemas.ts";
import {
	ANSWER,
	type ChatRequest,
	emptyReply,
	omitUndefined,
	type Provider,
	type Reply,
	toCount,
	toStringOrEmpty,
} from "./chat.ts";
import { buildEndpoint } from "./model-call.ts";
import { isStrict } from "./schema.ts";

/** OpenAI's chat completions API, which many other servers implement. */
export const openai: Provider = {
	url: (base) => buildEndpoint(base, "/chat/completions"),
	headers: {},

	body(request, base) {
		const { model, messages, temperature, stop, stream, extra } = request;
		return {
			...extra,
			...omitUndefined({ model, messages: [...messages], temperature, stop: stop && [...stop] }),
			...buildTokenLimit(request, base),
			...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
			...buildSchemaFields(request),
		};
	},

	reply(answer) {
		const choice = readStep(readStep(answer, "choices"), 0);
		const message = readStep(choice, "message");
		if (!isObject(message)) return null;
		const reply = emptyReply();
		addText(message, reply);
		addRest(answer, choice, reply);
		return reply;
	},

	add(event, reply) {
		const choice = readStep(readStep(event, "choices"), 0);
		addText(readStep(choice, "delta"), reply);
		addRest(event, choice, reply);
		return false;
	},
};

/** OpenAI no longer accepts `max_tokens`; other servers know only that name. */
function buildTokenLimit({ maxTokens }: ChatRequest, { hostname }: URL): JsonObject {
	if (maxTokens === undefined) return {};
	const isOwn = hostname === "api.openai.com" || hostname.endsWith(".openai.azure.com");
	return { [isOwn ? "max_completion_tokens" : "max_tokens"]: maxTokens };
}

function buildSchemaFields({ schema, byTool }: ChatRequest): JsonObject {
	if (schema === undefined) return {};
	const strict = isStrict(schema);
	if (!byTool) {
		return { response_format: { type: "json_schema", json_schema: { name: ANSWER, schema, strict } } };
	}
	const description = "Gives the answer.";
	return {
		tools: [{ type: "function", function: { name: ANSWER, description, parameters: schema, strict } }],
		tool_choice: { type: "function", function: { name: ANSWER } },
	};
}

/** Adds the text of a message or of a stream's delta. */
function addText(message: Json | undefined, reply: Reply): void {
	reply.text += readContent(readStep(message, "content"));
	reply.refusal += toStringOrEmpty(readStep(message, "refusal"));
	const calls = readStep(message, "tool_calls");
	if (!Array.isArray(calls)) return;
	for (const call of calls) {
		const written = readStep(readStep(call, "function"), "arguments");
		if (written === undefined || written === null) continue;
		reply.text += typeof written === "string" ? written : JSON.stringify(written);
	}
}

function readContent(content: Json | undefined): string {
	if (!Array.isArray(content)) return toStringOrEmpty(content);
	return content.map((part) => toStringOrEmpty(readStep(part, "text"))).join("");
}

function addRest(answer: Json, choice: Json | undefined, reply: Reply): void {
	const reason = readStep(choice, "finish_reason");
	if (typeof reason === "string") reply.finishReason = reason === "tool_calls" ? "stop" : reason;
	const model = readStep(answer, "model");
	if (typeof model === "string") reply.model = model;
	const usage = readStep(answer, "usage");
	reply.inputTokens = toCount(readStep(usage, "prompt_tokens")) ?? reply.inputTokens;
	reply.outputTokens = toCount(readStep(usage, "completion_tokens")) ?? reply.outputTokens;
}
