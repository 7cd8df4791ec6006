import type { Issue } from "@tripline/contract/failures";
import { type Incoming, headersOf as incomingHeaders, type Outgoing } from "./exchange.ts";

/** How another service is reached. The requests and credentials are the same either way. */
export type Transport = (OverFetch | InProcess) & {
	/** With the path before the routes, without a slash at the end. */
	readonly baseUrl: string;
	readonly token?: string | undefined;
};

interface OverFetch {
	/** A service binding on Workers, the global one over HTTP. */
	fetch(request: Request, init?: { readonly signal: AbortSignal }): Promise<Response>;
}

interface InProcess {
	/** That app's own: no web-standard objects are made only to be taken apart again. */
	answer(request: Incoming): Promise<Outgoing>;
}

interface Message {
	readonly method: string;
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | undefined;
}

type Received = Pick<Outgoing, "status" | "body">;

/** The service could not be asked, or could not answer: the same call may work later. */
export class ServiceUnavailable extends Error {
	override readonly name: string = "ServiceUnavailable";
}

/** The service refused the call: it would refuse it again. */
export class ServiceRefused extends Error {
	override readonly name: string = "ServiceRefused";
	readonly status: number;
	/** The whole body: what else it says of the refusal depends on the endpoint. */
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

/** Whom a client calls, and how it tells of failures. */
export interface CalledService {
	/** As in "the store". */
	readonly name: string;
	readonly Unavailable: new (message: string, options?: ErrorOptions) => ServiceUnavailable;
	readonly Refused: new (status: number, message: string, answer: Answer) => ServiceRefused;
	readonly mostAnswerBytes: number;
	/** Of a call that brings no signal; left out: it waits. */
	readonly timeoutMs?: number;
}

export type Answer = Readonly<Record<string, unknown>>;

export interface Sent {
	/** Instead of the transport's, where the other side makes addresses from the one it is called by. */
	readonly baseUrl?: string | undefined;
	readonly headers?: Readonly<Record<string, string>> | undefined;
	readonly query?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
	readonly body?: unknown;
	/** Already written, and not as JSON. */
	readonly text?: { readonly type: string; readonly content: string };
	/** A status besides 2xx whose body is an answer too. */
	readonly alsoAnswers?: number;
}

/** Calls of one service: what it answers, or `Refused`, or `Unavailable`. */
export function serviceCaller(transport: Transport, service: CalledService) {
	const { baseUrl, token } = transport;
	const { name, Unavailable, timeoutMs } = service;
	const send = "answer" in transport ? inProcess(transport) : overFetch(transport);
	const authorization = token === undefined ? undefined : `Bearer ${token}`;

	return { call, text, stream };

	/** An answer that is a JSON object. */
	async function call<Result>(
		method: string,
		path: string,
		isAnswer: (answer: Answer) => boolean,
		sent: Sent,
		given?: AbortSignal,
	): Promise<Result> {
		given?.throwIfAborted();
		const { status, content } = await exchange(messageOf(method, path, sent), given);
		const answer = answerOf(content);
		const isAnswered = isGood(status) || status === sent.alsoAnswers;
		if (isAnswered && isAnswer(answer)) return answer as Result;
		throw failureOf(method, path, status, answer);
	}

	/** An answer that is no JSON. */
	async function text(method: string, path: string, sent: Sent): Promise<string> {
		const { status, content } = await exchange(messageOf(method, path, sent));
		if (isGood(status)) return content;
		throw failureOf(method, path, status, answerOf(content));
	}

	/** An answer that is read as it comes, however long it takes. */
	async function stream(method: string, path: string, sent: Sent): Promise<ReadableStream<Uint8Array>> {
		const { status, body } = await send(messageOf(method, path, sent), undefined).catch(away);
		if (isGood(status)) return streamOf(body);
		throw failureOf(method, path, status, answerOf(await contentOf(body).catch(away)));
	}

	function messageOf(method: string, path: string, sent: Sent): Message {
		return {
			method,
			url: (sent.baseUrl ?? baseUrl) + path + searchOf(sent.query),
			headers: headersOf(sent),
			body: sent.text?.content ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body)),
		};
	}

	function headersOf({ body, text, headers }: Sent): Record<string, string> {
		const type = text?.type ?? (body === undefined ? undefined : "application/json");
		return {
			...(authorization === undefined ? {} : { authorization }),
			...(type === undefined ? {} : { "content-type": type }),
			...headers,
		};
	}

	/** The whole answer. */
	async function exchange(
		message: Message,
		given?: AbortSignal,
	): Promise<{ status: number; content: string }> {
		const signal = given ?? (timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs));
		try {
			const { status, body } = await send(message, signal);
			return { status, content: await contentOf(body) };
		} catch (error) {
			given?.throwIfAborted();
			return away(error);
		}
	}

	function away(error: unknown): never {
		throw error instanceof ServiceUnavailable
			? error
			: new Unavailable(`${name} did not answer`, { cause: error });
	}

	function failureOf(method: string, path: string, status: number, answer: Answer): Error {
		const what = `${method} ${path.split("/", 2).join("/")}`;
		if (status < 300) return new Unavailable(`${what}: ${name}'s answer was not understood`);
		const message = typeof answer.error === "string" ? answer.error : `${name} answered ${status}`;
		if (status < 400 || status === 429 || status >= 500) return new Unavailable(`${what}: ${message}`);
		return new service.Refused(status, message, answer);
	}

	async function contentOf(body: Received["body"]): Promise<string> {
		if (typeof body === "string") {
			if (body.length > LARGE) await turn();
			return body;
		}
		const decoder = new TextDecoder();
		let text = "";
		let length = 0;
		for await (const chunk of body ?? []) {
			length += chunk.length;
			if (length > service.mostAnswerBytes)
				throw new Unavailable(`${name}'s answer is larger than ${service.mostAnswerBytes} bytes`);
			text += decoder.decode(chunk, { stream: true });
		}
		return text + decoder.decode();
	}
}

