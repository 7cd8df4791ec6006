import { getDefaultHighWaterMark, type Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { freeChunk } from "./free-chunk.node.ts";
import {
	type HttpAnswer,
	type HttpRequest,
	OutboundRefused,
	type StreamedBody,
	type TakeBody,
} from "./http.ts";
import { ArrivingBody } from "./http-arriving.node.ts";
import { concatChunks, MAX_HEADERS, MAX_TIMER_MS } from "./http-checks.ts";
import { ACCEPTED_ENCODINGS, checkEncodings, decodeBody, decodeStream } from "./http-decode.node.ts";
import { headersError, timeoutError, toCallError, tooLargeError } from "./http-errors.ts";
import type { HostSlots, Waiter } from "./http-slots.ts";
import { isStreamed, limitContent, readStreamedBody } from "./http-streams.ts";

/** Limit of informational (1xx) responses. */
const MAX_EARLY_ANSWERS = 16;

type Headers = Record<string, string>;

const NO_BYTES = new Uint8Array();

/**
 * One call from its place in the queue to its decoded response. It is itself the handler of undici's `dispatch`, because
 * a stream for each small response costs more than the rest of the call.
 */
export class Call implements Dispatcher.DispatchHandler, Waiter {
	readonly answer: Promise<HttpAnswer>;
	#resolve!: (answer: HttpAnswer) => void;
	#reject!: (error: unknown) => void;

	readonly #request: HttpRequest;
	readonly #signal: AbortSignal;
	readonly #slots: HostSlots;
	readonly #dispatcher: Dispatcher;
	readonly #host: string;

	readonly #timer: NodeJS.Timeout;
	#controller: Dispatcher.DispatchController | null = null;
	#stage: "waiting" | "started" | "left" = "waiting";
	#isSettled = false;

	#earlyAnswers = 0;
	#status = 0;
	#headers: Headers = {};
	#chunks: Uint8Array[] = [];
	#size = 0;
	/** Of decoded bytes. */
	#limit = 0;
	/** Of bytes as they arrive. */
	#maxSize = 0;
	/** The body on its way to the request's sink; null if it is collected here. */
	#arriving: ArrivingBody | null = null;
	/** Settles with the sink, and never rejects. */
	#taking: Promise<void> | null = null;

	constructor(request: HttpRequest, signal: AbortSignal, slots: HostSlots, dispatcher: Dispatcher) {
		this.#request = request;
		this.#signal = signal;
		this.#slots = slots;
		this.#dispatcher = dispatcher;
		this.#host = request.url.host;
		this.answer = new Promise((resolve, reject) => {
			this.#resolve = resolve;
			this.#reject = reject;
		});
		this.#timer = setTimeout(failOnTimeout, Math.min(request.timeoutMs, MAX_TIMER_MS), this);
		signal.addEventListener("abort", this);
		if (!slots.enter(this.#host, this)) {
			this.#fail(new Error(`too many calls to ${this.#host} are waiting`));
		}
	}

	start(): void {
		this.#stage = "started";
		if (this.#isSettled) {
			this.#leave();
			return;
		}
		const { url, method, headers, body } = this.#request;
		const isStream = isStreamed(body);
		this.#dispatcher.dispatch(
			{
				origin: url.origin,
				path: url.pathname + url.search,
				method: method as Dispatcher.HttpMethod,
				headers: this.#completeHeaders(headers, isStream ? body.size : null),
				body: isStream ? this.#readBody(body) : body,
			},
			this,
		);
	}

	#completeHeaders(headers: HttpRequest["headers"], size: number | null): HttpRequest["headers"] {
		const sent =
			"accept-encoding" in headers ? headers : { ...headers, "accept-encoding": ACCEPTED_ENCODINGS };
		return size === null ? sent : { ...sent, "content-length": String(size) };
	}

	/** Undici takes any iterable as a body, though its types do not say so. */
	#readBody(body: StreamedBody): Readable | null {
		if (body.size === 0) return null;
		const failed = (error: unknown) => this.#fail(error);
		return readStreamedBody(body, failed, freeSent) as AsyncIterable<Uint8Array> as Readable;
	}

	handleEvent(): void {
		this.#interrupt(this.#signal.reason);
	}

	timedOut(): void {
		this.#interrupt(timeoutError(this.#host, this.#request.timeoutMs));
	}

	onRequestStart(controller: Dispatcher.DispatchController): void {
		this.#controller = controller;
		// The call was abandoned while it waited for a connection.
		if (this.#isSettled) controller.abort(new Error("given up"));
	}

	onResponseStart(
		controller: Dispatcher.DispatchController,
		status: number,
		headers: Record<string, string | string[] | undefined>,
	): void {
		if (status < 200) {
			if (++this.#earlyAnswers > MAX_EARLY_ANSWERS) this.#fail(headersError(this.#host));
			return;
		}
		try {
			this.#status = status;
			this.#headers = joinHeaders(headers, this.#host);
			const { sink, maxBytes } = this.#request;
			const take = sink === undefined ? null : sink.open({ status, headers: this.#listDecodedHeaders() });
			const limit = sink === undefined || take === null ? maxBytes : sink.maxBytes;
			this.#checkHead(limit);
			if (take !== null && !this.#isSettled) this.#stream(take, limit, controller);
		} catch (error) {
			this.#fail(error);
		}
	}

	onResponseData(_: Dispatcher.DispatchController, chunk: Uint8Array): void {
		this.#size += chunk.length;
		if (this.#size > this.#maxSize) this.#fail(tooLargeError(this.#host, this.#limit));
		else if (this.#arriving !== null) this.#arriving.push(chunk);
		else this.#chunks.push(chunk);
	}

	onResponseEnd(): void {
		this.#leave();
		if (this.#arriving !== null) {
			this.#arriving.end();
			return;
		}
		const body = concatChunks(this.#chunks, this.#size);
		this.#chunks = [];
		const encoding = this.#headers["content-encoding"];
		if (encoding === undefined || body.length === 0) this.#settle(body, this.#headers);
		else this.#settleDecoded(body, encoding);
	}

	onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
		this.#leave();
		this.#fail(error instanceof OutboundRefused ? error : toCallError(error, this.#host));
	}

	#checkHead(maxBytes: number): void {
		const { method } = this.#request;
		this.#limit = maxBytes;
		const encoding = this.#headers["content-encoding"];
		if (encoding !== undefined) checkEncodings(encoding, this.#host);
		// Encoding makes incompressible data slightly larger.
		this.#maxSize = encoding === undefined ? maxBytes : maxBytes + Math.floor(maxBytes / 256) + 1024;
		if (method !== "HEAD" && Number(this.#headers["content-length"] ?? 0) > this.#maxSize) {
			throw tooLargeError(this.#host, maxBytes);
		}
	}

	#stream(take: TakeBody, maxBytes: number, controller: Dispatcher.DispatchController): void {
		const encoding = this.#headers["content-encoding"];
		// A decoder reads ahead.
		const arriving = new ArrivingBody(controller, encoding === undefined);
		const decoded = encoding === undefined ? arriving : decodeStream(arriving, encoding, this.#host);
		const content = limitContent(decoded, maxBytes, this.#host, (error) => this.#fail(error));
		this.#arriving = arriving;
		this.#taking = take(content).then(
			() => {
				this.#settle(NO_BYTES, this.#listDecodedHeaders());
				// The sink may have stopped reading early.
				if (this.#stage === "started") controller.abort(new Error("given up"));
			},
			(error: unknown) => this.#fail(error),
		);
	}

	async #settleDecoded(body: Uint8Array, encoding: string): Promise<void> {
		try {
			const plain = await decodeBody(body, encoding, this.#host, this.#request.maxBytes);
			this.#settle(plain, this.#listDecodedHeaders());
		} catch (error) {
			this.#fail(error);
		}
	}

	/** Without the headers that describe the encoded body. */
	#listDecodedHeaders(): Headers {
		const { "content-encoding": encoding, "content-length": _, ...headers } = this.#headers;
		return encoding === undefined ? this.#headers : headers;
	}

	#settle(body: Uint8Array, headers: Headers): void {
		if (this.#isSettled) return;
		this.#end();
		this.#resolve({ status: this.#status, headers, body });
	}

	/** A body that the sink has read in full may be stored already, so only the sink can still fail the call. */
	#interrupt(error: unknown): void {
		if (this.#arriving?.isRead !== true) this.#fail(error);
	}

	#fail(error: unknown): void {
		if (this.#isSettled) return;
		this.#end();
		this.#chunks = [];
		this.#arriving?.fail(error);
		if (this.#taking === null) this.#reject(error);
		else this.#taking.then(() => this.#reject(error));
		if (this.#stage === "waiting") this.#slots.forget(this.#host, this);
		else this.#controller?.abort(new Error("given up"));
	}

	#end(): void {
		this.#isSettled = true;
		clearTimeout(this.#timer);
		this.#signal.removeEventListener("abort", this);
	}

	/** Must run only once the connection is free again: an abandoned call may still hold one. */
	#leave(): void {
		if (this.#stage !== "started") return;
		this.#stage = "left";
		this.#slots.leave(this.#host);
	}
}

/**
 * A chunk that fills the socket's buffer makes undici wait until everything is written before it asks for the next one;
 * a smaller chunk may not be written yet.
 */
function freeSent(chunk: Uint8Array): void {
	if (chunk.length >= SOCKET_BUFFER_BYTES) freeChunk(chunk);
}

const SOCKET_BUFFER_BYTES = getDefaultHighWaterMark(false);

function failOnTimeout(call: Call): void {
	call.timedOut();
}

function joinHeaders(headers: Record<string, string | string[] | undefined>, host: string): Headers {
	const result: Headers = {};
	let count = 0;
	for (const name in headers) {
		const value = headers[name];
		count += Array.isArray(value) ? value.length : 1;
		if (value !== undefined && name !== "__proto__") {
			result[name] = Array.isArray(value) ? value.join(", ") : value;
		}
	}
	if (count > MAX_HEADERS) throw headersError(host);
	return result;
}
