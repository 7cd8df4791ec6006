/** One behaviour that every adapter of a port shows. `Subject` is what a case is given to work on. */
export interface ContractCase<Subject> {
	readonly name: string;
	run(subject: Subject): Promise<void>;
}

/** A clock that stands where it was put. */
export function manualClock(start = Date.UTC(2026, 0, 2, 3, 4, 5)) {
	let current = start;
	return {
		now: () => current,
		advance(milliseconds: number) {
			current += milliseconds;
		},
	};
}
