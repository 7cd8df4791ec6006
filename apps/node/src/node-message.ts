import type { IncomingMessage, ServerResponse } from "node:http";
import type { Turns } from "@tripline/platform/turns";
import {
	declaresMore,
	type Incoming,
	type IncomingHeaders,
	MAX_DROPPED_BYTES,
	type Outgoing,
	TooLong,
} from "@tripline/web/http-message";
import type { BodyWatch, WatchedBody } from "./body-watch.ts";
import { writeResponse } from "./write-response.ts";

export interface ListenerOptions {
	/** A trusted proxy in front sets the client's address. */
	readonly trustProxy?: boolean;
	/** Large bodies are read in their sender's turn. Omitted: at once. */
	readonly turns?: Turns | undefined;
	/** False only where a benchmark measures what it saves. */
	readonly answersTogether?: boolean | undefined;
	/** Ends bodies that are sent too slowly. Omitted: they may take any time. */
	readonly bodies?: BodyWatch | undefined;
	/** Whether a connection is closed after its response, because the listener is being closed. */
	readonly isClosing?: () => boolean;
}

/** Number of bytes from which reading a body takes milliseconds. */
const LARGE_BODY_BYTES = 65_536;

export type Answer = (request: Incoming) => Promise<Outgoing>;

/** Serves `node:http` requests with an app, without converting them to web-standard objects. */
export function requestListener(
	answer: Answer,
	onError: (error: unknown) => void,
	options: ListenerOptions = {},
) {
	return (message: IncomingMessage, response: ServerResponse, awaitsContinue = false): void => {
		const request = new NodeRequest(message, response, options, awaitsContinue);
		answer(request).then(
			(outgoing) => {
				// Node would discard the rest of a body without a limit.
				if (!message.complete) request.dropRest();
				if (options.isClosing?.() === true) response.shouldKeepAlive = false;
				writeResponse(outgoing, response).catch(() => response.destroy());
			},
			(error: unknown) => {
				onError(error);
				response.destroy();
			},
		);
	};
}

/** How much of a body that nobody reads is received after the answer, so that a client that is still sending sees it. */
const MAX_REST_BYTES = 32 * 1024 * 1024;
const MAX_REST_MS = 30_000;
const SMALL_PIECE_BYTES = 8 * 1024;

class NodeRequest implements Incoming, WatchedBody {
	readonly method: string;
	readonly url: string;
	readonly headers: IncomingHeaders;
	readonly #message: IncomingMessage;
	readonly #response: ServerResponse;
	readonly #options: ListenerOptions;
	#signal: AbortSignal | undefined;
	/** The client sends the body only when it is told to. */
	#awaitsContinue: boolean;
	receivedBytes = 0;
	waitedMs = 0;
	waitingSince: number | null = null;

	constructor(
		message: IncomingMessage,
		response: ServerResponse,
		options: ListenerOptions,
		awaitsContinue: boolean,
	) {
		this.#message = message;
		this.#response = response;
		this.#options = options;
		this.#awaitsContinue = awaitsContinue;
		this.method = message.method ?? "GET";
		this.url = buildUrl(message);
		this.headers = new NodeHeaders(message);
	}

	get address(): string | undefined {
		// The last address was set by the nearest proxy; the ones before it were sent by the caller.
		const forwarded = this.#options.trustProxy
			? this.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim()
			: "";
		return forwarded || this.#message.socket.remoteAddress;
	}

	/** Created on demand, because few requests are ended early. */
	get signal(): AbortSignal {
		this.#signal ??= watchHangUp(this.#response);
		return this.#signal;
	}

	bytes(maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
		return new Promise((resolve, reject) => {
			const message = this.#message;
			this.#beginReading();
			this.waitingSince = this.#options.bodies?.now ?? null;
			const chunks: Buffer<ArrayBuffer>[] = [];
			let length = 0;
			message.on("data", (chunk: Buffer<ArrayBuffer>) => {
				length += chunk.length;
				if (length <= maxBytes) chunks.push(chunk);
				else if (length > maxBytes + MAX_DROPPED_BYTES) reject(new TooLong());
			});
			message.on("end", () => {
				this.#options.bodies?.end(this.#message.socket, this);
				const { turns, answersTogether = true } = this.#options;
				const resume = () =>
					resolve(chunks.length === 1 ? (chunks[0] as Buffer<ArrayBuffer>) : Buffer.concat(chunks));
				if (length > maxBytes) reject(new TooLong());
				else if (length > LARGE_BODY_BYTES && turns !== undefined) turns.later(this.address ?? "", resume);
				else if (answersTogether) resumeTogether(resume);
				else resume();
			});
			message.on("error", reject);
			message.on("close", () => {
				// `close` also follows a normal end, and creating an error then would cost more than reading the body.
				if (message.complete) return;
				this.#options.bodies?.end(this.#message.socket, this);
				reject(new Error("the client hung up"));
			});
		});
	}

