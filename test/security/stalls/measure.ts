import type { Case } from "./case.ts";
import type { World } from "./world.ts";

/** The limits for every case. */
export const LIMITS = { turnMs: 250, memoryMb: 200 } as const;

const PROBE_MS = 30_000;

export interface Measured {
	readonly name: string;
	/** A status, or the reason why there is none. */
	readonly answers: readonly (number | string)[];
	/** CPU time in milliseconds. */
	readonly longestTurn: number;
	/** Megabytes above the idle process. */
	readonly memory: number;
	readonly heap: number;
	readonly seconds: number;
	/** The limits that it exceeds. */
	readonly problems: readonly string[];
	/** The last answer's error, or the beginning of its text. */
	readonly said: string;
	/** Where the longest turn spent its time, if profiling is on. */
	readonly hot: readonly string[];
}

/** Results further over a limit than this factor are not measured again. */
const MAX_RETRY_FACTOR = 4;

/**
 * Runs the cases concurrently; the measurement applies to each of them. If it is not far over a limit, they are measured
 * again and the better result counts: code that ran once is faster, and a new process has no leftovers of earlier cases.
 */
export async function measure(world: World, cases: readonly Case[]): Promise<Measured[]> {
	const first = await measureOnce(world, cases);
	if (!first.some(isNotFarOver)) return first;
	if (first.some(({ memory }) => memory > LIMITS.memoryMb)) await world.restart("SIGKILL");
	const second = await measureOnce(world, cases);
	return first.map((one, index) => pickBetter(one, second[index] as Measured));
}

/** Megabytes above idle that remain. */
export async function measureRemaining(world: World): Promise<number> {
	await world.isQuiet();
	return ((await world.service.shrink(PROBE_MS)) ?? 0) - world.idle;
}

async function measureOnce(world: World, cases: readonly Case[]): Promise<Measured[]> {
	const started = performance.now();
	await world.reset();
	const cpuBefore = world.service.mainThreadCpu();
	const outcomes = await Promise.all(cases.map(({ steps }) => world.carryOut(steps)));
	const isQuiet = await world.isQuiet();
	const reading = await world.read();
	const { service } = world;
	if (reading === null) await service.hasEndedWithin(PROBE_MS);
	const longestTurn = reading?.longestTurn ?? Math.max(0, service.mainThreadCpu() - cpuBefore);
	const memory = reading === null ? 0 : reading.resident - world.idle;
	const problems = listExceeded(longestTurn, memory);
	if (!service.isAlive) problems.push(`the process ended: ${service.ending}`);
	else if (reading === null) problems.push("the process answers no more");
	else if (!isQuiet) problems.push("it does not come to rest");
	const seconds = (performance.now() - started) / 1000;
	if (!isQuiet) problems.push(...(await world.startAnew()));
	return cases.map(({ name }, index) => {
		const { answers = [], said = "", problems: others = [] } = outcomes[index] ?? {};
		return {
			name,
			answers,
			longestTurn,
			memory,
			heap: reading?.heap ?? 0,
			seconds,
			problems: [...problems, ...others],
			said,
			hot: reading?.hot ?? [],
		};
	});
}

function listExceeded(longestTurn: number, memory: number): string[] {
	return [
		...(longestTurn > LIMITS.turnMs ? [`a turn of ${Math.round(longestTurn)} ms`] : []),
		...(memory > LIMITS.memoryMb ? [`${Math.round(memory)} MB above idle`] : []),
	];
}

const isNotFarOver = ({ longestTurn, memory }: Measured): boolean =>
	listExceeded(longestTurn, memory).length > 0 &&
	listExceeded(longestTurn / MAX_RETRY_FACTOR, memory / MAX_RETRY_FACTOR).length === 0;

/** Takes the better figures of both; any other problem remains. */
function pickBetter(first: Measured, second: Measured): Measured {
	const longestTurn = Math.min(first.longestTurn, second.longestTurn);
	const memory = Math.min(first.memory, second.memory);
	const others = ({ problems, ...one }: Measured) =>
		problems.filter((problem) => !listExceeded(one.longestTurn, one.memory).includes(problem));
	const problems = [...listExceeded(longestTurn, memory), ...new Set([...others(first), ...others(second)])];
	const hot = second.hot.length > 0 ? second.hot : first.hot;
	return { ...second, longestTurn, memory, hot, problems, seconds: first.seconds + second.seconds };
}
