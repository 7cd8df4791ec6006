import { type FileHandle, open } from "node:fs/promises";
import { BlobTooLarge, type ByteRange } from "./blobs.ts";

/** Two buffers of this size per file being written: one fills while the other is written. */
const WRITE_BUFFER_BYTES = 131_072;
const READ_BYTES = 131_072;

/** Copies into two buffers, so that many small pieces cost few writes and memory does not depend on the sender. */
export async function writePieces(
	handle: FileHandle,
	content: AsyncIterable<Uint8Array>,
	maxBytes: number,
): Promise<number> {
	let filling: Buffer = Buffer.allocUnsafeSlow(WRITE_BUFFER_BYTES);
	let spare: Buffer | null = null;
	let filled = 0;
	let size = 0;
	let writing: Promise<void> = Promise.resolve();
	try {
		for await (const piece of content) {
			size += piece.length;
			if (size > maxBytes) throw new BlobTooLarge(`must be at most ${maxBytes} bytes`);
			for (let at = 0; at < piece.length; ) {
				const length = Math.min(piece.length - at, WRITE_BUFFER_BYTES - filled);
				filling.set(piece.subarray(at, at + length), filled);
				at += length;
				filled += length;
				if (filled === WRITE_BUFFER_BYTES) {
					await writing;
					const full = filling;
					writing = writeBuffer(handle, full, filled);
					// It is awaited before the next write; a failure meanwhile must not count as unhandled.
					writing.catch(() => {});
					filling = spare ?? Buffer.allocUnsafeSlow(WRITE_BUFFER_BYTES);
					spare = full;
					filled = 0;
				}
			}
		}
	} finally {
		await writing;
	}
	await writeBuffer(handle, filling, filled);
	return size;
}

async function writeBuffer(handle: FileHandle, buffer: Buffer, length: number): Promise<void> {
	for (let at = 0; at < length; ) {
		const { bytesWritten } = await handle.write(buffer, at, length - at);
		at += bytesWritten;
	}
}

/** Reads into the reader's own memory where it offers some, so that a download can do without garbage. */
export async function readRange(
	handle: FileHandle,
	size: number,
	{ start = 0, end = size }: ByteRange = {},
): Promise<ReadableStream<Uint8Array>> {
	const last = Math.min(end, size);
	let at = start;
	if (at >= last) {
		await handle.close();
		return new ReadableStream({ type: "bytes", start: (controller) => controller.close() });
	}
	return new ReadableStream({
		type: "bytes",
		async pull(controller) {
			try {
				const view = controller.byobRequest?.view ?? null;
				const length = Math.min(view?.byteLength ?? READ_BYTES, last - at);
				const buffer =
					view === null ? Buffer.allocUnsafeSlow(length) : Buffer.from(view.buffer, view.byteOffset, length);
				const { bytesRead } = await handle.read(buffer, 0, length, at);
				if (bytesRead === 0) throw shorterError();
				at += bytesRead;
				if (at === last) await handle.close();
				if (view === null) controller.enqueue(buffer.subarray(0, bytesRead));
				else controller.byobRequest?.respond(bytesRead);
				if (at === last) controller.close();
			} catch (error) {
				await handle.close();
				throw error;
			}
		},
		cancel: () => handle.close(),
	});
}

/** Reads as many bytes as the file had when it was opened. The caller closes it. */
export async function* readPieces(handle: FileHandle, size: number): AsyncGenerator<Uint8Array> {
	for (let at = 0; at < size; ) {
		const length = Math.min(READ_BYTES, size - at);
		const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafeSlow(length), 0, length, at);
		if (bytesRead === 0) throw shorterError();
		at += bytesRead;
		yield buffer.subarray(0, bytesRead);
	}
}

const shorterError = () => new Error("a file is shorter than it was when it was opened");

/** A rename survives a power loss only once its folder is synced. Windows cannot open folders. */
export async function syncFolder(folder: string): Promise<void> {
	if (process.platform === "win32") return;
	const handle = await open(folder, "r");
	try {
		await handle.sync();
	} finally {
		await handle.close();
	}
}
