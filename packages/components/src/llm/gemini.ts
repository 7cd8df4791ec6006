import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { readStep } from "@tripline/engine/expressions/path";
import { TerminalError } from "@tripline/engine/terminal-error";
import { isObject } from "../schemas.ts";
import {
	addBlock,
	addText,
	type ChatMessage,
	type ChatRequest,
	type Data,
	omitUndefined,
	type Part,
	type Provider,
	type ReplyDraft,
	toCount,
	toText,
} from "./chat.ts";
import { parseDataUrl } from "./data-url.ts";
import { groupResults } from "./group-results.ts";
import { toGeminiSchema } from "./schema.ts";
import { planTools, readBlocks, separateCalls, toArgumentsObject, toToolCall } from "./tools.ts";

const REASONS: ReadonlyMap<string, string> = new Map([
	["STOP", "stop"],
	["MAX_TOKENS", "length"],
	...["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY"].map(
		(reason): [string, string] => [reason, "content_filter"],
	),
]);

/** Google's API, in its own format. */
export const gemini: Provider = {
	baseUrl: "https://generativelanguage.googleapis.com/v1beta",
	headers: {},

	url(base, { model, stream }) {
		const url = new URL(base);
		const path = url.pathname.replace(/\/+$/, "");
		const name = model.includes("/") ? model : `models/${model}`;
		const encoded = name.split("/").map(encodeURIComponent).join("/");
		const method = stream ? "streamGenerateContent" : "generateContent";
		url.pathname = `${path === "" ? "/v1beta" : path}/${encoded}:${method}`;
		if (stream) url.searchParams.set("alt", "sse");
		return url.href;
	},

	body(request) {
		const { messages, extra } = request;
		const config = buildConfig(request);
		return {
			...extra,
			...omitUndefined({
				systemInstruction: buildSystem(messages),
				contents: buildContents(messages),
				generationConfig: Object.keys(config).length === 0 ? undefined : config,
			}),
			...buildToolFields(request),
		};
	},

	read(answer, draft) {
		const isReply = ["candidates", "promptFeedback"].some((name) => readStep(answer, name) !== undefined);
		if (isReply) addAnswer(answer, draft);
		return isReply;
	},

	add(event, draft) {
		addAnswer(event, draft);
		return false;
	},

	finish({ blocks }) {
		const parts = blocks.map(({ raw }) => raw);
		const called = parts.map((part) => part.functionCall).filter(isObject);
		const toolCalls = separateCalls(called.map(({ id, name, args }) => toToolCall(id, name, args)));
		const isNeeded =
			called.length > 0 &&
			parts.some(({ functionCall, text, ...rest }) => Object.keys(rest).length > 0 || hasId(functionCall));
		return { toolCalls, providerData: isNeeded ? { gemini: parts } : undefined };
	},
};

const hasId = (call: Json | undefined): boolean => typeof readStep(call, "id") === "string";

function buildSystem(messages: readonly ChatMessage[]): JsonObject | undefined {
	const parts = messages
		.filter(({ role }) => role === "system")
		.map(({ content }) => ({ text: toText(content) }));
	return parts.length === 0 ? undefined : { parts };
}

function buildConfig({ schema, byTool, extra, ...request }: ChatRequest): JsonObject {
	const { generationConfig } = extra;
	return {
		...(isObject(generationConfig) ? generationConfig : {}),
		...omitUndefined({
			temperature: request.temperature,
			maxOutputTokens: request.maxTokens,
			stopSequences: request.stop && [...request.stop],
		}),
		...(schema === undefined || byTool
			? {}
			: { responseMimeType: "application/json", responseJsonSchema: toGeminiSchema(schema) }),
	};
}

const MODES = { auto: "AUTO", none: "NONE", required: "ANY" };

function buildToolFields(request: ChatRequest): JsonObject {
	const { tools, choice } = planTools(request);
	if (tools.length === 0) return {};
	const functionDeclarations = tools.map(({ name, description, parameters }) => ({
		name,
		description,
		parametersJsonSchema: toGeminiSchema(parameters),
	}));
	const functionCallingConfig =
		typeof choice === "object"
			? { mode: "ANY", allowedFunctionNames: [choice.name] }
			: choice && { mode: MODES[choice] };
	return omitUndefined({
		tools: [{ functionDeclarations }],
		toolConfig: functionCallingConfig && { functionCallingConfig },
	});
}

/** A result must name its tool, and have an id only if the call has one. */
interface Called {
	readonly name: string;
	readonly hasId: boolean;
}

function buildContents(messages: readonly ChatMessage[]): Json[] {
	const called = new Map<string, Called>();
	const said = messages.filter(({ role }) => role !== "system");
	return groupResults(said).map((group): Json => {
		const [message] = group as [ChatMessage];
		if (message.role === "tool") return { role: "user", parts: group.map((each) => toResult(each, called)) };
		const role = message.role === "assistant" ? "model" : "user";
		const blocks = readBlocks(message.provider_data, "gemini");
		const ids = new Set(blocks?.map(({ functionCall }) => readStep(functionCall, "id")));
		for (const { id, name } of message.tool_calls ?? []) called.set(id, { name, hasId: ids.has(id) });
		return { role, parts: blocks ?? [...toParts(message), ...toCalls(message)] };
	});
}