const isGood = (status: number): boolean => status >= 200 && status < 300;

const streamOf = (body: Received["body"]): ReadableStream<Uint8Array> =>
	body instanceof ReadableStream ? body : (new Response(body ?? "").body as ReadableStream<Uint8Array>);

const overFetch =
	({ fetch }: OverFetch) =>
	async ({ url, body, ...init }: Message, signal: AbortSignal | undefined): Promise<Received> => {
		// A redirect would take the request, and its token, to wherever the other side likes.
		const request = new Request(url, { ...init, redirect: "manual", ...(body !== undefined && { body }) });
		// Not in the request: there a signal costs more than the whole call.
		return signal === undefined ? fetch(request) : fetch(request, { signal });
	};

const encoder = new TextEncoder();

const inProcess =
	({ answer }: InProcess) =>
	({ method, url, headers, body = "" }: Message, signal: AbortSignal | undefined): Promise<Received> => {
		const bytes = async () => encoder.encode(body);
		const request = { method, url, headers: incomingHeaders(headers), isInternal: true, signal, bytes };
		return body.length > LARGE ? turn().then(() => answer(request)) : answer(request);
	};

/** Characters. What one side does with so many takes its time, and what the other does with them comes on top. */
const LARGE = 65_536;

/** For everybody else between the two sides, as if there were a network. */
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** The JSON object in the answer, or none: whether that will do depends on the status. */
function answerOf(text: string): Answer {
	try {
		const answer: unknown = JSON.parse(text);
		return typeof answer === "object" && answer !== null ? (answer as Answer) : {};
	} catch {
		return {};
	}
}

/** Of `Refused` with 404: null. */
export async function orNull<T>(result: Promise<T>): Promise<T | null> {
	try {
		return await result;
	} catch (error) {
		if (error instanceof ServiceRefused && error.status === 404) return null;
		throw error;
	}
}

/** A text with a lone surrogate is never stored, so what is asked for instead is not found either. */
export const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

function searchOf(query: Sent["query"]): string {
	let search = "";
	for (const name in query) {
		const value = query[name];
		if (value === undefined) continue;
		for (const each of Array.isArray(value) ? value : [value]) {
			search += `${search === "" ? "?" : "&"}${name}=${encoded(String(each))}`;
		}
	}
	return search;
}
