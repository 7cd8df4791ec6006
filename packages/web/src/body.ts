import { Failed } from "@tripline/contract/failures";
import { unstorable } from "@tripline/contract/json";

/** How much of an oversized body is read and dropped. */
const DROPPED_BYTES = 8 * 1024 * 1024;

const decoder = new TextDecoder("utf-8", { fatal: true });

/** The request's JSON body: at most `maxBytes`, valid UTF-8, not too deep, storable on every database. */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
	const value = parse(await readBytes(request, maxBytes).catch(asUnreadable));
	const problem = unstorable(value);
	if (problem !== null) throw new Failed({ kind: "bad_request", message: problem });
	return value;
}

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
	const declared = request.headers.get("content-length");
	if (declared === null || !(Number(declared) <= maxBytes)) return readStream(request.body, maxBytes);
	const bytes = new Uint8Array(await request.arrayBuffer());
	if (bytes.length > maxBytes) throw tooLarge(maxBytes);
	return bytes;
}

/**
 * Counts the bytes as they come, so that nothing is kept past the limit. Some of what lies past it is read and dropped:
 * a client that is still sending when the connection closes does not see the answer.
 */
async function readStream(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of body ?? []) {
		length += chunk.length;
		if (length <= maxBytes) chunks.push(chunk);
		else if (length > maxBytes + DROPPED_BYTES) break;
	}
	if (length > maxBytes) throw tooLarge(maxBytes);
	const bytes = new Uint8Array(length);
	let offset = 0;
	for (const chunk of chunks) {
		bytes.set(chunk, offset);
		offset += chunk.length;
	}
	return bytes;
}

const tooLarge = (maxBytes: number): Failed =>
	new Failed({ kind: "too_large", message: `the body is larger than ${maxBytes} bytes` });

/** The client hung up, or broke its own encoding. */
function asUnreadable(error: unknown): never {
	if (error instanceof Failed) throw error;
	throw new Failed({ kind: "bad_request", message: "the body could not be read" });
}

function parse(bytes: Uint8Array): unknown {
	try {
		return JSON.parse(decoder.decode(bytes));
	} catch {
		throw new Failed({ kind: "bad_request", message: "invalid json" });
	}
}
