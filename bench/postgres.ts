import { join } from "node:path";
import { hasProc, readCpuSeconds } from "./child.ts";
import { openInstance } from "./executor/instance.ts";
import { startLoad } from "./executor/load.ts";
import { threeNodes, triggerRequest } from "./executor/workflow.ts";
import { alternate, median } from "./measure.ts";
import { DBOS, startDbos } from "./postgres/dbos.ts";
import {
	type Deployment,
	openDeployment,
	readServiceCpu,
	readTreeCpuSeconds,
	startDatabase,
} from "./postgres/deployment.ts";
import type { Row, Section } from "./report.ts";
import { scratchFolder } from "./scratch.ts";

const MAX_PROCESSES_RATIO = 1.15;
const MAX_NAMED_RATIO = 2;
const MAX_STEP_MICROS = 150;
const PROCESSES = 3;
const PACE = { rounds: 10, warmups: 3, count: 6_000, connections: 30 };
const RUNS = 16;
const STEPS = 300;
const STEP_ROUNDS = 5;
const MAX_DBOS_RATIO = 0.1;
const DBOS_ROUNDS = 3;
const DBOS_STEPS = 50;
const TENANT = { "x-service-api-key": "bench" };

type OnProgress = (what: string) => void;

/** PostgreSQL against SQLite, and several processes against one. */
export async function postgresSuite(onProgress: OnProgress): Promise<Section[]> {
	if (!hasProc) throw new Error("a server's CPU is read from /proc, which this platform does not have");
	using folder = scratchFolder();
	await using server = await startDatabase();
	return [
		{
			title: `A token trigger, CPU of all processes: ${PROCESSES} processes / 1`,
			rows: await compareProcesses(server, join(folder.path, "token"), onProgress),
		},
		{
			title: "A named trigger, CPU of the process: PostgreSQL / SQLite",
			rows: await compareNamed(server, join(folder.path, "named"), onProgress),
		},
		{
			title: `A durable step of ${RUNS} runs side by side, CPU of the process and the database`,
			rows: await measureSteps(server, join(folder.path, "steps"), onProgress),
		},
	];
}

type Database = Awaited<ReturnType<typeof startDatabase>>;

/** Of the database, in microseconds per request. */
function createDatabaseCost(server: Database) {
	const costs: number[] = [];
	return {
		async measure<T>(requests: number, work: () => Promise<T>): Promise<T> {
			const before = readTreeCpuSeconds(server.pid);
			const result = await work();
			costs.push(((readTreeCpuSeconds(server.pid) - before) * 1e6) / requests);
			return result;
		},
		toRow: (): Row => ({ what: "the database", unit: "µs", ours: median(costs) }),
	};
}

async function compareProcesses(server: Database, folder: string, onProgress: OnProgress): Promise<Row[]> {
	const cost = createDatabaseCost(server);
	const subjects: { one: Subject; several: Subject } = {
		one: await startSubject(server, join(folder, "one"), 1),
		several: await startSubject(server, join(folder, "several"), PROCESSES),
	};
	try {
		const compared = await alternate({
			...PACE,
			floor: (round) => report(round, "1 process", subjects.one),
			ours: (round) =>
				cost.measure(PROCESSES * PACE.count, () => report(round, `${PROCESSES} processes`, subjects.several)),
		});
		return [
			{
				what: "set, template, if by token",
				unit: "µs",
				...compared,
				bar: { on: "ratio", most: MAX_PROCESSES_RATIO },
			},
			cost.toRow(),
		];
	} finally {
		await subjects.one[Symbol.asyncDispose]();
		await subjects.several[Symbol.asyncDispose]();
	}

	function report(round: number, what: string, subject: Subject): Promise<number> {
		onProgress(`${what}, round ${round + 1} of ${PACE.rounds}`);
		return subject.measure();
	}
}

/** Every process gets the same load, so that only what they cost each other differs. */
interface Subject extends AsyncDisposable {
	/** Microseconds of CPU per request. */
	measure(): Promise<number>;
}

async function startSubject(server: Database, folder: string, count: number): Promise<Subject> {
	await using opening = new AsyncDisposableStack();
	const deployment = opening.use(await openDeployment(server, folder, count));
	const { token } = await call(deployment, "/webhooks", { graph: threeNodes("plain") });
	const requests = [triggerRequest(`/webhooks/${token}/trigger`)];
	const loads = deployment.processes.map((process) => ({ process, load: opening.use(startLoad()) }));
	let runs = 0;
	const opened = opening.move();
	return {
		async measure() {
			const before = readServiceCpu(deployment);
			await Promise.all(
				loads.map(({ process, load }) =>
					load.run({
						port: Number(new URL(process.publicUrl).port),
						...{ connections: PACE.connections, count: PACE.count, requests, status: 200, firstNumber: 0 },
					}),
				),
			);
			runs += PACE.count * count;
			await deployment.settle("plain", runs);
			return ((readServiceCpu(deployment) - before) * 1e6) / (PACE.count * count);
		},
		[Symbol.asyncDispose]: () => opened.disposeAsync(),
	};
}

