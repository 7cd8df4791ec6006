import type { Deadline } from "../meter.ts";
import { createTimeoutError, TimedOut } from "./halt.ts";

/** Caches the clock: one reading after each attempt serves its duration, the next start and the deadline. */
export class Watch {
	now: number;
	private readonly clock: { now(): number };
	private readonly deadline: number;
	private readonly timeoutMs: number;
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
		this.now = this.clock.now();
		return this.now;
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
