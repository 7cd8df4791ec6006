import type { NodeCall } from "@tripline/engine/component";
import type { Effects } from "../effects.ts";
import { anthropic } from "./anthropic.ts";
import type { ChatRequest, OnDelta, Reply } from "./chat.ts";
import { gemini } from "./gemini.ts";
import { callModel } from "./model-call.ts";
import { openai } from "./openai.ts";
import { createReplyStream, readReply } from "./read-reply.ts";
import { toObjectSchema } from "./schema.ts";

export const PROVIDERS = { openai, anthropic, gemini };

type ProviderName = keyof typeof PROVIDERS;

interface Model {
	readonly provider?: ProviderName | undefined;
	readonly base_url?: string | undefined;
	readonly attempts: number;
	readonly attempt_timeout_ms: number;
}

/**
 * Calls a model once, with retries of temporary failures. Of a streamed reply, `onDelta` gets the text as it arrives; once
 * it has got some, a failure is final.
 */
export async function askModel(
	node: NodeCall<Effects>,
	model: Model,
	request: ChatRequest,
	onDelta?: OnDelta,
): Promise<Reply> {
	const provider = PROVIDERS[pickProvider(model)];
	const base = new URL(model.base_url ?? provider.baseUrl);
	const { schema, stream } = request;
	const asked = schema === undefined ? request : { ...request, schema: toObjectSchema(schema) };
	const reading = stream ? createReplyStream(provider, onDelta) : null;
	const answer = await callModel(node, {
		url: provider.url(base, asked),
		headers: { ...provider.headers, ...(stream ? { accept: "text/event-stream" } : {}) },
		value: provider.body(asked, base),
		attempts: model.attempts,
		timeoutMs: model.attempt_timeout_ms,
		...(reading === null ? {} : { sink: reading.sink, isRepeatable: () => !reading.hasPassedOn() }),
	});
	return reading === null ? readReply(provider, answer, onDelta) : reading.reply();
}

/** Google's address serves OpenAI's format as well. */
function pickProvider({ provider, base_url }: Model): ProviderName {
	if (provider !== undefined || base_url === undefined) return provider ?? "openai";
	const { hostname, pathname } = new URL(base_url);
	if (hostname === "api.anthropic.com") return "anthropic";
	const isGoogle = hostname === "generativelanguage.googleapis.com";
	return isGoogle && !/\/openai\b/.test(pathname) ? "gemini" : "openai";
}