async function compareNamed(server: Database, folder: string, onProgress: OnProgress): Promise<Row[]> {
	const cost = createDatabaseCost(server);
	await using load = startLoad();
	await using instance = await openInstance(join(folder, "sqlite"));
	await using deployment = await openDeployment(server, join(folder, "postgres"), 1);
	const target = await instance.named("order", threeNodes("order"));
	await call(deployment, "/webhooks/named", {
		name: "order",
		description: "An order",
		graph: threeNodes("order"),
	});
	let runs = 0;
	const requests = [triggerRequest(target)];
	const run = (publicUrl: string) =>
		load.run({
			port: Number(new URL(publicUrl).port),
			...{ connections: PACE.connections, count: PACE.count, requests, status: 200, firstNumber: 0 },
		});
	const compared = await alternate({
		...PACE,
		async floor(round) {
			onProgress(`named trigger, round ${round + 1} of ${PACE.rounds}`);
			const before = readCpuSeconds(instance);
			await run(instance.publicUrl);
			await instance.unrecorded("order", (round + PACE.warmups + 1) * PACE.count);
			return ((readCpuSeconds(instance) - before) * 1e6) / PACE.count;
		},
		ours: () =>
			cost.measure(PACE.count, async () => {
				const before = readServiceCpu(deployment);
				await run(deployment.processes[0]?.publicUrl ?? "");
				runs += PACE.count;
				await deployment.settle("order", runs);
				return ((readServiceCpu(deployment) - before) * 1e6) / PACE.count;
			}),
	});
	return [
		{
			what: "set, template, if by name",
			unit: "µs",
			...compared,
			bar: { on: "ratio", most: MAX_NAMED_RATIO },
		},
		cost.toRow(),
	];
}

/** Beyond the cost of a step that is not recorded. */
async function measureSteps(server: Database, folder: string, onProgress: OnProgress): Promise<Row[]> {
	await using deployment = await openDeployment(server, folder, 1);
	const graph = {
		id: "loop",
		nodes: [
			{ id: "list", component: "foreach", params: { items: "{{input.items}}" } },
			{ id: "step", component: "wait", params: { ms: 0 } },
		],
		edges: [{ from: "list", to: "step", on: "FOREACH", as: "item" }],
	};
	const { token } = await call(deployment, "/webhooks", { graph });
	const items = Array.from({ length: STEPS }, (_, item) => item);
	const [service] = deployment.processes;
	let runs = 0;
	const measure = async (isAccepted: boolean) => {
		const before = { app: readServiceCpu(deployment), database: readTreeCpuSeconds(server.pid) };
		await Promise.all(
			Array.from({ length: RUNS }, async () => {
				const response = await fetch(`${service?.publicUrl}/webhooks/${token}/trigger`, {
					method: "POST",
					headers: { ...TENANT, ...(isAccepted && { prefer: "respond-async" }) },
					body: JSON.stringify({ items }),
				});
				if (!response.ok) throw new Error(`a run was answered with ${response.status}`);
				await response.arrayBuffer();
			}),
		);
		runs += RUNS;
		await deployment.settle("loop", runs);
		const steps = RUNS * STEPS;
		return {
			app: ((readServiceCpu(deployment) - before.app) * 1e6) / steps,
			database: ((readTreeCpuSeconds(server.pid) - before.database) * 1e6) / steps,
		};
	};
	const app: number[] = [];
	const database: number[] = [];
	for (let round = 0; round <= STEP_ROUNDS; round++) {
		onProgress(`durable steps, ${round} of ${STEP_ROUNDS}`);
		const floor = await measure(false);
		const ours = await measure(true);
		// The first round warms up.
		if (round === 0) continue;
		app.push(ours.app - floor.app);
		database.push(ours.database - floor.database);
	}
	const both = median(app.map((cost, nth) => cost + (database[nth] ?? 0)));
	const peer = await measureDbosSteps(server, onProgress);
	return [
		{ what: "both", unit: "µs", ours: both, bar: { on: "ours", most: MAX_STEP_MICROS } },
		{ what: "the process", unit: "µs", ours: median(app) },
		{ what: "the database", unit: "µs", ours: median(database) },
		{
			what: `both, against ${DBOS}`,
			unit: "µs",
			...{ floor: peer, ours: both, ratio: both / peer },
			bar: { on: "ratio", most: MAX_DBOS_RATIO },
		},
	];
}

/** A step of DBOS beyond a run without steps, in microseconds of its process and the database. */
async function measureDbosSteps(server: Database, onProgress: OnProgress): Promise<number> {
	onProgress(`${DBOS}, which is installed the first time`);
	await using peer = await startDbos(new URL("/bench_dbos", server.url).href);
	const readCpu = () => readTreeCpuSeconds(peer.pid) + readTreeCpuSeconds(server.pid);
	const measure = async (steps: number) => {
		const before = readCpu();
		await peer.run({ runs: RUNS, steps });
		return ((readCpu() - before) * 1e6) / RUNS;
	};
	const costs: number[] = [];
	for (let round = 0; round <= DBOS_ROUNDS; round++) {
		const [empty, full] = [await measure(0), await measure(DBOS_STEPS)];
		// The first round warms up.
		if (round > 0) costs.push((full - empty) / DBOS_STEPS);
	}
	return median(costs);
}

async function call(deployment: Deployment, path: string, body: object): Promise<Record<string, unknown>> {
	const response = await fetch(`${deployment.processes[0]?.publicUrl}${path}`, {
		method: "POST",
		headers: { ...TENANT, "content-type": "application/json" },
		body: JSON.stringify(body),
	});
	const text = await response.text();
	if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
	return JSON.parse(text) as Record<string, unknown>;
}
