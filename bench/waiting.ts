import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { uuidv7 } from "@tripline/contract/ids";
import { hasProc } from "./child.ts";
import { type Instance, NAMESPACE, openInstance } from "./executor/instance.ts";
import { threeNodes } from "./executor/workflow.ts";
import { median } from "./measure.ts";
import type { Row, Section } from "./report.ts";
import { scratchFolder } from "./scratch.ts";
import { measureSettledMemory, startService } from "./service.ts";

const PARKED = 100_000;
const MAX_PARKED_MB = 20;
const MAX_START_RATIO = 1.1;
const ROUNDS = 5;
const DUE_PER_SECOND = 100;
const DUE_SECONDS = 20;
const MAX_LATE_MS = 2_000;
const DUE_AT_ONCE = 2_000;
const QUIET_MS = 5_000;
/** How long after the first of them is accepted runs are due, so that all have left the process by then. */
const LEAD_MS = 30_000;
const MAX_WAIT_MS = 120_000;
const CLIENTS = 16;
const DAY_MS = 24 * 60 * 60_000;
const HEADERS = { "x-service-api-key": NAMESPACE };

/** What runs cost that have left the process until a time, and how late they come back. */
export async function waitingSuite(onProgress: (what: string) => void): Promise<Section[]> {
	if (!hasProc) throw new Error("a server's memory is read from /proc, which this platform does not have");
	using folder = scratchFolder();
	return [
		{
			title: `${PARKED} runs that wait for a time / one`,
			rows: await measureParked(folder.path, onProgress),
		},
		{
			title: `${DUE_PER_SECOND} runs a second are due, for ${DUE_SECONDS} seconds: how late their next call is`,
			rows: await measureWaking(join(folder.path, "waking"), onProgress),
		},
		{
			title: `A trigger while ${DUE_AT_ONCE} runs are due at once / before`,
			rows: await measureTriggers(join(folder.path, "triggers"), onProgress),
		},
	];
}

async function measureParked(folder: string, onProgress: (what: string) => void): Promise<Row[]> {
	const folders = { one: join(folder, "one"), many: join(folder, "many") };
	for (const each of Object.values(folders)) await parkOne(each);
	onProgress(`${PARKED} parked runs`);
	copyParked(folders.many, PARKED - 1);
	await assertSameForm(folders.many);
	const seconds = { one: [] as number[], many: [] as number[] };
	const megabytes = { one: [] as number[], many: [] as number[] };
	for (let round = 0; round <= ROUNDS; round++) {
		onProgress(`start with and without parked runs, ${round} of ${ROUNDS}`);
		for (const which of ["one", "many"] as const) {
			const service = await startService(folders[which]);
			const settled = await measureSettledMemory(service);
			// The first round warms up.
			if (round === 0) continue;
			seconds[which].push(service.seconds);
			megabytes[which].push(settled);
		}
	}
	const [floor, ours] = [median(seconds.one), median(seconds.many)];
	const bar = { on: "ratio", most: MAX_START_RATIO } as const;
	const resident = { one: median(megabytes.one), many: median(megabytes.many) };
	return [
		{ what: "until it is ready", unit: "s", floor, ours, ratio: ours / floor, bar },
		{ what: "resident, idle", unit: "MB", floor: resident.one, ours: resident.many },
		{
			what: "resident, idle, beyond that with one",
			unit: "MB",
			ours: resident.many - resident.one,
			bar: { on: "ours", most: MAX_PARKED_MB },
		},
	];
}

/** A folder with a run that waits for days. */
async function parkOne(folder: string): Promise<void> {
	await using outside = await openOutside();
	await using instance = await openInstance(folder, outside.env);
	const path = await instance.webhook(buildGraph(outside.url));
	await accept(instance, path, Date.now() + 10 * DAY_MS);
	const until = Date.now() + MAX_WAIT_MS;
	for (;;) {
		const [run] = await listUnfinished(instance);
		if (run?.waits_for === "time") return;
		if (Date.now() > until) throw new Error("the run does not wait");
		await wait(20);
	}
}

