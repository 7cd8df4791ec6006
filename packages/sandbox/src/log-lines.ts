const MAX_LINES = 100;
const MAX_BYTES = 8192;

/** The console output of user code, up to the limits. */
export class LogLines {
	readonly #lines: string[] = [];
	#bytesLeft = MAX_BYTES;
	#leftOut = 0;

	/** How many bytes of the next line are still kept. */
	get bytesLeft(): number {
		return this.#bytesLeft;
	}

	/** Adds the start of a line of `length` bytes. Returns whether there is room for more lines. */
	add(line: string, length: number): boolean {
		this.#lines.push(length > this.#bytesLeft ? `${line}…` : line);
		this.#bytesLeft -= Math.min(length, this.#bytesLeft);
		return this.#lines.length < MAX_LINES && this.#bytesLeft > 0;
	}

	skipLine(): void {
		this.#leftOut += 1;
	}

	get all(): readonly string[] {
		const note = this.#leftOut === 1 ? "1 more line omitted" : `${this.#leftOut} more lines omitted`;
		return this.#leftOut === 0 ? this.#lines : [...this.#lines, `… ${note}`];
	}
}
