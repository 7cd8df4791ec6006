import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { readStep } from "@tripline/engine/expressions/path";
import { TerminalError } from "@tripline/engine/terminal-error";
import { isObject } from "../schemas.ts";
import {
	addBlock,
	addJson,
	addText,
	type ChatMessage,
	type ChatRequest,
	type Data,
	omitUndefined,
	type Part,
	type Provider,
	type ReplyDraft,
	toCount,
	toStringOrEmpty,
	toText,
} from "./chat.ts";
import { parseDataUrl } from "./data-url.ts";
import { groupResults } from "./group-results.ts";
import { buildEndpoint } from "./model-call.ts";
import { toAnthropicSchema } from "./schema.ts";
import { planTools, readBlocks, separateCalls, toArgumentsObject, toToolCall } from "./tools.ts";

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
	baseUrl: "https://api.anthropic.com",
	headers: { "anthropic-version": "2023-06-01" },
	url: (base) =>
		buildEndpoint(base, /\/v1\/?$/.test(base.pathname) ? "/messages" : "/v1/messages", "/messages"),

	body(request) {
		const { model, messages, maxTokens = DEFAULT_MAX_TOKENS, temperature, stop, stream, extra } = request;
		const said = messages.filter(({ role }) => role !== "system");
		return {
			...extra,
			...omitUndefined({
				model,
				max_tokens: maxTokens,
				system: buildSystem(messages),
				messages: groupResults(said).map(toMessage),
				temperature,
				stop_sequences: stop && [...stop],
			}),
			...(stream ? { stream: true } : {}),
			...buildFormat(request, extra),
			...buildToolFields(request),
		};
	},

	read(answer, draft) {
		const content = readStep(answer, "content");
		if (!Array.isArray(content)) return false;
		for (const block of content) addContent(block, draft);
		addStop(answer, draft);
		addUsage(readStep(answer, "usage"), draft);
		addModel(answer, draft);
		return true;
	},

	add(event, draft) {
		switch (readStep(event, "type")) {
			case "message_start":
				addModel(readStep(event, "message"), draft);
				addUsage(readStep(readStep(event, "message"), "usage"), draft);
				return false;
			case "content_block_start":
				addContent(readStep(event, "content_block"), draft, readStep(event, "index"));
				return false;
			case "content_block_delta":
				addDelta(readStep(event, "delta"), draft, readStep(event, "index"));
				return false;
			case "message_delta":
				addStop(readStep(event, "delta"), draft);
				addUsage(readStep(event, "usage"), draft);
				return false;
			default:
				return readStep(event, "type") === "message_stop";
		}
	},

	finish({ blocks }) {
		const used = blocks.filter(({ raw }) => raw.type === "tool_use");
		const toolCalls = separateCalls(
			used.map(({ raw, json }) => toToolCall(raw.id, raw.name, json === "" ? raw.input : json)),
		);
		const calls = new Map(used.map((block, index) => [block, toolCalls[index]]));
		const isNeeded = used.length > 0 && blocks.some(({ raw }) => !PLAIN.has(raw.type as string));
		if (!isNeeded) return { toolCalls, providerData: undefined };
		const content = blocks
			.filter(({ raw }) => raw.type !== "text" || raw.text !== "")
			.map((block): Json => {
				const { json } = block;
				const { index: _, ...own } = block.raw;
				const call = calls.get(block);
				if (call !== undefined) return { ...own, id: call.id, input: toArgumentsObject(call) };
				return json === "" ? own : { ...own, input: toArgumentsObject(toToolCall("", "", json)) };
			});
		return { toolCalls, providerData: { anthropic: content } };
	},
};

/** All that the message says about these is in its text and tool calls. */
const PLAIN = new Set(["text", "tool_use"]);

function buildSystem(messages: readonly ChatMessage[]): string | undefined {
	const texts = messages.filter(({ role }) => role === "system").map(({ content }) => toText(content));
	return texts.length === 0 ? undefined : texts.join("\n\n");
}

function toMessage(group: readonly ChatMessage[]): Json {
	const [message] = group as [ChatMessage];
	if (message.role === "tool") return { role: "user", content: group.map(toResult) };
	const { role, content, tool_calls = [] } = message;
	const blocks = readBlocks(message.provider_data, "anthropic");
	if (blocks !== null) return { role, content: blocks };
	if (tool_calls.length === 0) {
		return { role, content: typeof content === "string" ? content : content.map(toPart) };
	}
	const calls = tool_calls.map((call) => ({
		type: "tool_use",
		id: toId(call.id),
		name: call.name,
		input: toArgumentsObject(call),
	}));
	return { role, content: [...toParts(content), ...calls] };
}