/**
 * Copies the rows of the one run, in both databases, under other ids. The copies cannot go on, because the key of a run is
 * sealed for its id, but they are due only in days.
 */
function copyParked(folder: string, count: number): void {
	const now = Date.now();
	const ids = Array.from({ length: count }, () => [uuidv7(now), uuidv7(now)] as const);
	copyRows(join(folder, "store.db"), "entries", "entry_type = 'accepted_run'", (database, row, insert) => {
		const { seq: _, ...rest } = row;
		const old = String(row.page_name);
		for (const [id, run] of ids) {
			const rename = (text: unknown) => String(text).replaceAll(old, run);
			const metadata_json = rename(row.metadata_json);
			insert({ ...rest, id, page_name: run, upsert_key: rename(row.upsert_key), metadata_json });
		}
		database.exec("analyze");
	});
	for (const table of ["held_runs", "steps"])
		copyRows(join(folder, "executor.db"), table, "true", (_database, row, insert) => {
			for (const [, run] of ids) insert({ ...row, run });
		});
}

type Cells = Record<string, null | number | string | Uint8Array>;

function copyRows(
	path: string,
	table: string,
	condition: string,
	copy: (database: DatabaseSync, row: Cells, insert: (row: Cells) => void) => void,
): void {
	using database = new DatabaseSync(path);
	const rows = database.prepare(`select * from ${table} where ${condition}`).all() as Cells[];
	database.exec("begin");
	for (const row of rows)
		copy(database, row, (cells) => {
			const names = Object.keys(cells);
			const text = `insert into ${table} (${names.join()}) values (${names.map(() => "?").join()})`;
			database.prepare(text).run(...Object.values(cells));
		});
	database.exec("commit");
}

/** The service shows copies like the run that it has written itself. */
async function assertSameForm(folder: string): Promise<void> {
	await using instance = await openInstance(folder);
	const runs = await listUnfinished(instance);
	assert.equal(runs.length, 100);
	for (const run of runs) assert.deepEqual({ ...run, id: "" }, { ...runs[0], id: "" });
	assert.equal(runs[0]?.waits_for, "time");
}

async function measureWaking(folder: string, onProgress: (what: string) => void): Promise<Row[]> {
	await using outside = await openOutside();
	await using instance = await openInstance(folder, outside.env);
	const path = await instance.webhook(buildGraph(outside.url));
	const count = DUE_PER_SECOND * DUE_SECONDS;
	onProgress(`${count} runs that are due soon`);
	const first = Date.now() + LEAD_MS;
	await acceptAll(instance, path, count, (nth) => first + (nth * 1000) / DUE_PER_SECOND);
	assert.ok(Date.now() < first - 2_000, "accepting the runs took too long");
	onProgress("waking");
	await outside.waitForLate(count);
	const late = outside.late.toSorted((one, other) => one - other);
	return [
		{ what: "half of them at most", unit: "ms", ours: pick(late, 0.5) },
		{ what: "99% at most", unit: "ms", ours: pick(late, 0.99) },
		{ what: "latest", unit: "ms", ours: pick(late, 1), bar: { on: "ours", most: MAX_LATE_MS } },
		{
			what: "runs that went on too early or twice",
			unit: "runs",
			ours: late.filter((ms) => ms < 0).length + late.length - count,
			bar: { on: "ours", most: 0 },
		},
	];
}

