import { decodeText } from "../http-request/answer.ts";
import type { OutboundAnswer } from "../outbound/call.ts";
import { emptyReply, type Provider, type Reply } from "./chat.ts";
import { findProviderError } from "./failure.ts";
import { tryParseJson } from "./parse-answer.ts";
import { readEvents } from "./server-sent-events.ts";

const STREAM_TYPE = /^\s*text\/event-stream\b/i;

/** Reads a plain or a streamed reply: some providers do not stream although the request asks for it. */
export function readReply(provider: Provider, answer: OutboundAnswer): Reply {
	const text = decodeText(answer);
	return STREAM_TYPE.test(answer.headers["content-type"] ?? "")
		? readStream(provider, text)
		: readWhole(provider, text);
}

function readWhole(provider: Provider, text: string): Reply {
	const value = tryParseJson(text);
	if (value === undefined) throw new Error("the provider's answer is not JSON; is base_url right?");
	const error = findProviderError(value);
	if (error !== null) throw createProviderError(error);
	const reply = provider.reply(value);
	if (reply === null) {
		throw new Error("the provider's answer is not a model reply; are base_url and provider right?");
	}
	return reply;
}

function readStream(provider: Provider, text: string): Reply {
	const reply = emptyReply();
	for (const data of readEvents(text)) {
		if (data === "[DONE]") return reply;
		const event = tryParseJson(data);
		if (event === undefined) throw createCutOffError();
		const error = findProviderError(event);
		if (error !== null) throw createProviderError(error);
		if (provider.add(event, reply)) return reply;
	}
	// Not every provider sends an end marker.
	if (reply.finishReason === null) throw createCutOffError();
	return reply;
}

const createCutOffError = () => new Error("the provider's answer broke off");
const createProviderError = (message: string) =>
	new Error(`the provider failed: ${message === "" ? "it did not say why" : message}`);