/** Stands for the signature of a call that was not made by Gemini, or by a model without signatures. */
const NO_SIGNATURE = "skip_thought_signature_validator";

const toCalls = ({ tool_calls = [] }: ChatMessage): Json[] =>
	tool_calls.map((call, index) => ({
		functionCall: { name: call.name, args: toArgumentsObject(call) },
		...(index === 0 ? { thoughtSignature: NO_SIGNATURE } : {}),
	}));

function toResult({ tool_call_id = "", content, is_error }: ChatMessage, called: Map<string, Called>): Json {
	const call = called.get(tool_call_id);
	if (call === undefined) {
		throw new TerminalError(`there is no tool call ${JSON.stringify(tool_call_id)} before its result`);
	}
	if (typeof content !== "string" && content.some(({ type }) => type !== "text")) {
		throw new TerminalError("with this provider a tool's result can only be text: send files as the user");
	}
	return {
		functionResponse: {
			...(call.hasId ? { id: tool_call_id } : {}),
			name: call.name,
			response: { [is_error === true ? "error" : "output"]: toText(content) },
		},
	};
}

function toParts({ content, tool_calls = [] }: ChatMessage): Json[] {
	if (typeof content !== "string") return content.map(toPart);
	return content === "" && tool_calls.length > 0 ? [] : [{ text: content }];
}

function toPart(part: Part): Json {
	if (part.type === "text") return { text: part.text };
	if (part.type === "data") return toDataPart(part);
	const data = parseDataUrl(part.image_url.url);
	return data === null
		? { fileData: { fileUri: part.image_url.url } }
		: { inlineData: { mimeType: data.mediaType, data: data.base64 } };
}

const TYPES: ReadonlyMap<string, string> = new Map([
	...["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif", "application/pdf"].map(same),
	...["audio/wav", "audio/mp3", "audio/aiff", "audio/aac", "audio/ogg", "audio/flac"].map(same),
	...["video/mp4", "video/mpeg", "video/quicktime", "video/webm"].map(same),
	["audio/mpeg", "audio/mp3"],
	["audio/x-wav", "audio/wav"],
]);

function same(type: string): [string, string] {
	return [type, type];
}

function toDataPart({ name, mediaType, base64 }: Data): Json {
	const mimeType = TYPES.get(mediaType);
	if (mimeType !== undefined) return { inlineData: { mimeType, data: base64 } };
	throw new TerminalError(
		`${name} is ${mediaType}, but with provider gemini a file must be a PNG, JPEG, WebP or HEIC image, a PDF, a recording, a video or a text`,
	);
}

function addAnswer(answer: Json, draft: ReplyDraft): void {
	if (typeof readStep(readStep(answer, "promptFeedback"), "blockReason") === "string") {
		draft.finishReason = "content_filter";
	}
	const candidate = readStep(readStep(answer, "candidates"), 0);
	const parts = readStep(readStep(candidate, "content"), "parts");
	if (Array.isArray(parts)) for (const part of parts) addPart(part, draft);
	const reason = readStep(candidate, "finishReason");
	if (reason === "MALFORMED_FUNCTION_CALL") throw new Error("the model's tool call is malformed");
	if (typeof reason === "string") draft.finishReason = REASONS.get(reason) ?? reason.toLowerCase();
	const model = readStep(answer, "modelVersion");
	if (typeof model === "string") draft.model = model;
	addUsage(readStep(answer, "usageMetadata"), draft);
}

function addPart(part: Json, draft: ReplyDraft): void {
	if (!isObject(part)) return;
	const { text, thought, thoughtSignature } = part;
	if (typeof text !== "string") {
		addBlock(draft, { ...part });
		return;
	}
	if (thought !== true) addText(draft, text);
	// Only a summary of the model's thoughts, which it does not need back.
	else if (thoughtSignature === undefined) return;
	const last = draft.blocks.at(-1);
	const isContinued = last !== undefined && isPlainText(last.raw) && isPlainText(part);
	if (isContinued) last.raw.text = `${last.raw.text}${text}`;
	else addBlock(draft, { ...part });
}

const isPlainText = (part: JsonObject): boolean =>
	typeof part.text === "string" && Object.keys(part).length === 1;

/** The tokens of the model's thoughts are counted apart from those of its answer. */
function addUsage(usage: Json | undefined, draft: ReplyDraft): void {
	const count = (name: string) => toCount(readStep(usage, name));
	const add = (first: number | null, more: number | null) => (first === null ? more : first + (more ?? 0));
	draft.inputTokens = add(count("promptTokenCount"), count("toolUsePromptTokenCount")) ?? draft.inputTokens;
	draft.outputTokens = add(count("candidatesTokenCount"), count("thoughtsTokenCount")) ?? draft.outputTokens;
	draft.cachedTokens = count("cachedContentTokenCount") ?? draft.cachedTokens;
}
