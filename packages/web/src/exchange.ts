/** What an app reads of a request. A listener that has something lighter than a web-standard one passes that. */
export interface Incoming {
	readonly method: string;
	/** Absolute. */
	readonly url: string;
	readonly headers: IncomingHeaders;
	/** From another part of the same process, so that it is a detail of a request that is logged already. */
	readonly isInternal?: boolean;
	/** Where it comes from, as far as the listener knows. */
	readonly address?: string | undefined;
	/** Aborted when the caller hangs up before the answer is whole. */
	readonly signal?: AbortSignal | undefined;
	/** The body, or a `TooLong` as soon as it is known to be longer than `most`. */
	bytes(most: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** Of `Headers` what is read. Names are in lower case. */
export interface IncomingHeaders extends Iterable<[string, string]> {
	get(name: string): string | null;
	has(name: string): boolean;
}

/** What an app answers. */
export interface Outgoing {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	/** A stream where the answer was made as a web-standard one. */
	readonly body: string | ReadableStream<Uint8Array> | null;
}

export class TooLong extends Error {
	override readonly name = "TooLong";
}

/** How much of an oversized body is read and dropped: a client that is still sending does not see an earlier answer. */
export const DROPPED_BYTES = 8 * 1024 * 1024;

export const incomingOf = (
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
});

/** Names must be in lower case. */
export const headersOf = (record: Readonly<Record<string, string>>): IncomingHeaders => ({
	get: (name) => record[name] ?? null,
	has: (name) => record[name] !== undefined,
	[Symbol.iterator]: () => Object.entries(record)[Symbol.iterator](),
});

/** Path and query of an absolute URL, without the cost of parsing the rest. */
export function targetOf(url: string): { path: string; search: string } {
	const pathStart = url.indexOf("/", url.indexOf("://") + 3);
	const hash = url.indexOf("#", pathStart);
	const end = hash === -1 ? url.length : hash;
	const question = url.indexOf("?", pathStart);
	if (question === -1 || question > end) return { path: url.slice(pathStart, end), search: "" };
	return { path: url.slice(pathStart, question), search: url.slice(question + 1, end) };
}

/** On every answer that leaves a service, unless it says otherwise: its type is meant, and no other origin embeds it. */
export const GUARDS = {
	"x-content-type-options": "nosniff",
	"cross-origin-resource-policy": "same-origin",
} as const;

export const responseOf = ({ status, headers, body }: Outgoing): Response =>
	new Response(body, { status, headers: { ...GUARDS, ...headers } });

export const outgoingOf = (response: Response): Outgoing => ({
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

/** Counts the bytes as they come, so that nothing is kept past the limit. */
async function readStream(
	body: ReadableStream<Uint8Array> | null,
	most: number,
): Promise<Uint8Array<ArrayBuffer>> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of body ?? []) {
		length += chunk.length;
		if (length <= most) chunks.push(chunk);
		else if (length > most + DROPPED_BYTES) break;
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
