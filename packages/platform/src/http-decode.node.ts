import { pipeline } from "node:stream";
import {
	type BrotliOptions,
	brotliDecompress,
	createBrotliDecompress,
	createGunzip,
	createInflate,
	createInflateRaw,
	createZstdDecompress,
	gunzip,
	inflate,
	inflateRaw,
	type ZlibOptions,
	type ZstdOptions,
	zstdDecompress,
} from "node:zlib";
import { parseEncodings } from "./http-checks.ts";
import { decodingError, encodingError, tooLargeError } from "./http-errors.ts";

type Options = ZlibOptions & BrotliOptions & ZstdOptions;
type Decoder = (
	data: Uint8Array,
	options: Options,
	done: (error: Error | null, result: Uint8Array) => void,
) => void;

const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
	["gzip", gunzip],
	["br", brotliDecompress],
	["zstd", zstdDecompress],
	["deflate", (data, ...rest) => (hasZlibHeader(data) ? inflate : inflateRaw)(data, ...rest)],
]);

type CreateDecoder = (start: Uint8Array) => NodeJS.ReadWriteStream;

const STREAM_DECODERS: ReadonlyMap<string, CreateDecoder> = new Map<string, CreateDecoder>([
	["gzip", () => createGunzip()],
	["br", () => createBrotliDecompress()],
	["zstd", () => createZstdDecompress()],
	["deflate", (start) => (hasZlibHeader(start) ? createInflate() : createInflateRaw())],
]);

/** Some servers omit the two-byte zlib header of deflate. */
const hasZlibHeader = (data: Uint8Array): boolean => ((data[0] ?? 0) & 15) === 8;

export const ACCEPTED_ENCODINGS = "gzip, deflate, br, zstd";
/** More layers indicate an attack. */
const MAX_LAYERS = 3;

/** Throws if a body with these encodings cannot be decoded. */
export function checkEncodings(header: string, host: string): void {
	const names = parseEncodings(header);
	if (names.length > MAX_LAYERS || !names.every((name) => DECODERS.has(name))) {
		throw encodingError(host, header);
	}
}

/** Stops once the result exceeds `maxBytes`. */
export async function decodeBody(
	body: Uint8Array,
	header: string,
	host: string,
	maxBytes: number,
): Promise<Uint8Array> {
	let data = body;
	for (const name of parseEncodings(header).reverse()) {
		data = await decodeOnce(DECODERS.get(name) as Decoder, data, host, maxBytes);
	}
	return data;
}

/** Like `decodeBody`, without a limit. */
export function decodeStream(
	content: AsyncIterableIterator<Uint8Array>,
	header: string,
	host: string,
): AsyncIterableIterator<Uint8Array> {
	let data = content;
	for (const name of parseEncodings(header).reverse()) data = decodeLayer(data, name, host);
	return data;
}

async function* decodeLayer(
	content: AsyncIterableIterator<Uint8Array>,
	name: string,
	host: string,
): AsyncGenerator<Uint8Array, undefined> {
	const first = await content.next();
	if (first.done === true) return;
	const decoder = STREAM_DECODERS.get(name)?.(first.value);
	if (decoder === undefined) throw encodingError(host, name);
	const decoded = pipeline(startWith(first.value, content), decoder, () => {});
	try {
		for await (const chunk of decoded) yield chunk as Buffer;
	} catch {
		// If the connection failed, the call has that error already.
		throw decodingError(host);
	}
}

async function* startWith(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	yield first;
	yield* rest;
}

function decodeOnce(decoder: Decoder, data: Uint8Array, host: string, maxBytes: number): Promise<Uint8Array> {
	return new Promise((resolve, reject) => {
		decoder(data, { maxOutputLength: Math.max(1, maxBytes), chunkSize: 64 * 1024 }, (error, result) => {
			if (error === null) {
				resolve(new Uint8Array(result.buffer, result.byteOffset, result.byteLength));
			} else {
				const isTooLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
				reject(isTooLarge ? tooLargeError(host, maxBytes) : decodingError(host));
			}
		});
	});
}
