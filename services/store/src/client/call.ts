import type { Issue } from "@tripline/contract/failures";
import { EVENT_DEPTH_HEADER, RUN_HEADER } from "@tripline/contract/headers";
import { type Incoming, headersOf as incomingHeaders, type Outgoing } from "@tripline/web/exchange";

/** How the store is reached. The requests and credentials are the same either way. */
export type Transport = (OverFetch | InProcess) & {
	/** Without a slash at the end. */
	readonly baseUrl: string;
	readonly token?: string | undefined;
};

interface OverFetch {
	/** A service binding on Workers, the global one over HTTP. */
	fetch(request: Request, init?: { readonly signal: AbortSignal }): Promise<Response>;
}

interface InProcess {
	/** The store app's own: no web-standard objects are made only to be taken apart again. */
	answer(request: Incoming): Promise<Outgoing>;
}

interface Message {
	readonly method: string;
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | undefined;
}

interface Received {
	readonly status: number;
	readonly text: string;
}

export interface CallOptions {
	/** The run on whose behalf the call is made. */
	readonly run?: { readonly executionId: string; readonly eventDepth: number } | undefined;
	readonly signal?: AbortSignal | undefined;
}

/** The store could not be asked, or could not answer: the same call may work later. */
export class StoreUnavailable extends Error {
	override readonly name = "StoreUnavailable";
}

/** The store refused the call: it would refuse it again. */
export class StoreRefused extends Error {
	override readonly name = "StoreRefused";
	readonly status: number;
	readonly issues: readonly Issue[];

	constructor(status: number, message: string, issues: readonly Issue[]) {
		super(message);
		this.status = status;
		this.issues = issues;
	}
}

export type Answer = Readonly<Record<string, unknown>>;

interface Sent {
	readonly query?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
	readonly body?: unknown;
}

/** A page has at most 4 MiB of texts, or one entry of any size; as JSON they can be several times that. */
const MOST_ANSWER_BYTES = 64 * 1024 * 1024;

export function caller(transport: Transport) {
	const { baseUrl, token } = transport;
	const send = "answer" in transport ? inProcess(transport) : overFetch(transport);
	const authorization = token === undefined ? undefined : `Bearer ${token}`;

	return async function call<Result>(
		method: string,
		path: string,
		isAnswer: (answer: Answer) => boolean,
		sent: Sent,
		options: CallOptions = {},
	): Promise<Result> {
		options.signal?.throwIfAborted();
		const message: Message = {
			method,
			url: baseUrl + path + searchOf(sent.query),
			headers: headersOf(sent, options),
			body: sent.body === undefined ? undefined : JSON.stringify(sent.body),
		};
		const { status, answer } = await exchange(message, options.signal);
		if (status >= 200 && status < 300 && isAnswer(answer)) return answer as Result;
		throw failureOf(`${method} ${path.split("/", 2).join("/")}`, status, answer);
	};

	function headersOf({ body }: Sent, { run }: CallOptions): Record<string, string> {
		return {
			...(authorization === undefined ? {} : { authorization }),
			...(body === undefined ? {} : { "content-type": "application/json" }),
			...(run === undefined
				? {}
				: { [RUN_HEADER]: run.executionId, [EVENT_DEPTH_HEADER]: String(run.eventDepth) }),
		};
	}

	async function exchange(
		message: Message,
		signal: AbortSignal | undefined,
	): Promise<{ status: number; answer: Answer }> {
		try {
			const { status, text } = await send(message, signal);
			return { status, answer: answerOf(text) };
		} catch (error) {
			signal?.throwIfAborted();
			throw error instanceof StoreUnavailable
				? error
				: new StoreUnavailable("the store did not answer", { cause: error });
		}
	}
}

const overFetch =
	({ fetch }: OverFetch) =>
	async ({ url, body, ...init }: Message, signal: AbortSignal | undefined): Promise<Received> => {
		const request = new Request(url, body === undefined ? init : { ...init, body });
		// Not in the request: there a signal costs more than the whole call.
		const response = await (signal === undefined ? fetch(request) : fetch(request, { signal }));
		return { status: response.status, text: await textOf(response.body) };
	};

const encoder = new TextEncoder();

const inProcess =
	({ answer }: InProcess) =>
	async ({ method, url, headers, body = "" }: Message): Promise<Received> => {
		const outgoing = await answer({
			method,
			url,
			headers: incomingHeaders(headers),
			isInternal: true,
			bytes: async () => encoder.encode(body),
		});
		const text = typeof outgoing.body === "string" ? outgoing.body : await textOf(outgoing.body);
		return { status: outgoing.status, text };
	};

function failureOf(what: string, status: number, answer: Answer): StoreRefused | StoreUnavailable {
	if (status < 300) return new StoreUnavailable(`${what}: the store's answer was not understood`);
	const message = typeof answer.error === "string" ? answer.error : `the store answered ${status}`;
	if (status < 400 || status >= 500) return new StoreUnavailable(`${what}: ${message}`);
	return new StoreRefused(status, message, Array.isArray(answer.issues) ? (answer.issues as Issue[]) : []);
}

/** The JSON object in the answer, or none: whether that will do depends on the status. */
function answerOf(text: string): Answer {
	try {
		const answer: unknown = JSON.parse(text);
		return typeof answer === "object" && answer !== null ? (answer as Answer) : {};
	} catch {
		return {};
	}
}

async function textOf(body: ReadableStream<Uint8Array> | null): Promise<string> {
	const decoder = new TextDecoder();
	let text = "";
	let length = 0;
	for await (const chunk of body ?? []) {
		length += chunk.length;
		if (length > MOST_ANSWER_BYTES) {
			throw new StoreUnavailable(`the store's answer is larger than ${MOST_ANSWER_BYTES} bytes`);
		}
		text += decoder.decode(chunk, { stream: true });
	}
	return text + decoder.decode();
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
