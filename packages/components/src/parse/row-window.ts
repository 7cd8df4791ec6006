/** The rows that are wanted of a file or text. */
export interface WindowOptions {
	/** Default 0. */
	readonly offset?: number | undefined;
	/** Default all. */
	readonly limit?: number | undefined;
}

/** Counts rows, and says which of them are wanted. */
export class RowWindow {
	private seen = 0;
	private readonly offset: number;
	private readonly end: number;

	constructor({ offset = 0, limit = Number.POSITIVE_INFINITY }: WindowOptions) {
		this.offset = offset;
		this.end = offset + limit;
	}

	/** Whether the next row is wanted. */
	takeNext(): boolean {
		return this.seen++ >= this.offset && this.seen <= this.end;
	}

	/** Whether no further row is wanted. */
	get isOver(): boolean {
		return this.seen >= this.end;
	}
}
