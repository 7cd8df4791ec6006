import type { Json } from "@tripline/contract/json";
import { TerminalError } from "@tripline/engine/terminal-error";
import { EventStream } from "../event-stream.ts";
import { decodeText } from "../http-request/answer.ts";
import { concatParts } from "../outbound/body-pieces.ts";
import type { OutboundAnswer, OutboundHead, OutboundSink } from "../outbound/call.ts";
import { type OnDelta, type Provider, type Reply, type ReplyDraft, startReply } from "./chat.ts";
import { findProviderError } from "./failure.ts";
import { isSuccess, MAX_RESPONSE_BYTES } from "./model-call.ts";
import { tryParseJson } from "./parse-answer.ts";

const STREAM_TYPE = /^\s*text\/event-stream\b/i;

/** Some providers stream although the request does not ask for it, or do not although it does. */
export function readReply(provider: Provider, answer: OutboundAnswer, onDelta?: OnDelta): Reply {
	const reader = createReader(provider, answer, onDelta);
	reader.push(answer.body);
	return finishReply(provider, reader.end());
}

interface ReplyStream {
	readonly sink: OutboundSink;
	/** Whether a part of the answer was passed on: then the request must not be sent again. */
	hasPassedOn(): boolean;
	/** The complete reply. Throws if it cannot be read. */
	reply(): Reply;
}

/** Reads a reply while it arrives. */
export function createReplyStream(provider: Provider, onDelta: OnDelta | undefined): ReplyStream {
	let hasPassedOn = false;
	let read: () => ReplyDraft = () => {
		throw createCutOffError();
	};
	const passOn =
		onDelta &&
		((text: string) => {
			hasPassedOn = true;
			onDelta(text);
		});
	return {
		sink: {
			accepts: isSuccess,
			byLine: true,
			async take(head, content) {
				const reader = createReader(provider, head, passOn);
				read = reader.end;
				let size = 0;
				for await (const chunk of content) {
					size += chunk.length;
					const isOver = size > MAX_RESPONSE_BYTES;
					if (isOver) reader.fail(new TerminalError("the provider's answer has more than 16 MiB"));
					if (isOver || !reader.push(chunk)) return;
				}
			},
		},
		hasPassedOn: () => hasPassedOn,
		reply: () => finishReply(provider, read()),
	};
}

interface Reader {
	/** Returns false if the rest need not be read. The error is thrown at the end: no retry can mend the answer. */
	push(chunk: Uint8Array): boolean;
	fail(error: unknown): void;
	end(): ReplyDraft;
}

function createReader(provider: Provider, { headers }: OutboundHead, onDelta: OnDelta | undefined): Reader {
	return STREAM_TYPE.test(headers["content-type"] ?? "")
		? createStreamReader(provider, onDelta)
		: createWholeReader(provider, headers, onDelta);
}

function createWholeReader(
	provider: Provider,
	headers: OutboundHead["headers"],
	onDelta: OnDelta | undefined,
): Reader {
	const chunks: Uint8Array[] = [];
	let failure: unknown;
	return {
		push(chunk) {
			chunks.push(new Uint8Array(chunk));
			return true;
		},
		fail(error) {
			failure = error;
		},
		end() {
			if (failure !== undefined) throw failure;
			return readWhole(provider, decodeText({ headers, body: concatParts(chunks) }), onDelta);
		},
	};
}

function createStreamReader(provider: Provider, onDelta: OnDelta | undefined): Reader {
	const draft = startReply(onDelta);
	const events = new EventStream(MAX_RESPONSE_BYTES);
	let isComplete = false;
	let failure: unknown;
	return {
		push(chunk) {
			try {
				addEvents(events.push(chunk));
			} catch (error) {
				failure = error;
			}
			return failure === undefined;
		},
		fail(error) {
			failure = error;
		},
		end() {
			if (failure !== undefined) throw failure;
			addEvents(events.end());
			// Not every provider sends an end marker.
			if (!isComplete && draft.finishReason === null) throw createCutOffError();
			return draft;
		},
	};

	/** What follows the end marker is read, so that the connection can be used again, but ignored. */
	function addEvents(complete: readonly string[]): void {
		for (const data of complete) {
			if (isComplete) return;
			isComplete = data === "[DONE]" || provider.add(parseEvent(data), draft);
		}
	}
}

function parseEvent(data: string): Json {
	const event = tryParseJson(data);
	if (event === undefined) throw createCutOffError();
	throwProviderError(event);
	return event;
}

function readWhole(provider: Provider, text: string, onDelta?: OnDelta): ReplyDraft {
	const value = tryParseJson(text);
	if (value === undefined) throw new Error("the provider's answer is not JSON; is base_url right?");
	throwProviderError(value);
	const draft = startReply(onDelta);
	if (provider.read(value, draft)) return draft;
	throw new Error("the provider's answer is not a model reply; are base_url and provider right?");
}

function finishReply(provider: Provider, draft: ReplyDraft): Reply {
	const { blocks: _, fields: __, onDelta: ___, ...reply } = draft;
	return { ...reply, ...provider.finish(draft) };
}

function throwProviderError(value: Json): void {
	const message = findProviderError(value);
	if (message === null) return;
	throw new Error(`the provider failed: ${message === "" ? "it did not say why" : message}`);
}

const createCutOffError = () => new Error("the provider's answer broke off");
