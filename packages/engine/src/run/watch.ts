import type { Deadline } from "../meter.ts";
import { Halt, timedOut, tooLong } from "./halt.ts";

/** The clock as read last: one reading after each try serves its duration, the next start and the deadline. */
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

	/** For the meter of a try: ends the run when its time is over, or the try when its own is. */
	deadlineOf(startedAt: number, timeoutMs: number | undefined): Deadline {
		const ends = timeoutMs === undefined ? Number.POSITIVE_INFINITY : startedAt + timeoutMs;
		return () => {
			this.checkRun();
			if (timeoutMs !== undefined && this.now > ends) throw timedOut(timeoutMs);
		};
	}

	/** Ends the run when its time is over. */
	readonly checkRun: Deadline = () => {
		this.read();
		if (this.isOver) throw new Halt(tooLong(this.timeoutMs));
	};
}
