/** Of one buffer: pdf.js decompresses each stream into one, and a small stream can become any size. */
const MAX_BUFFER_BYTES = 32 * 1024 * 1024;

/**
 * In place of `Uint8Array` for pdf.js: in its thread on Node, and by the bundler on Workers. Limits of a thread's memory do
 * not count buffers, and Workers end the whole isolate.
 */
export const LimitedUint8Array: Uint8ArrayConstructor = new Proxy(Uint8Array, {
	construct(target, given: [number], self) {
		if (typeof given[0] === "number" && given[0] > MAX_BUFFER_BYTES)
			throw new RangeError("a buffer for the PDF would be too large");
		return Reflect.construct(target, given, self);
	},
});
