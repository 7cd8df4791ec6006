import { TerminalError } from "@tripline/engine/terminal-error";
import { updateCrc32 } from "./crc32.ts";
import {
	buildDescriptor,
	buildDirectoryEntry,
	buildEnd,
	buildLocalHeader,
	toDosTime,
	type WrittenEntry,
} from "./zip-records.ts";

/**
 * An entry of a zip file. Compressed entries are written as they are made, with their sizes behind them. A reader of a
 * stream could not find the end of a stored one that way, so its size and checksum must be known.
 */
export interface ZipEntry {
	/** A relative path with `/`. */
	readonly path: string;
	/** Size before compression, if it is known. An entry of unknown size must be below 4 GiB. */
	readonly size?: number;
	/** Set if the entry is not to be compressed. */
	readonly stored?: { readonly size: number; readonly crc32: number };
	readonly content: AsyncIterable<Uint8Array>;
}

interface ZipOptions {
	/** The time of all entries, in milliseconds. */
	readonly time: number;
	/** Sizes, offsets and numbers of entries from here on need the zip64 format. Tests use a low one. */
	readonly zip64From?: { readonly bytes: number; readonly entries: number };
}

const ZIP64_FROM = { bytes: 0xffff_ffff, entries: 0xffff };
/** Writes a zip file. Its memory does not depend on the sizes of the entries. */
export async function* writeZip(
	entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
	{ time, zip64From = ZIP64_FROM }: ZipOptions,
): AsyncGenerator<Uint8Array> {
	const encoder = new TextEncoder();
	const stamp = toDosTime(time);
	const written: WrittenEntry[] = [];
	let offset = 0;
	for await (const entry of entries) {
		const name = encoder.encode(entry.path);
		const size = entry.stored?.size ?? entry.size ?? 0;
		// Compression may enlarge what it cannot compress, by less than one part in a thousand.
		const isZip64 = size + size / 1000 + 64 >= zip64From.bytes;
		const start = offset;
		const count = { crc32: 0, size: 0, compressedSize: 0 };
		yield pass(buildLocalHeader(name, stamp, isZip64, entry.stored));
		const counted = countBytes(entry.content, count);
		for await (const piece of entry.stored === undefined ? deflate(counted) : counted) {
			count.compressedSize += piece.length;
			yield pass(piece);
		}
		if (!isZip64 && Math.max(count.size, count.compressedSize) >= zip64From.bytes)
			throw new TerminalError("a part of the file is larger than 4 GiB; make several files");
		if (entry.stored === undefined) yield pass(buildDescriptor(count, isZip64));
		else if (count.size !== entry.stored.size || count.crc32 !== entry.stored.crc32)
			throw new Error("a file changed while it was read");
		written.push({ name, isStored: entry.stored !== undefined, isZip64, ...count, offset: start });
	}
	const directoryStart = offset;
	for (const entry of written) yield pass(buildDirectoryEntry(entry, stamp, zip64From.bytes));
	yield buildEnd(written.length, { start: directoryStart, end: offset }, zip64From);

	function pass(piece: Uint8Array): Uint8Array {
		offset += piece.length;
		return piece;
	}
}

async function* countBytes(
	content: AsyncIterable<Uint8Array>,
	count: { crc32: number; size: number },
): AsyncGenerator<Uint8Array> {
	for await (const piece of content) {
		count.crc32 = updateCrc32(count.crc32, piece);
		count.size += piece.length;
		yield piece;
	}
}

async function* deflate(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	const { readable, writable } = new CompressionStream("deflate-raw");
	const reader = readable.getReader();
	const feeding = feed(content, writable);
	// Its failure is thrown below, also if reading fails first.
	feeding.catch(() => {});
	try {
		for (;;) {
			const { done, value } = await reader.read().catch(async (error: unknown) => {
				await feeding;
				throw error;
			});
			if (done) break;
			yield value;
		}
		await feeding;
	} finally {
		// If the consumer has stopped, the content must be closed before this returns.
		await reader.cancel().catch(() => {});
		await feeding.catch(() => {});
	}
}

async function feed(content: AsyncIterable<Uint8Array>, writable: CompressionStream["writable"]) {
	const writer = writable.getWriter();
	// Failures are reported by `write`, too.
	writer.closed.catch(() => {});
	try {
		for await (const piece of content) await writer.write(piece as Uint8Array<ArrayBuffer>);
		await writer.close();
	} catch (error) {
		await writer.abort(error).catch(() => {});
		throw error;
	}
}
