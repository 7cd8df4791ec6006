import { Failed } from "@tripline/contract/failures";
import { unstorable } from "@tripline/contract/json";

const decoder = new TextDecoder("utf-8", { fatal: true });

/** The request's JSON body: at most `maxBytes`, valid UTF-8, not too deep, storable on every database. */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
	const value = parse(await readBytes(request, maxBytes));
	const problem = unstorable(value);
	if (problem !== null) throw new Failed({ kind: "bad_request", message: problem });
	return value;
}

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
	const declared = request.headers.get("content-length");
	if (declared === null) return readStream(request.body, maxBytes);
	if (!(Number(declared) <= maxBytes)) throw tooLarge(maxBytes);
	const bytes = new Uint8Array(await request.arrayBuffer());
	if (bytes.length > maxBytes) throw tooLarge(maxBytes);
	return bytes;
}

/** Without a declared length the bytes are counted as they come, so that nothing is buffered past the limit. */
async function readStream(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of body ?? []) {
		length += chunk.length;
		if (length > maxBytes) throw tooLarge(maxBytes);
		chunks.push(chunk);
	}
	const bytes = new Uint8Array(length);
	let offset = 0;
	for (const chunk of chunks) {
		bytes.set(chunk, offset);
		offset += chunk.length;
	}
	return bytes;
}

function parse(bytes: Uint8Array): unknown {
	try {
		return JSON.parse(decoder.decode(bytes));
	} catch {
		throw new Failed({ kind: "bad_request", message: "invalid json" });
	}
}

const tooLarge = (maxBytes: number): Failed =>
	new Failed({ kind: "too_large", message: `the body is larger than ${maxBytes} bytes` });
