/** The parts of a request that an app reads. A listener may pass something lighter than a web-standard request. */
export interface Incoming {
	readonly method: string;
	/** Absolute. */
	readonly url: string;
	readonly headers: IncomingHeaders;
	/** Sent by another part of the same process, for a request that is already logged. */
	readonly isInternal?: boolean;
	/** The client's address, if the listener knows it. */
	readonly address?: string | undefined;
	/** Aborted when the client disconnects before the response is complete. */
	readonly signal?: AbortSignal | undefined;
	/** Reads the body; throws `TooLong` if it is longer than `most`. */
	bytes(most: number): Promise<Uint8Array<ArrayBuffer>>;
	/**
	 * The body in pieces, read no faster than they are taken. A piece is valid until the next one is asked for: its memory
	 * may then be freed. Throws `TooLong` as soon as the body is longer than `most`, and if the client disconnects before
	 * its end. Either this or `bytes` may be called, once.
	 */
	stream(most: number): AsyncIterable<Uint8Array>;
}

/** The part of `Headers` that is used. Names are in lower case. */
export interface IncomingHeaders extends Iterable<[string, string]> {
	get(name: string): string | null;
	has(name: string): boolean;
}

/** An app's response. */
export interface Outgoing {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	/** A stream if it comes from a web-standard response. */
	readonly body: string | ReadableStream<Uint8Array> | null;
}

export class TooLong extends Error {
	override readonly name = "TooLong";
}

/** How much of an oversized body is read and discarded: a client that is still sending does not see the response. */
export const MAX_DROPPED_BYTES = 8 * 1024 * 1024;

export const toIncoming = (
	request: Request,
	known: Pick<Incoming, "isInternal" | "address"> = {},
): Incoming => ({
	...known,
	method: request.method,
	url: request.url,
	headers: request.headers,
	get signal() {
		return request.signal;
	},
	bytes: (most) => readBytes(request, most),
	stream: (most) => streamBytes(request, most),
});

/** Names must be in lower case. */
export const toIncomingHeaders = (record: Readonly<Record<string, string>>): IncomingHeaders => ({
	get: (name) => record[name] ?? null,
	has: (name) => record[name] !== undefined,
	[Symbol.iterator]: () => Object.entries(record)[Symbol.iterator](),
});

/** Path and query of an absolute URL, without the cost of parsing the rest. */
export function parseTarget(url: string): { path: string; search: string } {
	const pathStart = url.indexOf("/", url.indexOf("://") + 3);
	const hash = url.indexOf("#", pathStart);
	const end = hash === -1 ? url.length : hash;
	const question = url.indexOf("?", pathStart);
	if (question === -1 || question > end) return { path: url.slice(pathStart, end), search: "" };
	return { path: url.slice(pathStart, question), search: url.slice(question + 1, end) };
}

/** Default headers of every response: no content type sniffing, no embedding by other origins. */
export const DEFAULT_HEADERS = {
	"x-content-type-options": "nosniff",
	"cross-origin-resource-policy": "same-origin",
} as const;

export const toResponse = ({ status, headers, body }: Outgoing): Response =>
	new Response(body, { status, headers: { ...DEFAULT_HEADERS, ...headers } });

export const responseToOutgoing = (response: Response): Outgoing => ({
	status: response.status,
	headers: Object.fromEntries(response.headers),
	body: response.body,
});

async function readBytes(request: Request, most: number): Promise<Uint8Array<ArrayBuffer>> {
	const declared = request.headers.get("content-length");
	if (declared === null || !(Number(declared) <= most)) return readStream(request.body, most);
	const bytes = new Uint8Array(await request.arrayBuffer());
	if (bytes.length > most) throw new TooLong();
	return bytes;
}

/** Whether the length that the sender declares is above the limit. */
export const declaresMore = (headers: IncomingHeaders, most: number): boolean =>
	Number(headers.get("content-length") ?? 0) > most;

async function* streamBytes({ headers, body }: Request, most: number): AsyncGenerator<Uint8Array> {
	if (declaresMore(headers, most)) throw new TooLong();
	let length = 0;
	for await (const chunk of readPieces(body)) {
		length += chunk.length;
		if (length > most) throw new TooLong();
		yield chunk;
	}
}

/** A Worker reads 4 KiB at a time unless it is given a larger buffer. */
const PIECE_BYTES = 64 * 1024;

async function* readPieces(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
	const reader = body === null ? null : openByteReader(body);
	if (reader === null) {
		yield* body ?? [];
		return;
	}
	let isRead = false;
	try {
		for (;;) {
			const { done, value } = await reader.read(new Uint8Array(PIECE_BYTES));
			isRead = done;
			if (done) return;
			yield value;
		}
	} finally {
		// Frees the connection when nobody reads the rest.
		if (!isRead) await reader.cancel().catch(() => {});
	}
}

/** Null if the stream is not one of bytes. */
export function openByteReader(body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | null {
	try {
		return body.getReader({ mode: "byob" });
	} catch {
		return null;
	}
}

/** Counts the bytes as they arrive, so that nothing beyond the limit is kept. */
export async function readStream(
	body: AsyncIterable<Uint8Array> | null,
	most: number,
): Promise<Uint8Array<ArrayBuffer>> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of body ?? []) {
		length += chunk.length;
		if (length <= most) chunks.push(chunk);
		else if (length > most + MAX_DROPPED_BYTES) break;
	}
	if (length > most) throw new TooLong();
	const bytes = new Uint8Array(length);
	let offset = 0;
	for (const chunk of chunks) {
		bytes.set(chunk, offset);
		offset += chunk.length;
	}
	return bytes;
}
