import { toByteStream } from "@tripline/contract/byte-stream";
import type { Issue } from "@tripline/contract/failures";
import {
	type Incoming,
	toIncomingHeaders as incomingHeaders,
	type Outgoing,
	readStream,
	TooLong,
} from "./http-message.ts";

/** How to reach another service. Requests and credentials are the same over fetch and in process. */
export type Transport = (OverFetch | InProcess) & {
	/** Including the path prefix, without a trailing slash. */
	readonly baseUrl: string;
	readonly token?: string | undefined;
};

interface OverFetch {
	/** A service binding on Workers, or the global `fetch` over HTTP. */
	fetch(request: Request, init?: { readonly signal: AbortSignal }): Promise<Response>;
	/** Headers that tell the service about the present trace; null if there is none. In one process it is known. */
	readonly buildTraceHeaders?: (() => Readonly<Record<string, string>> | null) | undefined;
}

interface InProcess {
	/** The app's own `answer`, which avoids the cost of web-standard objects. */
	answer(request: Incoming): Promise<Outgoing>;
}

interface Message {
	readonly method: string;
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | AsyncIterable<Uint8Array> | undefined;
}

type Received = Pick<Outgoing, "status" | "body">;

/** The service could not be reached or could not answer: a retry may succeed. */
export class ServiceUnavailable extends Error {
	override readonly name: string = "ServiceUnavailable";
}

/** The service rejected the call; a retry would be rejected again. */
export class ServiceRefused extends Error {
	override readonly name: string = "ServiceRefused";
	readonly status: number;
	/** The whole body: its further details depend on the endpoint. */
	readonly answer: Answer;

	constructor(status: number, message: string, answer: Answer) {
		super(message);
		this.status = status;
		this.answer = answer;
	}

	get issues(): readonly Issue[] {
		return Array.isArray(this.answer.issues) ? (this.answer.issues as Issue[]) : [];
	}
}

/** The service that a client calls, and the errors that it throws. */
export interface CalledService {
	/** For messages, such as "the store". */
	readonly name: string;
	readonly Unavailable: new (message: string, options?: ErrorOptions) => ServiceUnavailable;
	readonly Refused: new (status: number, message: string, answer: Answer) => ServiceRefused;
	readonly maxAnswerBytes: number;
	/** For calls without a signal; no timeout if left out. */
	readonly timeoutMs?: number;
}

export type Answer = Readonly<Record<string, unknown>>;

export interface Sent {
	/** Replaces the transport's base URL, for services that build URLs from the request's origin. */
	readonly baseUrl?: string | undefined;
	readonly headers?: Readonly<Record<string, string>> | undefined;
	readonly query?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
	readonly body?: unknown;
	/** A serialised body that is not JSON. */
	readonly text?: { readonly type: string; readonly content: string };
	/** A body that is sent as it is read. */
	readonly stream?: SentStream;
	/** A status besides 2xx that counts as success. */
	readonly alsoAnswers?: number;
}

interface SentStream {
	readonly type: string;
	readonly content: AsyncIterable<Uint8Array>;
	/** The number of bytes, if it is known, so that the service can refuse a body that is too large before it is sent. */
	readonly size?: number | undefined;
}

/** Creates a client of one service. Its calls return the response or throw `Refused` or `Unavailable`. */
export function createServiceCaller(transport: Transport, service: CalledService) {
	const { baseUrl, token } = transport;
	const { name, Unavailable, timeoutMs } = service;
	const send = "answer" in transport ? createLocalSender(transport) : createFetchSender(transport);
	const authorization = token === undefined ? undefined : `Bearer ${token}`;

	return { call, text, stream };

	/** For a response that is a JSON object. */
	async function call<Result>(
		method: string,
		path: string,
		isAnswer: (answer: Answer) => boolean,
		sent: Sent,
		given?: AbortSignal,
	): Promise<Result> {
		given?.throwIfAborted();
		const { status, content } = await exchange(buildMessage(method, path, sent), given);
		const answer = parseAnswer(content);
		const isAnswered = isSuccess(status) || status === sent.alsoAnswers;
		if (isAnswered && isAnswer(answer)) return answer as Result;
		throw toFailure(method, path, status, answer);
	}

	/** For a response that is not JSON. */
	async function text(method: string, path: string, sent: Sent): Promise<string> {
		const { status, content } = await exchange(buildMessage(method, path, sent));
		if (isSuccess(status)) return content;
		throw toFailure(method, path, status, parseAnswer(content));
	}

	/** For a response that is read as it arrives, without a timeout. */
	async function stream(method: string, path: string, sent: Sent): Promise<ReadableStream<Uint8Array>> {
		const { status, body } = await send(buildMessage(method, path, sent), undefined).catch(throwUnavailable);
		if (isSuccess(status)) return toStream(body);
		throw toFailure(method, path, status, parseAnswer(await readContent(body).catch(throwUnavailable)));
	}

	function buildMessage(method: string, path: string, sent: Sent): Message {
		return {
			method,
			url: (sent.baseUrl ?? baseUrl) + path + buildSearch(sent.query),
			headers: buildHeaders(sent),
			body:
				sent.stream?.content ??
				sent.text?.content ??
				(sent.body === undefined ? undefined : JSON.stringify(sent.body)),
		};
	}

	function buildHeaders({ body, text, stream, headers }: Sent): Record<string, string> {
		const type = stream?.type ?? text?.type ?? (body === undefined ? undefined : "application/json");
		return {
			...(authorization === undefined ? {} : { authorization }),
			...(type === undefined ? {} : { "content-type": type }),
			...(stream?.size === undefined ? {} : { "content-length": String(stream.size) }),
			...headers,
		};
	}

	/** Sends a message and reads the whole response. */
	async function exchange(
		message: Message,
		given?: AbortSignal,
	): Promise<{ status: number; content: string }> {
		const signal = given ?? (timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs));
		try {
			const { status, body } = await send(message, signal);
			return { status, content: await readContent(body) };
		} catch (error) {
			given?.throwIfAborted();
			return throwUnavailable(error);
		}
	}

	function throwUnavailable(error: unknown): never {
		throw error instanceof ServiceUnavailable
			? error
			: new Unavailable(`${name} did not answer`, { cause: error });
	}

	function toFailure(method: string, path: string, status: number, answer: Answer): Error {
		const what = `${method} ${path.split("/", 2).join("/")}`;
		if (status < 300) return new Unavailable(`${what}: ${name}'s answer was not understood`);
		const message = typeof answer.error === "string" ? answer.error : `${name} answered ${status}`;
		if (status < 400 || status === 429 || status >= 500) return new Unavailable(`${what}: ${message}`);
		return new service.Refused(status, message, answer);
	}

	async function readContent(body: Received["body"]): Promise<string> {
		if (typeof body === "string") {
			if (body.length > LARGE_BODY_LENGTH) await yieldTurn();
			return body;
		}
		const decoder = new TextDecoder();
		let text = "";
		let length = 0;
		for await (const chunk of body ?? []) {
			length += chunk.length;
			if (length > service.maxAnswerBytes)
				throw new Unavailable(`${name}'s answer is larger than ${service.maxAnswerBytes} bytes`);
			text += decoder.decode(chunk, { stream: true });
		}
		return text + decoder.decode();
	}
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

