import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import * as z from "zod";

const Image = z.string().regex(/^(?:https?:\/\/|data:image\/[a-z0-9.+-]{1,40};base64,)/i, {
	error: "must be an http or https URL, or a data URL such as data:image/png;base64,…",
});

const Part = z.discriminatedUnion("type", [
	z.strictObject({
		type: z.literal("text").meta({ description: "A text" }),
		text: z.string().meta({ description: "The text" }),
	}),
	z.strictObject({
		type: z.literal("image_url").meta({ description: "An image" }),
		image_url: z
			.strictObject({ url: Image.meta({ description: "http or https URL, or data:image/png;base64,…" }) })
			.meta({ description: "The image" }),
	}),
]);

export const Message = z.strictObject({
	role: z.enum(["system", "user", "assistant"]).meta({ description: "Who says it" }),
	content: z
		.union([z.string(), z.array(Part).min(1).max(100)])
		.meta({ description: "A text, or a list of texts and images" }),
});
export type Message = z.output<typeof Message>;

/** A request in a form that is independent of the provider. */
export interface ChatRequest {
	readonly model: string;
	readonly messages: readonly Message[];
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

/** A provider's reply. */
export interface Reply {
	text: string;
	/** Why the model refused; empty if it did not. */
	refusal: string;
	model: string | null;
	/** `stop`: finished; `length`: the token limit was reached; else the provider's own value. */
	finishReason: string | null;
	inputTokens: number | null;
	outputTokens: number | null;
}

export const emptyReply = (): Reply => ({
	text: "",
	refusal: "",
	model: null,
	finishReason: null,
	inputTokens: null,
	outputTokens: null,
});

export interface Provider {
	url(base: URL): string;
	readonly headers: Readonly<Record<string, string>>;
	body(request: ChatRequest, base: URL): JsonObject;
	/** Null if the response is not a reply to such a request. */
	reply(answer: Json): Reply | null;
	/** Adds an event of a stream to the reply. Returns true if the stream is complete. */
	add(event: Json, reply: Reply): boolean;
}

/** The name under which the schema is sent. */
export const ANSWER = "answer";

/** Drops undefined fields: providers reject null for fields that may only be left out. */
export function omitUndefined(fields: { readonly [name: string]: Json | undefined }): JsonObject {
	return Object.fromEntries(
		Object.entries(fields).filter((field): field is [string, Json] => field[1] !== undefined),
	);
}

export const toStringOrEmpty = (value: Json | undefined): string => (typeof value === "string" ? value : "");

export const toCount = (value: Json | undefined): number | null =>
	typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
