/** The characters of RFC 2046; a boundary must not end with a space. */
const BOUNDARY = /^[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]$/;

const CR = 13;

const encoder = new TextEncoder();

/** What separates the parts of a multipart body: a line break, two dashes and the boundary. */
export class Delimiter {
	readonly bytes: Uint8Array;
	/** By the last byte of a window: how far the next window is that may hold the delimiter. */
	readonly #shifts: Uint8Array;

	private constructor(bytes: Uint8Array) {
		this.bytes = bytes;
		const { length } = bytes;
		this.#shifts = new Uint8Array(256).fill(length);
		for (let at = 0; at < length - 1; at++) this.#shifts[bytes[at] as number] = length - 1 - at;
	}

	/** Null if this cannot be a boundary. */
	static create(boundary: string | undefined): Delimiter | null {
		if (boundary === undefined || !BOUNDARY.test(boundary)) return null;
		return new Delimiter(encoder.encode(`\r\n--${boundary}`));
	}

	get length(): number {
		return this.bytes.length;
	}

	/**
	 * The first position of the whole delimiter, or -1 (Horspool's search). Linear whatever the bytes are: a comparison
	 * starts only at a carriage return, of which the delimiter holds one, so that no comparison overlaps another.
	 */
	find(bytes: Uint8Array): number {
		const shifts = this.#shifts;
		const last = this.bytes.length - 1;
		const end = bytes.length - last;
		let at = 0;
		while (at < end) {
			if (bytes[at] === CR && this.#countMatching(bytes, at) > last) return at;
			at += shifts[bytes[at + last] as number] as number;
		}
		return -1;
	}

	/** Where a delimiter may begin whose rest has not arrived; the length of the bytes if nowhere. */
	findBegun(bytes: Uint8Array): number {
		for (let at = Math.max(0, bytes.length - this.length + 1); at < bytes.length; at++)
			if (bytes[at] === CR && this.#countMatching(bytes, at) === bytes.length - at) return at;
		return bytes.length;
	}

	/** How many bytes from a position on are those of the delimiter. */
	#countMatching(bytes: Uint8Array, at: number): number {
		const most = Math.min(this.bytes.length, bytes.length - at);
		let count = 0;
		while (count < most && bytes[at + count] === this.bytes[count]) count++;
		return count;
	}
}