function toResult({ content, tool_call_id = "", is_error }: ChatMessage): Json {
	const parts = toParts(content);
	return {
		type: "tool_result",
		tool_use_id: toId(tool_call_id),
		...(parts.length === 0 ? {} : { content: parts }),
		...(is_error === true ? { is_error } : {}),
	};
}

/** The id of another provider's call may have characters that are not accepted. */
const toId = (id: string): string => id.replace(/[^A-Za-z0-9_-]/g, "_");

/** The API rejects empty texts. */
const toParts = (content: ChatMessage["content"]): Json[] =>
	(typeof content === "string" ? [{ type: "text", text: content } as const] : content)
		.filter((part) => part.type !== "text" || part.text !== "")
		.map(toPart);

function toPart(part: Part): Json {
	switch (part.type) {
		case "text":
			return { type: "text", text: part.text };
		case "data":
			return toDataPart(part);
		case "image_url":
			return toImage(part.image_url.url);
	}
}

function toImage(url: string): Json {
	const data = parseDataUrl(url);
	const source =
		data === null ? { type: "url", url } : { type: "base64", media_type: data.mediaType, data: data.base64 };
	return { type: "image", source };
}

const IMAGES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

function toDataPart({ name, mediaType, base64 }: Data): Json {
	const source = { type: "base64", media_type: mediaType, data: base64 };
	if (IMAGES.has(mediaType)) return { type: "image", source };
	if (mediaType === "application/pdf") return { type: "document", source, title: name };
	throw new TerminalError(
		`${name} is ${mediaType}, but with provider anthropic a file must be a PNG, JPEG, GIF or WebP image, a PDF or a text`,
	);
}

function buildFormat({ schema, byTool }: ChatRequest, { output_config }: JsonObject): JsonObject {
	if (schema === undefined || byTool) return {};
	const others = isObject(output_config) ? output_config : {};
	return { output_config: { ...others, format: { type: "json_schema", schema: toAnthropicSchema(schema) } } };
}

function buildToolFields(request: ChatRequest): JsonObject {
	const { tools, choice } = planTools(request);
	if (tools.length === 0) return {};
	const names = { auto: "auto", none: "none", required: "any" };
	return omitUndefined({
		tools: tools.map(({ name, description, parameters }) => ({
			name,
			description,
			input_schema: parameters,
		})),
		tool_choice:
			typeof choice === "object" ? { type: "tool", name: choice.name } : choice && { type: names[choice] },
	});
}

function addContent(content: Json | undefined, draft: ReplyDraft, index?: Json): void {
	if (!isObject(content)) return;
	addBlock(draft, { ...content, ...(typeof index === "number" ? { index } : {}) });
	if (content.type === "text") addText(draft, toStringOrEmpty(content.text));
}

function addDelta(delta: Json | undefined, draft: ReplyDraft, index: Json | undefined): void {
	const block =
		typeof index === "number" ? draft.blocks.findLast(({ raw }) => raw.index === index) : draft.blocks.at(-1);
	if (block === undefined) return;
	for (const name of ["text", "thinking", "signature"]) {
		const piece = toStringOrEmpty(readStep(delta, name));
		if (piece === "") continue;
		block.raw[name] = toStringOrEmpty(block.raw[name]) + piece;
		if (name === "text") addText(draft, piece);
	}
	addJson(block, toStringOrEmpty(readStep(delta, "partial_json")));
}

function addModel(message: Json | undefined, draft: ReplyDraft): void {
	const model = readStep(message, "model");
	if (typeof model === "string") draft.model = model;
}

function addStop(message: Json | undefined, draft: ReplyDraft): void {
	const reason = readStep(message, "stop_reason");
	if (typeof reason !== "string") return;
	draft.finishReason = REASONS.get(reason) ?? reason;
	if (reason !== "refusal") return;
	const explanation = toStringOrEmpty(readStep(readStep(message, "stop_details"), "explanation"));
	draft.refusal = explanation === "" ? "it did not say why" : explanation;
}

/** `input_tokens` excludes tokens from the cache. A later count replaces an earlier one. */
function addUsage(usage: Json | undefined, draft: ReplyDraft): void {
	const read = toCount(readStep(usage, "input_tokens"));
	const cached = toCount(readStep(usage, "cache_read_input_tokens"));
	if (read !== null) {
		const created = toCount(readStep(usage, "cache_creation_input_tokens"));
		draft.inputTokens = read + (cached ?? 0) + (created ?? 0);
	}
	draft.cachedTokens = cached ?? draft.cachedTokens;
	draft.outputTokens = toCount(readStep(usage, "output_tokens")) ?? draft.outputTokens;
}
