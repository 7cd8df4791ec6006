import { TerminalError } from "@tripline/engine/terminal-error";
import type { OpenFile } from "../effects.ts";
import { updateCrc32 } from "../make-file/crc32.ts";
import { readBytes } from "./file-bytes.ts";
import type { ReadCall } from "./file-text.ts";
import { createView, LOCAL_HEADER_BYTES, type ZipEntry } from "./zip-directory.ts";

const LOCAL_HEADER = 0x04034b50;
const [STORED, DEFLATED] = [0, 8];
/** Given to the decompressor at a time: one that buffers all it can make of a piece holds at most 1,032 times as much. */
const COMPRESSED_PIECE_BYTES = 16_384;
/** Data that people compress rarely shrinks more than this; what is made to fill a memory or disk does. */
const MAX_RATIO = 250;
/** Below this size any ratio is harmless. */
const MIN_RATIO_BYTES = 4 * 1024 * 1024;
/** Decompressing and the checksum, in units of the meter for each byte. */
const UNITS_PER_BYTE = 1 / 12;

/**
 * The content of an entry in pieces, at most `maxBytes`. Fails if the content is not what the headers say: size and
 * checksum are known to be right only after the last piece.
 */
export async function* readZipEntry(
	file: OpenFile,
	entry: ZipEntry,
	maxBytes: number,
	call: ReadCall,
): AsyncGenerator<Uint8Array, void> {
	const { method, size, compressedSize } = entry;
	if (entry.isEncrypted) throw createEntryError(entry, "is encrypted, which is not supported");
	if (method !== STORED && method !== DEFLATED)
		throw createEntryError(entry, `uses the compression method ${method}; only deflate is supported`);
	if (size > maxBytes) throw createEntryError(entry, `has ${size} bytes; at most ${maxBytes} are read`);
	if (size > MIN_RATIO_BYTES && size > MAX_RATIO * compressedSize)
		throw createEntryError(
			entry,
			`would become more than ${MAX_RATIO} times as large as its compressed form`,
		);
	if (method === STORED && size !== compressedSize)
		throw createEntryError(entry, "is damaged: its sizes differ");

	const start = await findContent(file, entry);
	const stored = file.read({ start, end: start + compressedSize });
	let crc = 0;
	let count = 0;
	for await (const piece of method === STORED ? stored : inflate(stored, entry, call)) {
		count += piece.length;
		if (count > size) throw createEntryError(entry, "is larger than its header says");
		call.meter.spend(1 + UNITS_PER_BYTE * piece.length);
		crc = updateCrc32(crc, piece);
		yield piece;
		if (call.needsTurn) await call.turn();
	}
	if (count < size) throw createEntryError(entry, "is smaller than its header says");
	if (crc !== entry.crc) throw createEntryError(entry, "is damaged: its checksum is wrong");
}

/** Where the content begins, behind a header that repeats what the directory says. */
async function findContent(file: OpenFile, entry: ZipEntry): Promise<number> {
	const { start, nameBytes } = entry;
	const header = await readBytes(file, start, start + LOCAL_HEADER_BYTES + nameBytes.length);
	const view = createView(header);
	const isSame =
		view.getUint32(0, true) === LOCAL_HEADER &&
		view.getUint16(8, true) === entry.method &&
		view.getUint16(26, true) === nameBytes.length &&
		nameBytes.every((byte, at) => byte === header[LOCAL_HEADER_BYTES + at]);
	if (!isSame) throw createEntryError(entry, "is damaged: its header differs from the directory");
	return start + LOCAL_HEADER_BYTES + nameBytes.length + view.getUint16(28, true);
}

async function* inflate(
	compressed: AsyncIterable<Uint8Array>,
	entry: ZipEntry,
	call: ReadCall,
): AsyncGenerator<Uint8Array, void> {
	let failure: { readonly error: unknown } | null = null;
	const source = ReadableStream.from(split());
	const inflated = source.pipeThrough(new DecompressionStream("deflate-raw"), { signal: call.signal });
	try {
		yield* inflated;
	} catch (error) {
		call.signal.throwIfAborted();
		if (error instanceof TerminalError) throw error;
		if (failure !== null) throw (failure as { readonly error: unknown }).error;
		throw createEntryError(entry, "is damaged: it cannot be decompressed");
	}

	async function* split(): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
		try {
			for await (const piece of compressed)
				for (let at = 0; at < piece.length; at += COMPRESSED_PIECE_BYTES)
					// A copy: streams may detach what they are given.
					yield piece.slice(at, at + COMPRESSED_PIECE_BYTES);
		} catch (error) {
			failure = { error };
			throw error;
		}
	}
}

const MAX_SHOWN_CHARACTERS = 100;

const createEntryError = ({ path }: ZipEntry, what: string): TerminalError =>
	new TerminalError(`${path.slice(0, MAX_SHOWN_CHARACTERS)} in the archive ${what}`);
