import type { Dispatcher } from "undici";
import { type HttpAnswer, type HttpRequest, OutboundRefused } from "./http.ts";
import { concatChunks, MAX_HEADERS, MAX_TIMER_MS } from "./http-checks.ts";
import { ACCEPTED_ENCODINGS, checkEncodings, decodeBody } from "./http-decode.node.ts";
import { headersError, timeoutError, toCallError, tooLargeError } from "./http-errors.ts";
import type { HostSlots, Waiter } from "./http-slots.ts";

/** Limit of informational (1xx) responses. */
const MAX_EARLY_ANSWERS = 16;

type Headers = Record<string, string>;

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
	#maxSize = 0;

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
		this.#dispatcher.dispatch(
			{
				origin: url.origin,
				path: url.pathname + url.search,
				method: method as Dispatcher.HttpMethod,
				headers:
					"accept-encoding" in headers ? headers : { ...headers, "accept-encoding": ACCEPTED_ENCODINGS },
				body,
			},
			this,
		);
	}

	handleEvent(): void {
		this.#fail(this.#signal.reason);
	}

	timedOut(): void {
		this.#fail(timeoutError(this.#host, this.#request.timeoutMs));
	}

	onRequestStart(controller: Dispatcher.DispatchController): void {
		this.#controller = controller;
		// The call was abandoned while it waited for a connection.
		if (this.#isSettled) controller.abort(new Error("given up"));
	}

	onResponseStart(
		_: Dispatcher.DispatchController,
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
			this.#checkHead();
		} catch (error) {
			this.#fail(error);
		}
	}

	onResponseData(_: Dispatcher.DispatchController, chunk: Uint8Array): void {
		this.#size += chunk.length;
		if (this.#size > this.#maxSize) this.#fail(tooLargeError(this.#host, this.#request.maxBytes));
		else this.#chunks.push(chunk);
	}

	onResponseEnd(): void {
		this.#leave();
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

	#checkHead(): void {
		const { method, maxBytes } = this.#request;
		const encoding = this.#headers["content-encoding"];
		if (encoding !== undefined) checkEncodings(encoding, this.#host);
		// Encoding makes incompressible data slightly larger.
		this.#maxSize = encoding === undefined ? maxBytes : maxBytes + (maxBytes >> 8) + 1024;
		if (method !== "HEAD" && Number(this.#headers["content-length"] ?? 0) > this.#maxSize) {
			throw tooLargeError(this.#host, maxBytes);
		}
	}

	async #settleDecoded(body: Uint8Array, encoding: string): Promise<void> {
		try {
			const plain = await decodeBody(body, encoding, this.#host, this.#request.maxBytes);
			// These headers describe the encoded body.
			const { "content-encoding": _, "content-length": __, ...headers } = this.#headers;
			this.#settle(plain, headers);
		} catch (error) {
			this.#fail(error);
		}
	}

	#settle(body: Uint8Array, headers: Headers): void {
		if (this.#isSettled) return;
		this.#end();
		this.#resolve({ status: this.#status, headers, body });
	}

	#fail(error: unknown): void {
		if (this.#isSettled) return;
		this.#end();
		this.#chunks = [];
		this.#reject(error);
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
