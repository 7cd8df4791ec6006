const K = computeRoundConstants();

/**
 * SHA-256 as hexadecimal text. The platform's implementation is asynchronous, but templates are resolved synchronously.
 */
export function sha256Hex(bytes: Uint8Array): string {
	const blocks = padMessage(bytes);
	const state = Uint32Array.of(
		0x6a09e667,
		0xbb67ae85,
		0x3c6ef372,
		0xa54ff53a,
		0x510e527f,
		0x9b05688c,
		0x1f83d9ab,
		0x5be0cd19,
	);
	const schedule = new Uint32Array(64);
	for (let offset = 0; offset < blocks.byteLength; offset += 64) mix(state, schedule, blocks, offset);
	return Array.from(state, (word) => word.toString(16).padStart(8, "0")).join("");
}

function padMessage(bytes: Uint8Array): DataView {
	const length = (((bytes.length + 8) >> 6) + 1) << 6;
	const block = new Uint8Array(length);
	block.set(bytes);
	block[bytes.length] = 0x80;
	const view = new DataView(block.buffer);
	view.setUint32(length - 8, Math.floor(bytes.length / 0x20000000));
	view.setUint32(length - 4, (bytes.length << 3) >>> 0);
	return view;
}

function mix(state: Uint32Array, w: Uint32Array, blocks: DataView, offset: number): void {
	for (let i = 0; i < 16; i++) w[i] = blocks.getUint32(offset + i * 4);
	for (let i = 16; i < 64; i++) {
		const x = w[i - 15] as number;
		const y = w[i - 2] as number;
		const small0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
		const small1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
		w[i] = (w[i - 16] as number) + small0 + (w[i - 7] as number) + small1;
	}
	let [a, b, c, d, e, f, g, h] = state as unknown as [
		number,
		number,
		number,
		number,
		number,
		number,
		number,
		number,
	];
	for (let i = 0; i < 64; i++) {
		const big1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
		const t1 = (h + big1 + ((e & f) ^ (~e & g)) + (K[i] as number) + (w[i] as number)) | 0;
		const big0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
		const t2 = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
		h = g;
		g = f;
		f = e;
		e = (d + t1) | 0;
		d = c;
		c = b;
		b = a;
		a = (t1 + t2) | 0;
	}
	for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] as number) + word;
}

function rotate(word: number, by: number): number {
	return (word >>> by) | (word << (32 - by));
}

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
function computeRoundConstants(): Uint32Array {
	const constants = new Uint32Array(64);
	let found = 0;
	for (let candidate = 2; found < 64; candidate++) {
		let divisor = 2;
		while (divisor * divisor <= candidate && candidate % divisor !== 0) divisor++;
		if (divisor * divisor > candidate) constants[found++] = (Math.cbrt(candidate) % 1) * 0x100000000;
	}
	return constants;
}
