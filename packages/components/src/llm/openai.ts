import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { readStep } from "@tripline/engine/expressions/path";
import { TerminalError } from "@tripline/engine/terminal-error";
import { isObject } from "../schemas.ts";
import {
	ANSWER,
	addBlock,
	addJson,
	addText,
	type Block,
	type ChatMessage,
	type ChatRequest,
	type Data,
	omitUndefined,
	type Part,
	type Provider,
	type ReplyDraft,
	toCount,
	toStringOrEmpty,
} from "./chat.ts";
import { buildEndpoint } from "./model-call.ts";
import { isStrict } from "./schema.ts";
import { planTools, separateCalls, toArgumentsObject, toToolCall } from "./tools.ts";

/** OpenAI's chat completions API, which many other servers implement. */
export const openai: Provider = {
	baseUrl: "https://api.openai.com/v1",
	headers: {},
	url: (base) => buildEndpoint(base, "/chat/completions"),

	body(request, base) {
		const { model, messages, temperature, stop, stream, extra } = request;
		return {
			...extra,
			...omitUndefined({ model, messages: messages.map(toMessage), temperature, stop: stop && [...stop] }),
			...buildTokenLimit(request, base),
			...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
			...buildFormat(request),
			...buildToolFields(request),
		};
	},

	read(answer, draft) {
		const choice = readStep(readStep(answer, "choices"), 0);
		const message = readStep(choice, "message");
		if (!isObject(message)) return false;
		addMessage(message, draft, () => undefined);
		addRest(answer, choice, draft);
		return true;
	},

	add(event, draft) {
		const choice = readStep(readStep(event, "choices"), 0);
		addMessage(readStep(choice, "delta"), draft, findStarted);
		addRest(event, choice, draft);
		return false;
	},

	finish({ blocks, fields }) {
		const toolCalls = separateCalls(
			blocks.map(({ raw, json }) => toToolCall(raw.id, raw.name, raw.value ?? json)),
		);
		const contents = blocks.flatMap(({ raw }, index) =>
			raw.extra_content === undefined
				? []
				: [{ id: toolCalls[index]?.id ?? "", extra_content: raw.extra_content }],
		);
		const data = contents.length === 0 ? fields : { ...fields, tool_calls: contents };
		const isNeeded = toolCalls.length > 0 && Object.keys(data).length > 0;
		return { toolCalls, providerData: isNeeded ? { openai: data } : undefined };
	},
};

/** OpenAI no longer accepts `max_tokens`; other servers know only that name. */
function buildTokenLimit({ maxTokens }: ChatRequest, { hostname }: URL): JsonObject {
	if (maxTokens === undefined) return {};
	const isOwn = hostname === "api.openai.com" || hostname.endsWith(".openai.azure.com");
	return { [isOwn ? "max_completion_tokens" : "max_tokens"]: maxTokens };
}

function buildFormat({ schema, byTool }: ChatRequest): JsonObject {
	if (schema === undefined || byTool) return {};
	const json_schema = { name: ANSWER, schema, strict: isStrict(schema) };
	return { response_format: { type: "json_schema", json_schema } };
}

function buildToolFields(request: ChatRequest): JsonObject {
	const { tools, choice } = planTools(request);
	if (tools.length === 0) return {};
	return omitUndefined({
		tools: tools.map(({ name, description, parameters }) => ({
			type: "function",
			function: { name, description, parameters, ...(isStrict(parameters) ? { strict: true } : {}) },
		})),
		tool_choice: typeof choice === "object" ? { type: "function", function: { name: choice.name } } : choice,
	});
}

function toMessage({ role, content, ...message }: ChatMessage): Json {
	if (role === "tool") {
		return { role, tool_call_id: message.tool_call_id ?? "", content: toPlainContent(content) };
	}
	const parts = typeof content === "string" ? content : content.map(toPart);
	const { tool_calls = [] } = message;
	if (role !== "assistant" || tool_calls.length === 0) return { role, content: parts };
	const { tool_calls: extras, ...fields } = readData(message.provider_data);
	return {
		...fields,
		role,
		content: parts === "" ? null : parts,
		tool_calls: tool_calls.map((call) => ({
			id: call.id,
			type: "function",
			function: { name: call.name, arguments: JSON.stringify(toArgumentsObject(call)) },
			...findExtra(extras, call.id),
		})),
	};
}

function readData(data: JsonObject | undefined): JsonObject {
	const own = data?.openai;
	return isObject(own) ? own : {};
}

function findExtra(extras: Json | undefined, id: string): JsonObject {
	const found = Array.isArray(extras) ? extras.find((each) => readStep(each, "id") === id) : undefined;
	const extra_content = readStep(found, "extra_content");
	return extra_content === undefined ? {} : { extra_content };
}

function toPlainContent(content: ChatMessage["content"]): Json {
	if (typeof content === "string") return content;
	return content.map((part) => {
		if (part.type === "text") return { ...part };
		throw new TerminalError("with this provider a tool's result can only be text: send files as the user");
	});
}

function toPart(part: Part): Json {
	return part.type === "data" ? toDataPart(part) : { ...part };
}

const IMAGES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const RECORDINGS: ReadonlyMap<string, string> = new Map([
	["audio/wav", "wav"],
	["audio/x-wav", "wav"],
	["audio/mpeg", "mp3"],
	["audio/mp3", "mp3"],
]);

