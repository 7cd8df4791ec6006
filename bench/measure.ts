import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** One round: `run` is measured, creating the batch is not. */
export interface Batch {
	/** By how many calls the cost of `run` is divided. */
	readonly calls: number;
	run(): void | Promise<void>;
}

export type Side = (round: number) => Batch | Promise<Batch>;

export interface Comparison {
	/** Microseconds of CPU per call. */
	readonly floor: number;
	readonly ours: number;
	readonly ratio: number;
}

const WARMUP_ROUNDS = 6;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as (options: { type: "minor" }) => void;

/** Measures both sides alternately by the CPU time of this process. */
export const compare = (sides: {
	rounds: number;
	warmups?: number;
	floor: Side;
	ours: Side;
}): Promise<Comparison> =>
	alternate({
		rounds: sides.rounds,
		warmups: sides.warmups ?? WARMUP_ROUNDS,
		floor: (round) => measureCpu(sides.floor, round),
		ours: (round) => measureCpu(sides.ours, round),
	});

/**
 * Measures both sides alternately, round by round, so that a slow phase of the machine affects both. The ratio is the
 * median of the rounds' ratios. Rounds below 0 are warm-up.
 */
export async function alternate(sides: {
	readonly rounds: number;
	readonly warmups: number;
	floor(round: number): Promise<number>;
	ours(round: number): Promise<number>;
}): Promise<Comparison> {
	const floors: number[] = [];
	const ours: number[] = [];
	for (let round = -sides.warmups; round < sides.rounds; round++) {
		const isFloorFirst = round % 2 === 0;
		const first = await (isFloorFirst ? sides.floor : sides.ours)(round);
		const second = await (isFloorFirst ? sides.ours : sides.floor)(round);
		if (round < 0) continue;
		floors.push(isFloorFirst ? first : second);
		ours.push(isFloorFirst ? second : first);
	}
	const ratio = median(ours.map((cost, index) => cost / (floors[index] as number)));
	return { floor: median(floors), ours: median(ours), ratio };
}

/** Microseconds of CPU per call, of one side alone. */
export async function measureCost({ rounds, side }: { rounds: number; side: Side }): Promise<number> {
	const costs: number[] = [];
	for (let round = -WARMUP_ROUNDS; round < rounds; round++) {
		const cost = await measureCpu(side, round);
		if (round >= 0) costs.push(cost);
	}
	return median(costs);
}

export function median(values: readonly number[]): number {
	const sorted = values.toSorted((one, other) => one - other);
	const middle = sorted.length / 2;
	return ((sorted[Math.ceil(middle) - 1] as number) + (sorted[Math.floor(middle)] as number)) / 2;
}

/** CPU time of the whole process, including garbage collector and compiler threads. */
async function measureCpu(side: Side, round: number): Promise<number> {
	const batch = await side(round);
	// Clears garbage of the other side and of the preparation. Only the young generation: a full collection also discards
	// compiled code, and a serving process does not recompile all the time.
	collect({ type: "minor" });
	const start = process.cpuUsage();
	await batch.run();
	const { user, system } = process.cpuUsage(start);
	return (user + system) / batch.calls;
}