	async *stream(maxBytes: number): AsyncGenerator<Uint8Array> {
		if (declaresMore(this.headers, maxBytes)) throw new TooLong();
		const message = this.#message;
		let resume = () => {};
		const wake = () => resume();
		const events = ["readable", "end", "error", "close"] as const;
		for (const event of events) message.on(event, wake);
		this.#beginReading();
		try {
			for (;;) {
				const chunk = message.read(message.readableLength) as Buffer | null;
				if (chunk !== null) {
					this.receivedBytes += chunk.length;
					if (this.receivedBytes > maxBytes) throw new TooLong();
					// Not as a Buffer, whose methods differ from those that callers expect.
					yield new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length);
					free(chunk);
				} else if (message.readableEnded) return;
				else if (message.destroyed) throw new Error("the client hung up");
				else {
					this.waitingSince = performance.now();
					await new Promise<void>((resolve) => {
						resume = resolve;
					});
					this.waitedMs += performance.now() - this.waitingSince;
					this.waitingSince = null;
					// One packet can hold thousands of chunks of a byte; without this each would become a piece.
					if (message.readableLength < SMALL_PIECE_BYTES)
						await new Promise((resolve) => setImmediate(resolve));
				}
			}
		} finally {
			this.#options.bodies?.end(this.#message.socket, this);
			for (const event of events) message.off(event, wake);
		}
	}

	#beginReading(): void {
		this.#options.bodies?.begin(this.#message.socket, this);
		if (!this.#awaitsContinue) return;
		this.#awaitsContinue = false;
		this.#response.writeContinue();
	}

	/** Receives the rest of the body within limits and discards it. Call it before the answer is written. */
	dropRest(): void {
		this.#options.bodies?.end(this.#message.socket, this);
		// A client that was not told to send may omit the body, and the next request would be taken for it.
		if (this.#awaitsContinue) {
			this.#response.setHeader("connection", "close");
			return;
		}
		const message = this.#message;
		let restBytes = 0;
		const late = setTimeout(() => message.destroy(), MAX_REST_MS).unref();
		message.on("error", () => {});
		message.on("close", () => clearTimeout(late));
		message.on("data", (chunk: Buffer) => {
			restBytes += chunk.length;
			if (restBytes > MAX_REST_BYTES) message.destroy();
		});
		// Otherwise Node takes over when the answer is sent, and counts nothing.
		message.read(0);
		message.resume();
	}

	giveUp(): void {
		if (this.#response.headersSent) this.#message.destroy();
		else {
			this.#response.writeHead(408, { connection: "close" });
			this.#response.end(() => this.#message.destroy());
		}
	}
}

/**
 * Frees a piece at once. Left to the garbage collector, an upload would make it search the whole heap several times, at
 * twice the cost of the upload, and would hold as much memory as it lets accumulate.
 */
function free({ buffer, byteLength }: Buffer): void {
	// Small pieces may share their memory with others.
	if (byteLength >= SMALL_PIECE_BYTES && byteLength === buffer.byteLength && buffer instanceof ArrayBuffer)
		buffer.transfer(0);
}

function watchHangUp(response: ServerResponse): AbortSignal {
	const hangUp = new AbortController();
	const end = () => {
		if (!response.writableFinished) hangUp.abort(new Error("the client hung up"));
	};
	if (response.closed) end();
	else response.once("close", end);
	return hangUp.signal;
}

/** Node drops repetitions of some headers; here they are kept, joined by a comma. */
class NodeHeaders implements IncomingHeaders {
	readonly #message: IncomingMessage;

	constructor(message: IncomingMessage) {
		this.#message = message;
	}

	get(name: string): string | null {
		if (this.#message.headers[name] === undefined) return null;
		const { rawHeaders } = this.#message;
		let value: string | null = null;
		for (let index = 0; index < rawHeaders.length; index += 2) {
			const given = rawHeaders[index] as string;
			if (given.length !== name.length || given.toLowerCase() !== name) continue;
			const next = rawHeaders[index + 1] as string;
			value = value === null ? next : `${value}, ${next}`;
		}
		return value;
	}

	has(name: string): boolean {
		return this.#message.headers[name] !== undefined;
	}

	*[Symbol.iterator](): Generator<[string, string]> {
		for (const name of Object.keys(this.#message.headers)) yield [name, this.get(name) ?? ""];
	}
}

let waiting: (() => void)[] = [];

/**
 * Requests whose bodies arrive within one turn of the event loop are processed together, step by step, which makes
 * better use of the CPU caches. One after the other, a trigger costs about 1.5 times as much.
 */
function resumeTogether(resume: () => void): void {
	if (waiting.length === 0) setImmediate(wake);
	waiting.push(resume);
}

function wake(): void {
	const together = waiting;
	waiting = [];
	for (const resume of together) resume();
}

/** A request target is a path, or an absolute URL whose host takes precedence (RFC 9112, section 3.2.2). */
function buildUrl({ url = "/", headers }: IncomingMessage): string {
	if (url.startsWith("/")) return `http://${headers.host ?? ""}${url}`;
	return /^https?:\/\//i.test(url) ? url : `http://${headers.host ?? ""}/${url}`;
}
