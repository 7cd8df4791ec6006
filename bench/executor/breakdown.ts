import { join } from "node:path";
import { uuidv7 } from "@tripline/contract/ids";
import { nestsTooDeep } from "@tripline/contract/json";
import { recordBuffer } from "@tripline/executor/runs/record-buffer";
import { systemClock } from "@tripline/platform/clock";
import { jsonLog } from "@tripline/platform/log";
import { migrate } from "@tripline/platform/migrations";
import { openSqlite } from "@tripline/platform/sql.sqlite";
import { createStore } from "@tripline/store/app";
import { storeClient } from "@tripline/store/client";
import { storeEnvironment, storeSettings } from "@tripline/store/settings";
import { storeMigrations } from "@tripline/store/storage/migrations";
import { measureCost } from "../measure.ts";
import type { Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";
import { runOnce, threeNodePlan } from "./engine.ts";
import { openInstance } from "./instance.ts";
import { type Layer, startLayer } from "./layers.ts";
import type { Load } from "./load.ts";
import { compareServed, countRecords, type Served } from "./served.ts";
import { BODY, threeNodes, triggerRequest } from "./workflow.ts";

const PACE = { rounds: 5, warmups: 6, count: 5_000, connections: 32 };
const ROUNDS = 11;
const CALLS = 2_000;
/** Batch sizes that the executor sends to the store: the maximum, and about 20 ms of this load. */
const BATCHES = [256, 64] as const;
const RECORDS = 2_048;

const LAYERS: readonly { readonly layer: Layer; readonly adds: string }[] = [
	{ layer: "listener", adds: "the listener's request and answer, body not read" },
	{ layer: "body", adds: "body read and parsed, answer made" },
	{ layer: "app", adds: "routing, request id, log line" },
	{ layer: "guard", adds: "host and origin checked" },
];

/** Servers that each do one thing more than the previous one ("floor"). */
export async function measureLayers(load: Load, onProgress: (what: string) => void): Promise<Row[]> {
	using folder = scratchFolder();
	await using instance = await openInstance(join(folder.path, "service"));
	const target = await instance.webhook(threeNodes("layers"));
	const requests = [triggerRequest(target)];
	const answer = await instance.answer(await instance.webhook(threeNodes("sample")));
	const start = async (layer: Layer): Promise<Served> => ({
		...(await startLayer(layer, join(folder.path, layer), answer)),
		requests,
	});
	const rows: Row[] = [];
	const compare = async (adds: string, floor: Served, ours: Served): Promise<void> => {
		onProgress(`layer: ${adds}`);
		const compared = await compareServed(load, PACE, { floor, ours });
		rows.push({
			what: `+ ${adds}`,
			unit: "µs",
			floor: compared.floor,
			ours: compared.ours,
			ratio: compared.ratio,
		});
	};
	await using stack = new AsyncDisposableStack();
	let below = stack.use(await start("bare"));
	for (const { layer, adds } of LAYERS) {
		const next = stack.use(await start(layer));
		await compare(adds, below, next);
		below = next;
	}
	const { settle } = countRecords(instance, "layers");
	await compare("webhook found, run, record written", below, {
		...instance,
		url: instance.publicUrl,
		requests,
		settle,
	});
	return rows;
}

/** The cost of one trigger besides HTTP, each part alone in this process. */
export async function measureParts(onProgress: (what: string) => void): Promise<Row[]> {
	using folder = scratchFolder();
	using store = await openStore(join(folder.path, "store.db"));
	const plan = threeNodePlan();
	const outcome = await runOnce(plan);
	const result = { ...outcome, execution_id: uuidv7(systemClock.now()), workflow: "bench" };
	const log = jsonLog({ level: "info", clock: systemClock, write() {} });
	const fields = { method: "POST", route: "/webhooks/{token}/trigger", status: 200, duration_ms: 1 };
	const pieces: readonly { readonly what: string; readonly piece: () => unknown }[] = [
		{ what: "context parsed and measured", piece: () => nestsTooDeep(JSON.parse(BODY)) },
		{ what: "execution id", piece: () => uuidv7(systemClock.now()) },
		{ what: "run of the three nodes", piece: () => runOnce(plan) },
		{ what: "result as JSON", piece: () => JSON.stringify(result) },
		{ what: "log line", piece: () => log("info", "request", { request_id: "bench-1", ...fields }) },
	];
	const rows: Row[] = [];
	for (const { what, piece } of pieces) {
		onProgress(what);
		const run = async () => {
			for (let nth = 0; nth < CALLS; nth++) {
				const made = piece();
				if (made instanceof Promise) await made;
			}
		};
		rows.push({
			what,
			unit: "µs",
			ours: await measureCost({ rounds: ROUNDS, side: () => ({ calls: CALLS, run }) }),
		});
	}
	for (const batch of BATCHES) {
		const what = `record added and written, ${batch} at a time`;
		onProgress(what);
		const run = () => store.record(batch);
		rows.push({
			what,
			unit: "µs",
			ours: await measureCost({ rounds: ROUNDS, side: () => ({ calls: RECORDS, run }) }),
		});
	}
	return rows;
}

/** The store in this process, called as the service calls it. */
async function openStore(path: string): Promise<{ record(batch: number): Promise<void> } & Disposable> {
	const sql = openSqlite(path);
	await migrate(sql, storeMigrations);
	const log = jsonLog({ level: "info", clock: systemClock, write() {} });
	const settings = storeSettings(
		storeEnvironment.parse({ EXECUTION_LOG_DAILY_WRITE_LIMIT: "1000000000", MULTI_TENANT: "false" }),
	);
	const { answer } = createStore({ sql, clock: systemClock, log, version: "bench", settings });
	const client = storeClient({ answer, baseUrl: "http://store" });
	const buffer = recordBuffer({
		send: async (records) => void (await client.executionLog.append(records)),
		isUnavailable: () => false,
		clock: systemClock,
		log,
	});
	return {
		async record(batch) {
			for (let start = 0; start < RECORDS; start += batch) {
				for (let nth = 0; nth < batch; nth++) buffer.add(createRecord());
				await buffer.flush();
			}
		},
		[Symbol.dispose]: () => sql.close(),
	};
}

function createRecord() {
	const now = systemClock.now();
	return {
		id: uuidv7(now),
		owner_id: "bench",
		workflow: "bench",
		verdict: "success" as const,
		duration_ms: 1,
		error: "",
		time: new Date(now).toISOString(),
		trigger: "webhook",
		context: {},
	};
}
