import { median } from "../measure.ts";
import type { Row } from "../report.ts";
import type { Instance } from "./instance.ts";
import type { Load } from "./load.ts";
import { compareServed, countRecords, type Served, type ServedComparison, toInformation } from "./served.ts";
import { threeNodes, triggerRequest } from "./workflow.ts";

/** Processes with the same code differ by a few percent for as long as they run, so several are measured. */
const STARTS = 5;
const PACE = { rounds: 4, warmups: 3, count: 10_000, connections: 32 };

export const PLAIN_TRIGGERS = STARTS * (PACE.rounds + PACE.warmups) * PACE.count;

type Start = (nth: number) => Promise<Instance>;

/** The plain trigger of two services, which are started several times. */
export async function comparePlainTriggers(
	load: Load,
	{ floor: startFloor, ours: startOurs, maxRatio }: Record<"floor" | "ours", Start> & { maxRatio: number },
	onProgress: (what: string) => void,
): Promise<Row[]> {
	const compared: ServedComparison[] = [];
	for (let nth = 1; nth <= STARTS; nth++) {
		onProgress(`start ${nth} of ${STARTS}: ${PACE.rounds} pairs of ${PACE.count} triggers`);
		await using ours = await startOurs(nth);
		await using floor = await startFloor(nth);
		const sides = { floor: await toServed(floor), ours: await toServed(ours) };
		compared.push(await compareServed(load, PACE, sides));
	}
	const toMedian = (read: (each: ServedComparison) => number) => median(compared.map(read));
	const middle = compared.toSorted((a, b) => a.ratio - b.ratio)[Math.floor(STARTS / 2)] as ServedComparison;
	return [
		{
			what: "set, template, if by token",
			unit: "µs",
			floor: toMedian(({ floor }) => floor),
			ours: toMedian(({ ours }) => ours),
			ratio: toMedian(({ ratio }) => ratio),
			bar: { on: "ratio", most: maxRatio },
		},
		...compared.map(
			({ floor, ours, ratio }, index): Row => ({
				what: `start ${index + 1}`,
				unit: "µs",
				floor,
				ours,
				ratio,
			}),
		),
		...toInformation("trigger", middle),
	];
}

async function toServed(instance: Instance): Promise<Served> {
	return {
		...instance,
		url: instance.publicUrl,
		requests: [triggerRequest(await instance.webhook(threeNodes("plain")))],
		settle: countRecords(instance, "plain").settle,
	};
}
