const SLICES = 4;
const TABLE = createTable();

/** CRC-32 as zip files use it. Pass the result of one piece to continue with the next. */
export function updateCrc32(crc: number, bytes: Uint8Array): number {
	let state = ~crc;
	let at = 0;
	// Four bytes at a time take half as long as one at a time.
	for (const end = bytes.length - (SLICES - 1); at < end; at += SLICES) {
		state ^= byte(at) | (byte(at + 1) << 8) | (byte(at + 2) << 16) | (byte(at + 3) << 24);
		state =
			entry(3, state & 0xff) ^
			entry(2, (state >>> 8) & 0xff) ^
			entry(1, (state >>> 16) & 0xff) ^
			entry(0, state >>> 24);
	}
	for (; at < bytes.length; at++) state = entry(0, (state ^ byte(at)) & 0xff) ^ (state >>> 8);
	return ~state >>> 0;

	function byte(index: number): number {
		return bytes[index] as number;
	}
}

const entry = (slice: number, byte: number): number => TABLE[slice * 256 + byte] as number;

function createTable(): Int32Array {
	const table = new Int32Array(SLICES * 256);
	for (let byte = 0; byte < 256; byte++) {
		let crc = byte;
		for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
		table[byte] = crc;
	}
	for (let at = 256; at < table.length; at++) {
		const previous = table[at - 256] as number;
		table[at] = (previous >>> 8) ^ (table[previous & 0xff] as number);
	}
	return table;
}
