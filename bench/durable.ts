import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { hasProc, readCpuSeconds } from "./child.ts";
import { type Instance, openInstance } from "./executor/instance.ts";
import { median } from "./measure.ts";
import type { Row, Section } from "./report.ts";
import { scratchFolder } from "./scratch.ts";
import { measureSettledMemory, startService } from "./service.ts";

/** CPU of a journaled step beyond that of the same step in a run that is not durable. */
const MAX_STEP_MICROS = { together: 80, alone: 250 };
const MAX_LATE_STEP_RATIO = 1.2;
const MAX_RESUME_MS = 500;
const MAX_LONG_RESUME_MS = 2_000;
const ROUNDS = 5;
const TOGETHER = 16;
const STEPS = 300;
const LONG_STEPS = 100_000;
const OLD_RUNS = 100_000;
const MAX_OLD_RUNS_RATIO = { start: 1.1, memory: 1.03 };

/** What it costs to record the steps of runs, and how soon a run goes on after its process was killed. */
export async function durableSuite(onProgress: (what: string) => void): Promise<Section[]> {
	if (!hasProc) throw new Error("a server's CPU is read from /proc, which this platform does not have");
	using folder = scratchFolder();
	return [
		{
			title: "A journaled step, CPU beyond that of a step that is not recorded",
			rows: await measureSteps(join(folder.path, "steps"), onProgress),
		},
		{
			title: "A run whose process was killed, from the first answer of /healthz",
			rows: [
				await measureResume(join(folder.path, "short"), onProgress),
				await measureLongResume(join(folder.path, "long"), onProgress),
			],
		},
		{
			title: `A start with ${OLD_RUNS} old runs / with none`,
			rows: await measureOldRuns(folder.path, onProgress),
		},
	];
}

async function measureSteps(folder: string, onProgress: (what: string) => void): Promise<Row[]> {
	await using instance = await openInstance(folder);
	const runs = await prepareRuns(instance);
	const compare = async (what: string, count: number, steps: number, most: number): Promise<Row> => {
		const costs: number[] = [];
		const floors: number[] = [];
		for (let round = 0; round <= ROUNDS; round++) {
			onProgress(`${what}, ${round} of ${ROUNDS}`);
			const floor = await runs.measure(count, steps, "waited for");
			const ours = await runs.measure(count, steps, "accepted");
			// The first round warms up.
			if (round === 0) continue;
			costs.push(ours - floor);
			floors.push(floor);
		}
		return { what, unit: "µs", floor: median(floors), ours: median(costs), bar: { on: "ours", most } };
	};
	const rows = [
		await compare(`${TOGETHER} runs side by side`, TOGETHER, STEPS, MAX_STEP_MICROS.together),
		await compare("alone", 1, TOGETHER * STEPS, MAX_STEP_MICROS.alone),
	];
	const [early, late]: [number[], number[]] = [[], []];
	for (let round = 0; round < ROUNDS; round++) {
		onProgress(`early and late steps, ${round + 1} of ${ROUNDS}`);
		const [ten, hundred] = [await runs.total(TOGETHER, 10), await runs.total(TOGETHER, 210)];
		const [thousand, more] = [await runs.total(TOGETHER, 1_000), await runs.total(TOGETHER, 1_200)];
		early.push((hundred - ten) / (TOGETHER * 200));
		late.push((more - thousand) / (TOGETHER * 200));
	}
	const [floor, ours] = [median(early), median(late)];
	const what = "steps 1,000 to 1,200 / steps 10 to 210";
	const bar = { on: "ratio", most: MAX_LATE_STEP_RATIO } as const;
	return [...rows, { what, unit: "µs", floor, ours, ratio: ours / floor, bar }];
}

async function prepareRuns(instance: Instance) {
	const path = await instance.webhook({ id: "loop", nodes: [LIST, STEP], edges: [EACH] });
	let recorded = 0;

	/** Microseconds of all runs. */
	async function total(count: number, steps: number, how: "accepted" | "waited for" = "accepted") {
		const items = Array.from({ length: steps }, (_, item) => item);
		const started = readCpuSeconds(instance);
		await Promise.all(
			Array.from({ length: count }, () => trigger(instance, path, { items }, how === "accepted")),
		);
		recorded += count;
		const missing = await instance.unrecorded("loop", recorded);
		if (missing > 0) throw new Error(`${missing} runs left no record`);
		return (readCpuSeconds(instance) - started) * 1e6;
	}

	return {
		total,
		/** Microseconds per step. */
		measure: async (count: number, steps: number, how: "accepted" | "waited for") =>
			(await total(count, steps, how)) / (count * steps),
	};
}

const LIST = { id: "list", component: "foreach", params: { items: "{{input.items}}" } };
const STEP = { id: "step", component: "wait", params: { ms: 0 } };
const EACH = { from: "list", to: "step", on: "FOREACH", as: "item" };

async function trigger(instance: Instance, path: string, body: object, isAccepted: boolean): Promise<void> {
	const response = await fetch(instance.publicUrl + path, {
		method: "POST",
		headers: { "x-service-api-key": "bench", ...(isAccepted && { prefer: "respond-async" }) },
		body: JSON.stringify(body),
	});
	if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
	await response.arrayBuffer();
}

