/**
 * A stored vector is the inverse of its length followed by one byte per dimension. The dot product of two such vectors
 * times their inverse lengths is their cosine similarity. Rounding to bytes costs no measurable quality.
 */
const SCALE_BYTES = 4;
const MAX_BYTE_VALUE = 127;

export const getStoredLength = (dimensions: number): number => SCALE_BYTES + dimensions;

/** Null for a vector that is all zeroes or not finite. */
export function quantise(vector: Float32Array): Uint8Array | null {
	const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
	if (!(largest > 0 && Number.isFinite(largest))) return null;
	const stored = new Uint8Array(getStoredLength(vector.length));
	const bytes = new Int8Array(stored.buffer, SCALE_BYTES);
	let squares = 0;
	for (const [at, value] of vector.entries()) {
		const rounded = Math.round((value / largest) * MAX_BYTE_VALUE);
		bytes[at] = rounded;
		squares += rounded * rounded;
	}
	new DataView(stored.buffer).setFloat32(0, 1 / Math.sqrt(squares), true);
	return stored;
}

/** The stored vector, normalised to length one. */
export function restore(stored: Uint8Array): Float32Array {
	const { scale, bytes } = splitStored(stored);
	return Float32Array.from(bytes, (value) => value * scale);
}

export function splitStored(stored: Uint8Array): { readonly scale: number; readonly bytes: Int8Array } {
	return {
		scale: new DataView(stored.buffer, stored.byteOffset).getFloat32(0, true),
		bytes: new Int8Array(stored.buffer, stored.byteOffset + SCALE_BYTES, stored.length - SCALE_BYTES),
	};
}
