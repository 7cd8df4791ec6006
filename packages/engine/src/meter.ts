import { TerminalError } from "./terminal-error.ts";

/**
 * Work is counted in units: one value visited, or 64 characters read or written. A unit takes up to 25 nanoseconds;
 * slower work costs more units. The same work costs the same everywhere, even where the clock does not advance.
 */
const CHARACTERS_PER_UNIT = 64;

/** For one attempt of a node without yielding: 100 milliseconds for its parameters and expressions, and as much to run. */
export const MAX_NODE_UNITS = 5_000_000;

/** For reading and compiling one document: 150 milliseconds. */
export const MAX_DOCUMENT_UNITS = 6_000_000;

/** The deadline is checked after this many units, at most a millisecond. */
const CHECK_UNITS = 40_000;

/** Must not be caught inside an expression, and is not retried. */
export class TooMuchWork extends TerminalError {}

/** Bounds synchronous work: every loop over a caller's data spends from it. */
export class Meter {
	#left: number;
	/** The deadline is checked again once fewer units are left. */
	#lookBelow: number;
	#deadline: Deadline | null;
	#made = 0;

	constructor(units: number, deadline: Deadline | null = null) {
		this.#left = units;
		this.#lookBelow = Math.max(0, units - CHECK_UNITS);
		this.#deadline = deadline;
	}

	get left(): number {
		return this.#left;
	}

	/** Resets the units left and the bytes made. */
	restart(units: number, deadline: Deadline | null = this.#deadline): void {
		this.#left = units;
		this.#lookBelow = Math.max(0, units - CHECK_UNITS);
		this.#deadline = deadline;
		this.#made = 0;
	}

	/** Throws if no units are left or the deadline has passed. */
	spend(units: number): void {
		this.#left -= units;
		if (this.#left < this.#lookBelow) this.#look();
	}

	/** Counts newly allocated bytes; data that is only passed on does not count. May overestimate, must not underestimate. */
	recordBytes(bytes: number): void {
		this.#made += bytes;
	}

	/** Bytes made since the last call. */
	takeBytes(): number {
		const made = this.#made;
		this.#made = 0;
		return made;
	}

	/** For a string that is read or written once. */
	spendOnText(characters: number): void {
		this.spend(1 + characters / CHARACTERS_PER_UNIT);
	}

	#look(): void {
		if (this.#left < 0) throw new TooMuchWork(TOO_MUCH);
		this.#lookBelow = Math.max(0, this.#left - CHECK_UNITS);
		this.#deadline?.();
	}
}

/** Throws when the deadline has passed. */
export type Deadline = () => void;

const TOO_MUCH = "this takes too long to compute: use less data, or split the work over several nodes";
