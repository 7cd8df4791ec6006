import {
	type BrotliOptions,
	brotliDecompress,
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
	// Some servers omit the two-byte zlib header of deflate.
	["deflate", (data, ...rest) => (((data[0] ?? 0) & 15) === 8 ? inflate : inflateRaw)(data, ...rest)],
]);

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
