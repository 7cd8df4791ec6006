import { hasProc, readCpuSeconds, readResidentMb } from "./child.ts";
import { openInstance } from "./executor/instance.ts";
import { startLoad } from "./executor/load.ts";
import { threeNodes, triggerRequest } from "./executor/workflow.ts";
import { median } from "./measure.ts";
import type { Section } from "./report.ts";
import { scratchFolder } from "./scratch.ts";

const COUNT = 1_000_000;
const CONNECTIONS = 32;
/** The memory is measured after each step. */
const STEPS = 200;

/** Many triggers on one process: its memory must not grow. */
export async function soakSuite(
	onProgress: (what: string) => void,
	{ count = COUNT }: { readonly count?: number },
): Promise<Section[]> {
	if (!hasProc) throw new Error("a soak reads the memory from /proc, which this platform does not have");
	using folder = scratchFolder();
	await using instance = await openInstance(folder.path);
	await using load = startLoad();
	const requests = [triggerRequest(await instance.webhook(threeNodes("soak")))];
	const port = Number(new URL(instance.publicUrl).port);
	const perStep = Math.ceil(count / STEPS);
	const resident: number[] = [];
	let seconds = 0;
	const before = readCpuSeconds(instance);
	for (let step = 1; step <= STEPS; step++) {
		// Any answer other than 200 stops the load.
		const job = { port, connections: CONNECTIONS, count: perStep, requests, status: 200, firstNumber: 0 };
		seconds += (await load.run(job)).seconds;
		resident.push(readResidentMb(instance));
		if (step % (STEPS / 20) === 0) {
			onProgress(`${step * perStep} triggers, ${resident.at(-1)?.toFixed(0)} MB resident`);
		}
	}
	const unrecorded = await instance.unrecorded("soak", perStep * STEPS);
	const cpu = ((readCpuSeconds(instance) - before) * 1e6) / (perStep * STEPS);
	const quarter = (nth: number) => median(resident.slice((nth * STEPS) / 4, ((nth + 1) * STEPS) / 4));
	const [floor, ours] = [quarter(1), quarter(3)];
	return [
		{
			title: `Soak: ${perStep * STEPS} triggers, all answered with 200`,
			rows: [
				{
					what: "resident, last quarter / second quarter",
					unit: "MB",
					floor,
					ours,
					ratio: ours / floor,
					bar: { on: "ratio", most: 1.1 },
				},
				{ what: "runs without a record", unit: "runs", ours: unrecorded, bar: { on: "ours", most: 0 } },
				{ what: "CPU per trigger", unit: "µs", ours: cpu },
				{ what: "triggers", unit: "/s", ours: (perStep * STEPS) / seconds },
			],
		},
	];
}
