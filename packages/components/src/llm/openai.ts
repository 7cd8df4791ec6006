import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { step } from "@tripline/engine/expressions/path";
import { isObject } from "../schemas.ts";
import {
	ANSWER,
	asCount,
	asString,
	type ChatRequest,
	emptyReply,
	given,
	type Provider,
	type Reply,
} from "./chat.ts";
import { endpoint } from "./model-call.ts";
import { isStrict } from "./schema.ts";

/** OpenAI's chat completions API, which many other servers implement. */
export const openai: Provider = {
	url: (base) => endpoint(base, "/chat/completions"),
	headers: {},

	body(request, base) {
		const { model, messages, temperature, stop, stream, extra } = request;
		return {
			...extra,
			...given({ model, messages: [...messages], temperature, stop: stop && [...stop] }),
			...tokenLimit(request, base),
			...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
			...schemaFields(request),
		};
	},

	reply(answer) {
		const choice = step(step(answer, "choices"), 0);
		const message = step(choice, "message");
		if (!isObject(message)) return null;
		const reply = emptyReply();
		addText(message, reply);
		addRest(answer, choice, reply);
		return reply;
	},

	add(event, reply) {
		const choice = step(step(event, "choices"), 0);
		addText(step(choice, "delta"), reply);
		addRest(event, choice, reply);
		return false;
	},
};

/** OpenAI no longer accepts `max_tokens`; other servers know only that name. */
function tokenLimit({ maxTokens }: ChatRequest, { hostname }: URL): JsonObject {
	if (maxTokens === undefined) return {};
	const isOwn = hostname === "api.openai.com" || hostname.endsWith(".openai.azure.com");
	return { [isOwn ? "max_completion_tokens" : "max_tokens"]: maxTokens };
}

function schemaFields({ schema, byTool }: ChatRequest): JsonObject {
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
	reply.text += contentText(step(message, "content"));
	reply.refusal += asString(step(message, "refusal"));
	const calls = step(message, "tool_calls");
	if (!Array.isArray(calls)) return;
	for (const call of calls) {
		const written = step(step(call, "function"), "arguments");
		if (written === undefined || written === null) continue;
		reply.text += typeof written === "string" ? written : JSON.stringify(written);
	}
}

function contentText(content: Json | undefined): string {
	if (!Array.isArray(content)) return asString(content);
	return content.map((part) => asString(step(part, "text"))).join("");
}

function addRest(answer: Json, choice: Json | undefined, reply: Reply): void {
	const reason = step(choice, "finish_reason");
	if (typeof reason === "string") reply.finishReason = reason === "tool_calls" ? "stop" : reason;
	const model = step(answer, "model");
	if (typeof model === "string") reply.model = model;
	const usage = step(answer, "usage");
	reply.inputTokens = asCount(step(usage, "prompt_tokens")) ?? reply.inputTokens;
	reply.outputTokens = asCount(step(usage, "completion_tokens")) ?? reply.outputTokens;
}
