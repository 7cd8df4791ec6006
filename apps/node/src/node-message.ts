import type { IncomingMessage, ServerResponse } from "node:http";
import type { Turns } from "@tripline/platform/turns";
import {
	DEFAULT_HEADERS,
	type Incoming,
	type IncomingHeaders,
	MAX_DROPPED_BYTES,
	type Outgoing,
	TooLong,
} from "@tripline/web/http-message";

export interface ListenerOptions {
	/** A trusted proxy in front sets the client's address. */
	readonly trustProxy?: boolean;
	/** Large bodies are read in their sender's turn. Omitted: at once. */
	readonly turns?: Turns | undefined;
	/** False only where a benchmark measures what it saves. */
	readonly answersTogether?: boolean | undefined;
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
	return (message: IncomingMessage, response: ServerResponse): void => {
		answer(new NodeRequest(message, response, options)).then(
			(outgoing) => write(outgoing, response).catch(() => response.destroy()),
			(error: unknown) => {
				onError(error);
				response.destroy();
			},
		);
	};
}

class NodeRequest implements Incoming {
	readonly method: string;
	readonly url: string;
	readonly headers: IncomingHeaders;
	readonly #message: IncomingMessage;
	readonly #response: ServerResponse;
	readonly #options: ListenerOptions;
	#signal: AbortSignal | undefined;

	constructor(message: IncomingMessage, response: ServerResponse, options: ListenerOptions) {
		this.#message = message;
		this.#response = response;
		this.#options = options;
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
			const chunks: Buffer<ArrayBuffer>[] = [];
			let length = 0;
			message.on("data", (chunk: Buffer<ArrayBuffer>) => {
				length += chunk.length;
				if (length <= maxBytes) chunks.push(chunk);
				else if (length > maxBytes + MAX_DROPPED_BYTES) {
					message.pause();
					reject(new TooLong());
				}
			});
			message.on("end", () => {
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
				if (!message.complete) reject(new Error("the client hung up"));
			});
		});
	}
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

async function write({ status, headers, body }: Outgoing, response: ServerResponse): Promise<void> {
	if (body === null || typeof body === "string") {
		const text = body ?? "";
		// Statuses without a body must not have a content-length.
		const isBodiless = body === null && (status === 204 || status === 304);
		response.writeHead(
			status,
			isBodiless
				? { ...DEFAULT_HEADERS, ...headers }
				: { ...DEFAULT_HEADERS, ...headers, "content-length": Buffer.byteLength(text) },
		);
		response.end(text);
		return;
	}
	response.writeHead(status, { ...DEFAULT_HEADERS, ...headers });
	for await (const chunk of body) {
		if (response.destroyed) break;
		if (!response.write(chunk)) await waitForDrain(response);
	}
	response.end();
}

const waitForDrain = (response: ServerResponse): Promise<void> =>
	new Promise((resolve) => {
		response.once("drain", resolve);
		response.once("close", resolve);
	});
