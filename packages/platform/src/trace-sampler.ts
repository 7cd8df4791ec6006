/** How many traces of callers may be taken at once after a time without any. */
const MAX_CREDIT = 10;

export interface Sampler {
	/** For a trace that begins here. */
	begins(): boolean;
	/** For a trace of a caller, who may be anybody. */
	continues(isSampled: boolean): boolean;
}

/**
 * Takes a share of all traces, from 0 to 1. What a caller does not sample is not sampled here. What it does sample is
 * sampled as long as all samples are within the share, so that a caller cannot cause more of them than the operator wants.
 */
export function traceSampler(ratio: number, random: () => number = Math.random): Sampler {
	let credit = 0;

	const earn = (): void => {
		credit = Math.min(MAX_CREDIT, credit + ratio);
	};

	return {
		begins() {
			earn();
			if (random() >= ratio) return false;
			// Below zero for a while at most, so that callers get their turn again.
			credit = Math.max(-MAX_CREDIT, credit - 1);
			return true;
		},
		continues(isSampled) {
			earn();
			// The sum of many small shares may be slightly less than one.
			if (!isSampled || credit < 1 - 1e-9) return false;
			credit -= 1;
			return true;
		},
	};
}
