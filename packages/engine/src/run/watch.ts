import type { Deadline } from "../meter.ts";
import { createTimeoutError, TimedOut } from "./halt.ts";

/** Caches the clock: one reading after each attempt serves its duration, the next start and the deadline. */
export class Watch {
	now: number;
	private readonly clock: { now(): number };
	private readonly deadline: number;
	private readonly timeoutMs: number;
	/** The time of the past that is being replayed; null in the present. */
	private past: number | null = null;

	constructor(options: {
		readonly clock: { now(): number };
		readonly deadline: number;
		readonly timeoutMs: number;
	}) {
		this.clock = options.clock;
		this.deadline = options.deadline;
		this.timeoutMs = options.timeoutMs;
		this.now = this.clock.now();
	}

	read(): number {
		this.now = this.past ?? this.clock.now();
		return this.now;
	}

	/** The present, also while the past is being replayed. */
	readClock(): number {
		return this.clock.now();
	}

	/** Replays a moment of the past: delays and durations count from then. */
	stopAt(time: number): void {
		this.past = time;
		this.now = time;
	}

	/** Returns to the present. */
	go(): void {
		this.past = null;
		this.read();
	}

	get isOver(): boolean {
		return this.now > this.deadline;
	}

	/** For the meter of an attempt: ends the run after its deadline, or the attempt after its own. */
	createDeadline(startedAt: number, timeoutMs: number | undefined): Deadline {
		const ends = timeoutMs === undefined ? Number.POSITIVE_INFINITY : startedAt + timeoutMs;
		return () => {
			this.checkRun();
			if (timeoutMs !== undefined && this.now > ends) throw createTimeoutError(timeoutMs);
		};
	}

	/** Ends the run after its deadline. */
	readonly checkRun: Deadline = () => {
		this.read();
		if (this.isOver) throw new TimedOut(this.timeoutMs);
	};
}
