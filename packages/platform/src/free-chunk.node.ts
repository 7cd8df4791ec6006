/** Smaller chunks may share their memory with others, and are not worth freeing. */
const MIN_FREED_BYTES = 4096;

/**
 * Frees a chunk's memory at once, if nothing else is in it. Left to the garbage collector, a stream would hold as much
 * memory as that lets accumulate.
 */
export function freeChunk({ buffer, byteLength }: Uint8Array): void {
	if (byteLength >= MIN_FREED_BYTES && byteLength === buffer.byteLength && buffer instanceof ArrayBuffer)
		buffer.transfer(0);
}
