const FIRST_BYTES = 1_024;

/** Joins pieces in one buffer: a sender may cut a text into single bytes, and each piece would cost more than its bytes. */
export class CollectedBytes {
	#buffer = new Uint8Array();
	#length = 0;

	get length(): number {
		return this.#length;
	}

	add(piece: Uint8Array): void {
		const length = this.#length + piece.length;
		if (length > this.#buffer.length) {
			const larger = new Uint8Array(Math.max(length, this.#buffer.length * 2, FIRST_BYTES));
			larger.set(this.#buffer.subarray(0, this.#length));
			this.#buffer = larger;
		}
		this.#buffer.set(piece, this.#length);
		this.#length = length;
	}

	/** Valid until more is added. */
	get bytes(): Uint8Array {
		return this.#buffer.subarray(0, this.#length);
	}
}