async function measureTriggers(folder: string, onProgress: (what: string) => void): Promise<Row[]> {
	await using outside = await openOutside();
	await using instance = await openInstance(folder, outside.env);
	const path = await instance.webhook(buildGraph(outside.url));
	const plain = await instance.webhook(threeNodes("plain"));
	const due = Math.ceil((Date.now() + LEAD_MS) / 1000) * 1000;
	onProgress(`${DUE_AT_ONCE} runs that are due at once`);
	await acceptAll(instance, path, DUE_AT_ONCE, () => due);
	assert.ok(Date.now() < due - QUIET_MS - 1_000, "accepting the runs took too long");
	await measureLatencies(instance, plain, () => Date.now() > due - QUIET_MS);
	const quiet = await measureLatencies(instance, plain, () => Date.now() >= due - 100);
	await wait(due - Date.now());
	const busy = await measureLatencies(instance, plain, () => outside.late.length >= DUE_AT_ONCE);
	const compare = (what: string, share: number): Row => {
		const [floor, ours] = [pick(quiet, share), pick(busy, share)];
		return { what, unit: "ms", floor, ours, ratio: ours / floor };
	};
	return [
		compare("half of the triggers at most", 0.5),
		compare("99% at most", 0.99),
		compare("slowest", 1),
		{ what: "until all runs have gone on", unit: "s", ours: Math.max(...outside.late) / 1000 },
	];
}

/** Milliseconds of one trigger after the other, sorted. */
async function measureLatencies(instance: Instance, path: string, isOver: () => boolean): Promise<number[]> {
	const latencies: number[] = [];
	const until = Date.now() + MAX_WAIT_MS;
	while (!isOver()) {
		if (Date.now() > until) throw new Error("not all runs have gone on");
		const started = performance.now();
		await instance.answer(path);
		latencies.push(performance.now() - started);
	}
	return latencies.sort((one, other) => one - other);
}

const pick = (sorted: readonly number[], share: number): number =>
	sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;

const buildGraph = (url: string) => ({
	id: "waiting",
	nodes: [
		{ id: "before", component: "http_request", params: { method: "GET", url: `${url}/before` } },
		{ id: "pause", component: "wait", params: { until: "{{input.at}}" } },
		{ id: "after", component: "http_request", params: { method: "GET", url: `${url}/after/{{input.at}}` } },
	],
	edges: [
		{ from: "before", to: "pause", on: "ON_SUCCESS" },
		{ from: "pause", to: "after", on: "ON_SUCCESS" },
	],
});

async function acceptAll(
	instance: Instance,
	path: string,
	count: number,
	due: (nth: number) => number,
): Promise<void> {
	let next = 0;
	const work = async () => {
		while (next < count) await accept(instance, path, due(next++));
	};
	await Promise.all(Array.from({ length: CLIENTS }, work));
}

async function accept(instance: Instance, path: string, due: number): Promise<void> {
	const response = await fetch(instance.publicUrl + path, {
		method: "POST",
		headers: { ...HEADERS, prefer: "respond-async" },
		body: JSON.stringify({ at: new Date(due).toISOString() }),
	});
	const text = await response.text();
	if (response.status !== 202) throw new Error(`${path} answered ${response.status}: ${text}`);
}

interface UnfinishedRun {
	readonly id: string;
	readonly waits_for: string | null;
}

async function listUnfinished({ publicUrl }: Instance): Promise<UnfinishedRun[]> {
	const response = await fetch(`${publicUrl}/executions/unfinished?limit=100`, { headers: HEADERS });
	return ((await response.json()) as { executions: UnfinishedRun[] }).executions;
}

/** Another service, which knows how late it is called after a wait. */
async function openOutside() {
	/** Milliseconds after the time that each run waited for. */
	const late: number[] = [];
	const server = createServer((request, response) => {
		const [, which, at = ""] = (request.url ?? "").split("/");
		if (which === "after") late.push(Date.now() - Date.parse(decodeURIComponent(at)));
		response.setHeader("content-type", "application/json");
		response.end("{}");
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		env: { ALLOW_PRIVATE_HOSTS: `127.0.0.1:${port}` },
		late,
		/** Waits until so many runs have gone on, and a moment longer. */
		async waitForLate(count: number) {
			const until = Date.now() + MAX_WAIT_MS;
			while (late.length < count) {
				if (Date.now() > until) throw new Error(`${late.length} of ${count} runs have gone on`);
				await wait(100);
			}
			await wait(2_000);
		},
		[Symbol.asyncDispose]: async () => {
			server.closeAllConnections();
			server.close();
		},
	};
}
