import { toHex } from "@tripline/contract/bytes";

const BLOCK_BYTES = 64;

/** SHA-256 of content that is too large for memory, in hex. Web Crypto can only hash bytes that are there at once. */
export async function digestContent(content: AsyncIterable<Uint8Array>): Promise<string> {
	const hash = new Sha256();
	for await (const chunk of content) hash.update(chunk);
	return toHex(hash.digest());
}

/** FIPS 180-4. */
class Sha256 {
	readonly #state = Int32Array.from(INITIAL);
	readonly #words = new Int32Array(BLOCK_BYTES);
	readonly #block = new Uint8Array(BLOCK_BYTES);
	#filled = 0;
	#size = 0;

	update(bytes: Uint8Array): void {
		this.#size += bytes.length;
		let at = 0;
		if (this.#filled > 0) {
			at = Math.min(BLOCK_BYTES - this.#filled, bytes.length);
			this.#block.set(bytes.subarray(0, at), this.#filled);
			this.#filled += at;
			if (this.#filled < BLOCK_BYTES) return;
			this.#compress(this.#block, 0);
		}
		for (; at + BLOCK_BYTES <= bytes.length; at += BLOCK_BYTES) this.#compress(bytes, at);
		this.#block.set(bytes.subarray(at));
		this.#filled = bytes.length - at;
	}

	digest(): Uint8Array {
		const bits = this.#size * 8;
		const zeros = (2 * BLOCK_BYTES - 9 - this.#filled) % BLOCK_BYTES;
		const padding = new Uint8Array(1 + zeros + 8);
		padding[0] = 0x80;
		const length = new DataView(padding.buffer, 1 + zeros);
		length.setUint32(0, Math.floor(bits / 2 ** 32));
		length.setUint32(4, bits >>> 0);
		this.update(padding);
		const digest = new DataView(new ArrayBuffer(32));
		for (const [index, word] of this.#state.entries()) digest.setInt32(index * 4, word);
		return new Uint8Array(digest.buffer);
	}

	#compress(bytes: Uint8Array, at: number): void {
		const words = this.#words;
		for (let i = 0; i < 16; i++) {
			const from = at + i * 4;
			words[i] =
				(get(bytes, from) << 24) |
				(get(bytes, from + 1) << 16) |
				(get(bytes, from + 2) << 8) |
				get(bytes, from + 3);
		}
		for (let i = 16; i < BLOCK_BYTES; i++) {
			const before = get(words, i - 15);
			const after = get(words, i - 2);
			const first = rotate(before, 7) ^ rotate(before, 18) ^ (before >>> 3);
			const second = rotate(after, 17) ^ rotate(after, 19) ^ (after >>> 10);
			words[i] = (get(words, i - 16) + first + get(words, i - 7) + second) | 0;
		}
		const state = this.#state;
		let a = get(state, 0);
		let b = get(state, 1);
		let c = get(state, 2);
		let d = get(state, 3);
		let e = get(state, 4);
		let f = get(state, 5);
		let g = get(state, 6);
		let h = get(state, 7);
		for (let i = 0; i < BLOCK_BYTES; i++) {
			const choice = (e & f) ^ (~e & g);
			const first =
				(h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + get(ROUNDS, i) + get(words, i)) | 0;
			const majority = (a & b) ^ (a & c) ^ (b & c);
			const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority) | 0;
			h = g;
			g = f;
			f = e;
			e = (d + first) | 0;
			d = c;
			c = b;
			b = a;
			a = (first + second) | 0;
		}
		state[0] = get(state, 0) + a;
		state[1] = get(state, 1) + b;
		state[2] = get(state, 2) + c;
		state[3] = get(state, 3) + d;
		state[4] = get(state, 4) + e;
		state[5] = get(state, 5) + f;
		state[6] = get(state, 6) + g;
		state[7] = get(state, 7) + h;
	}
}

const get = (list: Uint8Array | Int32Array, index: number): number => list[index] as number;
const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** The first 64 primes. */
const PRIMES: readonly number[] = Array.from({ length: 312 }, (_, n) => n).filter(
	(n) => n > 1 && Array.from({ length: 16 }, (_, i) => i + 2).every((i) => i >= n || n % i !== 0),
);

/** The first 32 bits of the fractional part. */
const takeFraction = (value: number): number => ((value - Math.floor(value)) * 2 ** 32) | 0;

const INITIAL = PRIMES.slice(0, 8).map((prime) => takeFraction(Math.sqrt(prime)));
const ROUNDS = Int32Array.from(PRIMES, (prime) => takeFraction(Math.cbrt(prime)));
