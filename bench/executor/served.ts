import { type Child, readCpuSeconds } from "../child.ts";
import { alternate, type Comparison, median } from "../measure.ts";
import type { Row } from "../report.ts";
import type { Instance } from "./instance.ts";
import type { Load, LoadReport } from "./load.ts";

/** A server under load. */
export interface Served extends Child {
	readonly url: string;
	readonly requests: readonly string[];
	readonly status?: number;
	/** Waits until the background work of answered requests is done; its time counts. */
	settle?(requests: number): Promise<void>;
}

interface Pace {
	readonly rounds: number;
	readonly warmups: number;
	/** Per round. */
	readonly count: number;
	readonly connections: number;
}

export interface ServedComparison extends Comparison {
	readonly reports: { readonly floor: LoadReport; readonly ours: LoadReport };
	readonly perSecond: { readonly floor: number; readonly ours: number };
}

/** CPU microseconds of the servers per request, measured alternately. */
export async function compareServed(
	load: Load,
	pace: Pace,
	sides: { readonly floor: Served; readonly ours: Served },
): Promise<ServedComparison> {
	const reports: { readonly floor: LoadReport[]; readonly ours: LoadReport[] } = { floor: [], ours: [] };
	const measure = (name: "floor" | "ours") => async (round: number) => {
		const { cpu, report } = await measureCpu(load, pace, sides[name]);
		if (round >= 0) reports[name].push(report);
		return cpu;
	};
	const compared = await alternate({ ...pace, floor: measure("floor"), ours: measure("ours") });
	const medians = { floor: pickMedianReport(reports.floor), ours: pickMedianReport(reports.ours) };
	const rate = ({ seconds }: LoadReport) => pace.count / seconds;
	const perSecond = { floor: rate(medians.floor), ours: rate(medians.ours) };
	return { ...compared, reports: medians, perSecond };
}

let numbered = 0;

async function measureCpu(load: Load, { count, connections }: Pace, served: Served) {
	const before = readCpuSeconds(served);
	const report = await load.run({
		port: Number(new URL(served.url).port),
		connections,
		count,
		requests: served.requests,
		status: served.status ?? 200,
		firstNumber: numbered,
	});
	numbered += count;
	await served.settle?.(count);
	return { cpu: ((readCpuSeconds(served) - before) * 1e6) / count, report };
}

const pickMedianReport = (reports: readonly LoadReport[]): LoadReport => ({
	seconds: median(reports.map(({ seconds }) => seconds)),
	p50: median(reports.map(({ p50 }) => p50)),
	p99: median(reports.map(({ p99 }) => p99)),
});

/** The figures besides CPU time, which vary with the machine and its load. */
export const toInformation = (what: string, { reports, perSecond }: ServedComparison): Row[] => [
	{ what: `${what}: requests`, unit: "/s", ...perSecond },
	{ what: `${what}: p50`, unit: "ms", floor: reports.floor.p50, ours: reports.ours.p50 },
	{ what: `${what}: p99`, unit: "ms", floor: reports.floor.p99, ours: reports.ours.p99 },
];

/** Counts the runs of a workflow and waits for their records. */
export function countRecords(instance: Instance, workflow: string) {
	let runs = 0;
	let missing = 0;
	return {
		async settle(requests: number): Promise<void> {
			runs += requests;
			missing = await instance.unrecorded(workflow, runs);
		},
		missing: () => missing,
	};
}
