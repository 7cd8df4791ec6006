/** The clock as read last: one reading after each try serves its duration, the next start and the deadline. */
export class Watch {
	now: number;
	private readonly clock: { now(): number };

	constructor(clock: { now(): number }) {
		this.clock = clock;
		this.now = clock.now();
	}

	read(): number {
		this.now = this.clock.now();
		return this.now;
	}
}