/** A server that counts its calls and answers none until it is told to. */
async function openOutside() {
	let calls = 0;
	let mayAnswer = true;
	const server: Server = createServer((_request, response) => {
		calls += 1;
		if (mayAnswer) response.end("{}");
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/`,
		env: { ALLOW_PRIVATE_HOSTS: `127.0.0.1:${port}` },
		get calls() {
			return calls;
		},
		setAnswers(answers: boolean) {
			mayAnswer = answers;
		},
		[Symbol.asyncDispose]: async () => {
			server.closeAllConnections();
			server.close();
		},
	};
}

async function measureResume(folder: string, onProgress: (what: string) => void): Promise<Row> {
	const times: number[] = [];
	for (let round = 1; round <= ROUNDS; round++) {
		onProgress(`killed in a call, ${round} of ${ROUNDS}`);
		times.push(await resumeOnce(join(folder, String(round)), 20));
	}
	const what = "in a call, after 20 others";
	return { what, unit: "ms", ours: median(times), bar: { on: "ours", most: MAX_RESUME_MS } };
}

async function measureLongResume(folder: string, onProgress: (what: string) => void): Promise<Row> {
	onProgress(`killed after ${LONG_STEPS - 1} steps`);
	const ours = await resumeOnce(folder, LONG_STEPS - 1);
	return {
		what: `in the last of ${LONG_STEPS} steps`,
		unit: "ms",
		ours,
		bar: { on: "ours", most: MAX_LONG_RESUME_MS },
	};
}

/** Kills a run in the call after so many steps. Returns the milliseconds until it makes that call again. */
async function resumeOnce(folder: string, steps: number): Promise<number> {
	await using outside = await openOutside();
	let before: number;
	{
		await using instance = await openInstance(folder, outside.env);
		const path = await instance.webhook(
			{
				id: "loop",
				nodes: [
					{ ...LIST, concurrency: 16 },
					STEP,
					{ id: "call", component: "http_request", params: { method: "GET", url: outside.url } },
				],
				edges: [EACH, { from: "list", to: "call", on: "ON_SUCCESS" }],
			},
			{ max_steps: 1_000_000, timeout: "1 day" },
		);
		outside.setAnswers(false);
		await trigger(instance, path, { items: Array.from({ length: steps }, (_, item) => item) }, true);
		while (outside.calls === 0) await wait(20);
		before = outside.calls;
		process.kill(instance.pid, "SIGKILL");
		await wait(500);
	}
	await using _again = await openInstance(folder, outside.env);
	const started = performance.now();
	while (outside.calls === before) await wait(1);
	return performance.now() - started;
}

/** What runs that ended long ago cost, if everything is kept of them. */
async function measureOldRuns(folder: string, onProgress: (what: string) => void): Promise<Row[]> {
	const folders = { none: join(folder, "no-runs"), old: join(folder, "old-runs") };
	await fillWithRuns(folders.none, 1, onProgress);
	await fillWithRuns(folders.old, OLD_RUNS, onProgress);
	const measured = { none: { seconds: [], megabytes: [] }, old: { seconds: [], megabytes: [] } } as Record<
		keyof typeof folders,
		{ readonly seconds: number[]; readonly megabytes: number[] }
	>;
	for (let round = 0; round <= ROUNDS; round++) {
		onProgress(`start with and without old runs, ${round} of ${ROUNDS}`);
		for (const which of ["none", "old"] as const) {
			const service = await startService(folders[which]);
			const { seconds } = service;
			const megabytes = await measureSettledMemory(service);
			// The first round warms up.
			if (round === 0) continue;
			measured[which].seconds.push(seconds);
			measured[which].megabytes.push(megabytes);
		}
	}
	const compare = (what: string, unit: "s" | "MB", of: "seconds" | "megabytes", most: number): Row => {
		const [floor, ours] = [median(measured.none[of]), median(measured.old[of])];
		return { what, unit, floor, ours, ratio: ours / floor, bar: { on: "ratio", most } };
	};
	return [
		compare("until it is ready", "s", "seconds", MAX_OLD_RUNS_RATIO.start),
		compare("resident, idle", "MB", "megabytes", MAX_OLD_RUNS_RATIO.memory),
	];
}

async function fillWithRuns(
	folder: string,
	count: number,
	onProgress: (what: string) => void,
): Promise<void> {
	await using instance = await openInstance(folder);
	const path = await instance.webhook({ id: "old", nodes: [STEP], edges: [] }, { keep: "all" });
	for (let ended = 0; ended < count; ) {
		const batch = Math.min(500, count - ended);
		await Promise.all(Array.from({ length: batch }, () => trigger(instance, path, {}, true)));
		ended += batch;
		const missing = await instance.unrecorded("old", ended);
		if (missing > 0) throw new Error(`${missing} runs left no record`);
		if (ended % 10_000 === 0) onProgress(`${ended} of ${count} old runs`);
	}
}
