import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import * as z from "zod";

const Image = z.string().regex(/^(?:https?:\/\/|data:image\/[a-z0-9.+-]{1,40};base64,)/i, {
	error: "must be an https address, or start with data:image/png;base64, or the like",
});

const Part = z.discriminatedUnion("type", [
	z.strictObject({ type: z.literal("text"), text: z.string() }),
	z.strictObject({ type: z.literal("image_url"), image_url: z.strictObject({ url: Image }) }),
]);

export const Message = z.strictObject({
	role: z.enum(["system", "user", "assistant"]),
	content: z.union([z.string(), z.array(Part).min(1).max(100)]),
});
export type Message = z.output<typeof Message>;

/** What is asked, whoever is asked. */
export interface ChatRequest {
	readonly model: string;
	readonly messages: readonly Message[];
	readonly schema: JsonObject | undefined;
	/** Whether the schema is a function's that the model must call, where the provider has no other way. */
	readonly byTool: boolean;
	readonly maxTokens: number | undefined;
	readonly temperature: number | undefined;
	readonly stop: readonly string[] | undefined;
	readonly stream: boolean;
	/** The provider's own fields. */
	readonly extra: JsonObject;
}

/** What a provider said. */
export interface Reply {
	text: string;
	/** Why it did not do what was asked. */
	refusal: string;
	model: string | null;
	/** `stop`: it was done; `length`: there were no more tokens; else the provider's own word. */
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
	/** Null: it is no answer to such a request. */
	reply(answer: Json): Reply | null;
	/** Adds what an event of a stream tells. True: nothing more will come. */
	add(event: Json, reply: Reply): boolean;
}

/** The name that the schema goes by. */
export const ANSWER = "answer";

/** Without what is undefined: providers refuse null where a field may only be left out. */
export function given(fields: { readonly [name: string]: Json | undefined }): JsonObject {
	return Object.fromEntries(
		Object.entries(fields).filter((field): field is [string, Json] => field[1] !== undefined),
	);
}

export const asString = (value: Json | undefined): string => (typeof value === "string" ? value : "");

export const asCount = (value: Json | undefined): number | null =>
	typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