function toDataPart({ name, mediaType, base64 }: Data): Json {
	const url = `data:${mediaType};base64,${base64}`;
	if (IMAGES.has(mediaType)) return { type: "image_url", image_url: { url } };
	if (mediaType === "application/pdf") return { type: "file", file: { filename: name, file_data: url } };
	const format = RECORDINGS.get(mediaType);
	if (format !== undefined) return { type: "input_audio", input_audio: { data: base64, format } };
	throw new TerminalError(
		`${name} is ${mediaType}, but with provider openai a file must be a PNG, JPEG, GIF or WebP image, a PDF, a WAV or MP3 recording, or a text`,
	);
}

/** Reasoning that some servers require back beside tool calls. */
const REASONING = ["reasoning_content", "reasoning"];

/** Adds a message, or a stream's delta of it, whose calls may continue earlier ones. */
function addMessage(message: Json | undefined, draft: ReplyDraft, find: FindStarted): void {
	addText(draft, readContent(readStep(message, "content")));
	draft.refusal += toStringOrEmpty(readStep(message, "refusal"));
	for (const name of REASONING) {
		const text = toStringOrEmpty(readStep(message, name));
		if (text !== "") draft.fields[name] = toStringOrEmpty(draft.fields[name]) + text;
	}
	addDetails(readStep(message, "reasoning_details"), draft);
	const calls = readStep(message, "tool_calls");
	if (Array.isArray(calls)) for (const call of calls) addCall(call, draft, find);
}

function readContent(content: Json | undefined): string {
	if (!Array.isArray(content)) return toStringOrEmpty(content);
	return content.map((part) => toStringOrEmpty(readStep(part, "text"))).join("");
}

const MAX_DETAILS = 1_000;
const DETAIL_PIECES = ["text", "summary", "data", "signature"];

/** OpenRouter's details arrive in pieces: those of one index belong together. */
function addDetails(details: Json | undefined, draft: ReplyDraft): void {
	if (!Array.isArray(details)) return;
	draft.fields.reasoning_details ??= [];
	const all = draft.fields.reasoning_details as Json[];
	for (const detail of details) {
		if (!isObject(detail)) continue;
		const last = all.at(-1);
		const isSame = isObject(last) && typeof last.index === "number" && last.index === detail.index;
		if (isSame && last.type === detail.type) {
			for (const name of DETAIL_PIECES) {
				const text = toStringOrEmpty(detail[name]);
				if (text !== "") last[name] = toStringOrEmpty(last[name]) + text;
			}
		} else if (all.length < MAX_DETAILS) all.push({ ...detail });
	}
}

type FindStarted = (blocks: readonly Block[], delta: CallDelta) => Block | undefined;

interface CallDelta {
	readonly index: Json | undefined;
	readonly id: Json | undefined;
	readonly name: Json | undefined;
	readonly args: Json | undefined;
}

function addCall(call: Json, draft: ReplyDraft, find: FindStarted): void {
	const given = readStep(call, "function");
	const [index, id, name] = [readStep(call, "index"), readStep(call, "id"), readStep(given, "name")];
	const args = readStep(given, "arguments");
	const block =
		find(draft.blocks, { index, id, name, args }) ??
		addBlock(draft, typeof index === "number" ? { index } : {});
	const { raw } = block;
	if (typeof id === "string" && id !== "") raw.id ??= id;
	if (typeof name === "string" && name !== "") raw.name ??= name;
	const extra = readStep(call, "extra_content");
	if (isObject(extra)) raw.extra_content = extra;
	if (typeof args === "string") addJson(block, args);
	else if (isObject(args)) raw.value = args;
}

/**
 * The call that a delta continues. Not every server counts its calls: some leave the index out, or send complete calls
 * that all have the index 0.
 */
const findStarted: FindStarted = (blocks, { index, id, name, args }) => {
	const hasId = typeof id === "string" && id !== "";
	if (typeof index === "number") {
		const found = blocks.findLast(({ raw }) => raw.index === index);
		return found !== undefined && hasId && found.raw.id !== id && isFollowedByNext(found, args)
			? undefined
			: found;
	}
	if (hasId) return blocks.findLast(({ raw }) => raw.id === id);
	return typeof name === "string" && name !== "" ? undefined : blocks.at(-1);
};

/** Inside one JSON value, a brace does not open directly behind one that closes. */
const isFollowedByNext = ({ raw, lastPiece }: Block, args: Json | undefined): boolean =>
	isObject(args) ? raw.value !== undefined : toStringOrEmpty(args).startsWith("{") && lastPiece.endsWith("}");

function addRest(answer: Json, choice: Json | undefined, draft: ReplyDraft): void {
	const reason = readStep(choice, "finish_reason");
	if (typeof reason === "string") draft.finishReason = reason === "tool_calls" ? "stop" : reason;
	const model = readStep(answer, "model");
	if (typeof model === "string") draft.model = model;
	const usage = readStep(answer, "usage");
	draft.inputTokens = toCount(readStep(usage, "prompt_tokens")) ?? draft.inputTokens;
	draft.outputTokens = toCount(readStep(usage, "completion_tokens")) ?? draft.outputTokens;
	const cached =
		readStep(readStep(usage, "prompt_tokens_details"), "cached_tokens") ??
		readStep(usage, "prompt_cache_hit_tokens");
	draft.cachedTokens = toCount(cached) ?? draft.cachedTokens;
}
