const MAX_LINES = 100;
const MAX_BYTES = 8192;

/** What code of users wrote to the console, as much as is kept of it. */
export class LogLines {
	readonly #lines: string[] = [];
	#bytesLeft = MAX_BYTES;
	#leftOut = 0;

	/** How much of the next line is worth reading. */
	get bytesLeft(): number {
		return this.#bytesLeft;
	}

	/** The first part of a line that is `length` bytes long. Whether there is room for more. */
	add(line: string, length: number): boolean {
		this.#lines.push(length > this.#bytesLeft ? `${line}…` : line);
		this.#bytesLeft -= Math.min(length, this.#bytesLeft);
		return this.#lines.length < MAX_LINES && this.#bytesLeft > 0;
	}

	leaveOut(): void {
		this.#leftOut += 1;
	}

	get all(): readonly string[] {
		const note =
			this.#leftOut === 1 ? "1 more line was left out" : `${this.#leftOut} more lines were left out`;
		return this.#leftOut === 0 ? this.#lines : [...this.#lines, `… ${note}`];
	}
}
