import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";

/** A part of a message whose files are read. */
export type Part =
	| { readonly type: "text"; readonly text: string }
	| { readonly type: "image_url"; readonly image_url: { readonly url: string } }
	| Data;

/** A file that is not a text. */
export interface Data {
	readonly type: "data";
	readonly name: string;
	readonly mediaType: string;
	readonly base64: string;
}

export interface ToolCall {
	readonly id: string;
	readonly name: string;
	readonly arguments: Json;
	/** False if the arguments are a text that is not JSON. */
	readonly is_json: boolean;
}

/** A message whose files are read. */
export interface ChatMessage {
	readonly role: "system" | "user" | "assistant" | "tool";
	readonly content: string | readonly Part[];
	readonly tool_calls?: readonly ToolCall[] | undefined;
	/** By the provider's name: what it needs back unchanged beside the tool calls, such as signatures. */
	readonly provider_data?: JsonObject | undefined;
	readonly tool_call_id?: string | undefined;
	readonly is_error?: boolean | undefined;
}

export interface Tool {
	readonly name: string;
	readonly description: string;
	/** JSON Schema of an object. */
	readonly parameters: JsonObject;
}

/** A request in a form that is independent of the provider. */
export interface ChatRequest {
	readonly model: string;
	readonly messages: readonly ChatMessage[];
	readonly tools: readonly Tool[];
	/** `auto`, `none`, `required` or the name of a tool. */
	readonly toolChoice: string | undefined;
	/** Of the answer. */
	readonly schema: JsonObject | undefined;
	/** Whether the schema is passed as a function that the model must call, for providers without structured output. */
	readonly byTool: boolean;
	readonly maxTokens: number | undefined;
	readonly temperature: number | undefined;
	readonly stop: readonly string[] | undefined;
	readonly stream: boolean;
	/** The provider's own fields. */
	readonly extra: JsonObject;
}

interface Usage {
	inputTokens: number | null;
	outputTokens: number | null;
	/** The part of the input that the provider had cached. */
	cachedTokens: number | null;
}

/** A provider's reply. */
export interface Reply extends Readonly<Usage> {
	readonly text: string;
	/** Why the model refused; empty if it did not. */
	readonly refusal: string;
	readonly toolCalls: readonly ToolCall[];
	/** For the message that is sent back, beside the tool calls. */
	readonly providerData: JsonObject | undefined;
	readonly model: string | null;
	/** `stop`: finished; `length`: the token limit was reached; `content_filter`; else the provider's own value. */
	readonly finishReason: string | null;
}

/** A part of an answer that is neither text alone nor complete. */
export interface Block {
	readonly raw: { [name: string]: Json };
	/** The arguments of a call as far as they have arrived. */
	json: string;
	/** Reading the end of `json` would copy all of it each time. */
	lastPiece: string;
}

/** A reply that is being read. */
export interface ReplyDraft extends Usage {
	text: string;
	refusal: string;
	model: string | null;
	finishReason: string | null;
	readonly blocks: Block[];
	/** The provider's own fields beside the blocks. */
	readonly fields: { [name: string]: Json };
	readonly onDelta: OnDelta | undefined;
}

/** Called with each piece of the answer's text as it arrives. */
export type OnDelta = (text: string) => void;

export const startReply = (onDelta?: OnDelta): ReplyDraft => ({
	text: "",
	refusal: "",
	model: null,
	finishReason: null,
	inputTokens: null,
	outputTokens: null,
	cachedTokens: null,
	blocks: [],
	fields: {},
	onDelta,
});

export function addText(draft: ReplyDraft, text: string): void {
	if (text === "") return;
	draft.text += text;
	draft.onDelta?.(text);
}

const MAX_BLOCKS = 1_000;

export function addBlock(draft: ReplyDraft, raw: { [name: string]: Json }): Block {
	if (draft.blocks.length === MAX_BLOCKS) {
		throw new Error(`the provider's answer has more than ${MAX_BLOCKS} parts`);
	}
	const block = { raw, json: "", lastPiece: "" };
	draft.blocks.push(block);
	return block;
}

export function addJson(block: Block, piece: string): void {
	if (piece === "") return;
	block.json += piece;
	block.lastPiece = piece;
}

export interface Provider {
	readonly baseUrl: string;
	readonly headers: Readonly<Record<string, string>>;
	url(base: URL, request: ChatRequest): string;
	/** The request's schema describes an object. */
	body(request: ChatRequest, base: URL): JsonObject;
	/** Adds a whole answer. Returns false if the response is not a reply to such a request. */
	read(answer: Json, draft: ReplyDraft): boolean;
	/** Adds an event of a stream. Returns true if the stream is complete. */
	add(event: Json, draft: ReplyDraft): boolean;
	finish(draft: ReplyDraft): Pick<Reply, "toolCalls" | "providerData">;
}

/** The name under which the schema is sent, and the field of an answer that is not an object. */
export const ANSWER = "answer";

/** The message that repeats the model's answer in the next request. */
export const toAssistantMessage = ({
	text,
	toolCalls,
	providerData,
}: Pick<Reply, "text" | "toolCalls" | "providerData">): ChatMessage => ({
	role: "assistant",
	content: text,
	...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
	...(providerData === undefined ? {} : { provider_data: providerData }),
});

/** Drops undefined fields: providers reject null for fields that may only be left out. */
export function omitUndefined(fields: { readonly [name: string]: Json | undefined }): JsonObject {
	return Object.fromEntries(
		Object.entries(fields).filter((field): field is [string, Json] => field[1] !== undefined),
	);
}

/** The texts of a message without its images and files. */
export const toText = (content: ChatMessage["content"]): string =>
	typeof content === "string"
		? content
		: content.map((part) => (part.type === "text" ? part.text : "")).join("");

export const toStringOrEmpty = (value: Json | undefined): string => (typeof value === "string" ? value : "");

export const toCount = (value: Json | undefined): number | null =>
	typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