const toStream = (body: Received["body"]): ReadableStream<Uint8Array> =>
	body instanceof ReadableStream ? body : (new Response(body ?? "").body as ReadableStream<Uint8Array>);

const createFetchSender =
	({ fetch, buildTraceHeaders }: OverFetch) =>
	async ({ url, body, ...message }: Message, signal: AbortSignal | undefined): Promise<Received> => {
		const trace = buildTraceHeaders?.() ?? null;
		const init = trace === null ? message : { ...message, headers: { ...message.headers, ...trace } };
		// Following a redirect would send the request and its token to an arbitrary address.
		const request = new Request(url, { ...init, redirect: "manual", ...toRequestBody(body) });
		// The signal is not part of the Request: there it would cost more than the whole call.
		return signal === undefined ? fetch(request) : fetch(request, { signal });
	};

/** Fetch requires `duplex` for a stream; the types of browsers do not know it. */
const toRequestBody = (body: Message["body"]): RequestInit => {
	if (body === undefined || typeof body === "string") return body === undefined ? {} : { body };
	return { body: toByteStream(copyPieces(body)), duplex: "half" } as RequestInit;
};

const encoder = new TextEncoder();

const createLocalSender =
	({ answer }: InProcess) =>
	({ method, url, headers, body = "" }: Message, signal: AbortSignal | undefined): Promise<Received> => {
		if (typeof body !== "string")
			return answer({
				method,
				url,
				headers: incomingHeaders(headers),
				isInternal: true,
				signal,
				bytes: (most) => readStream(copyPieces(body), most),
				stream: (most) => limitPieces(body, most),
			});
		const bytes = async () => encoder.encode(body);
		const stream = () => streamText(body);
		const request = {
			method,
			url,
			headers: incomingHeaders(headers),
			isInternal: true,
			signal,
			bytes,
			stream,
		};
		return body.length > LARGE_BODY_LENGTH ? yieldTurn().then(() => answer(request)) : answer(request);
	};

async function* streamText(text: string): AsyncGenerator<Uint8Array> {
	yield encoder.encode(text);
}

/** A piece may be freed when the next one is read. */
async function* copyPieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	for await (const piece of pieces) yield piece.slice();
}

async function* limitPieces(pieces: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
	let length = 0;
	for await (const piece of pieces) {
		length += piece.length;
		if (length > most) throw new TooLong();
		yield piece;
	}
}

/** In characters. Both sides need noticeable time for a larger body. */
export const LARGE_BODY_LENGTH = 65_536;

/** Yields to the event loop, between the two sides as a network call would. */
export const yieldTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** The JSON object in the response, or an empty one; the status decides whether that is acceptable. */
function parseAnswer(text: string): Answer {
	try {
		const answer: unknown = JSON.parse(text);
		return typeof answer === "object" && answer !== null ? (answer as Answer) : {};
	} catch {
		return {};
	}
}

/** Turns a `Refused` with 404 into null. */
export async function orNull<T>(result: Promise<T>): Promise<T | null> {
	try {
		return await result;
	} catch (error) {
		if (error instanceof ServiceRefused && error.status === 404) return null;
		throw error;
	}
}

/** Lone surrogates are replaced: texts that contain them are never stored, so the result is "not found" either way. */
export const encodeText = (text: string): string => encodeURIComponent(text.toWellFormed());

function buildSearch(query: Sent["query"]): string {
	let search = "";
	for (const name in query) {
		const value = query[name];
		if (value === undefined) continue;
		for (const each of Array.isArray(value) ? value : [value]) {
			search += `${search === "" ? "?" : "&"}${name}=${encodeText(String(each))}`;
		}
	}
	return search;
}
