import { TerminalError } from "./component.ts";

/**
 * Work is counted in units: one value visited, or 64 characters read or written. A unit takes up to 25 nanoseconds;
 * what takes longer costs more units. The same work costs the same everywhere, also where the clock stands still.
 */
const CHARACTERS = 64;

/** What one try of a node may take without a turn: 100 milliseconds for its parameters and expressions, and as much to run. */
export const MAX_NODE_UNITS = 5_000_000;

/** What reading and compiling one document may take: 150 milliseconds. */
export const MAX_DOCUMENT_UNITS = 6_000_000;

/** After so many units, a millisecond at most, the deadline is looked at. */
const LOOK_UNITS = 40_000;

/** No part of an expression may hold it back, and no retry can help. */
export class TooMuchWork extends TerminalError {}

/** Bounds what is computed without a turn of the event loop: whoever loops over what a caller sent spends from it. */
export class Meter {
	#left: number;
	/** Below this the deadline is looked at again. */
	#lookBelow: number;
	#deadline: Deadline | null;
	#made = 0;

	constructor(units: number, deadline: Deadline | null = null) {
		this.#left = units;
		this.#lookBelow = Math.max(0, units - LOOK_UNITS);
		this.#deadline = deadline;
	}

	get left(): number {
		return this.#left;
	}

	/** Gives it that many units, whatever was left and made. */
	restart(units: number, deadline: Deadline | null = this.#deadline): void {
		this.#left = units;
		this.#lookBelow = Math.max(0, units - LOOK_UNITS);
		this.#deadline = deadline;
		this.#made = 0;
	}

	/** Throws when nothing is left, or when the deadline has passed. */
	spend(units: number): void {
		this.#left -= units;
		if (this.#left < this.#lookBelow) this.#look();
	}

	/** Notes that so many bytes of memory are new: what is only passed on is none. More than was made is fine, less is not. */
	make(bytes: number): void {
		this.#made += bytes;
	}

	/** What was made since this was asked last. */
	takeMade(): number {
		const made = this.#made;
		this.#made = 0;
		return made;
	}

	/** For text that is read or written once. */
	spendOnText(characters: number): void {
		this.spend(1 + characters / CHARACTERS);
	}

	#look(): void {
		if (this.#left < 0) throw new TooMuchWork(TOO_MUCH);
		this.#lookBelow = Math.max(0, this.#left - LOOK_UNITS);
		this.#deadline?.();
	}
}

/** Throws when the time is over. */
export type Deadline = () => void;

const TOO_MUCH = "this takes too long to compute: use less data, or split the work over several nodes";
