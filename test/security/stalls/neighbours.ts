import { once } from "node:events";
import { setPriority } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { JSON_TYPE } from "../client.ts";
import { type Case, createNamed, type Step, send, trigger, webhook } from "./case.ts";
import { CORPUS } from "./corpus.ts";
import type { Load, Loaded } from "./neighbours-load.worker.ts";
import { list } from "./shapes.ts";
import { World } from "./world.ts";

/** How much slower a tenant may become because of another one. */
const MAX_RATIO = 3;
const CONNECTIONS = 8;
const FAILURES = 200;
/** Small enough that an event storm would use it up. */
const DAILY_LIMIT = 4_000;
const WARM_UP_MS = 2_000;
/** Step through the corpus, so that cases of all families come early. */
const STRIDE = 37;
const NEIGHBOUR = "neighbour";
const QUIET = "quiet";

interface Phase {
	readonly name: string;
	/** Runs until it is told to stop. */
	attack(world: World, isOver: () => boolean): Promise<void>;
}

interface Row {
	readonly name: string;
	/** The 99th percentile in milliseconds. */
	readonly alone: number;
	readonly beside: number;
	readonly calls: number;
	readonly unanswered: number;
	/** Expected failures of a third, quiet tenant, and how many of them are in the log. */
	readonly failures: number;
	readonly recorded: number;
	readonly ending: string | null;
	/** Long turns of the event loop per second, and where they spent their time if profiling is on. */
	readonly longTurns: number;
	readonly hot: readonly string[];
}

const PLAIN = {
	triplets: ["input >> then >> first", "first >> then >> second", "second >> then >> third"],
	config: {
		first: { component: "set", values: { name: "{{input.name}}" } },
		second: { component: "template", text: "Hello {{first.name}}" },
		third: { component: "set", values: { text: "{{second}}" } },
	},
};
const FAILING = {
	triplets: ["input >> then >> broken"],
	config: { broken: { component: "fail", message: "it broke" } },
};

const ENDLESS: readonly Step[] = [
	...webhook(() => ({
		triplets: list(20, (at) => `input >> then >> n${at}`),
		config: Object.fromEntries(list(20, (at) => [`n${at}`, { component: "code", code: "while (true) {}" }])),
		options: { timeout_ms: 4_000 },
	})),
	...list(3, () => trigger(() => ({}))),
];

const STORM: readonly Step[] = [
	send(
		"/workflows",
		() =>
			createNamed("storm", {
				triplets: ["input >> then >> l", "l >> FOREACH e >> emit"],
				config: {
					l: { component: "foreach", items: list(300, (at) => at), concurrency: 64 },
					emit: { component: "emit_event", type: "storm.neighbours" },
				},
				trigger: { type: "event", event: "storm.neighbours" },
			}),
		{ isPreparation: true },
	),
	...list(5, () => send("/events", () => ({ type: "storm.neighbours" }))),
];

const PHASES: readonly Phase[] = [
	{
		name: "while another tenant runs the corpus",
		async attack(world, isOver) {
			const cases = CORPUS.flatMap((family) => family.cases).filter(isForTenants);
			for (let at = 0; !isOver(); at += STRIDE)
				await world.carryOut((cases[at % cases.length] as Case).steps);
		},
	},
	{
		name: "while another tenant's code never ends",
		async attack(world, isOver) {
			const loop = async () => {
				while (!isOver()) await world.carryOut(ENDLESS);
			};
			await Promise.all(list(4, loop));
		},
	},
	{
		name: "while another tenant's events cause events",
		async attack(world, isOver) {
			await world.carryOut(STORM);
			while (!isOver()) await wait(100);
		},
	},
];

/** Cases that end the process or do not act as the tenant are measured elsewhere. */
const isForTenants = ({ steps }: Case): boolean =>
	steps.every((step) => step.kind === "send" && step.to === "service");

/** Measures how fast one tenant is answered, alone and while another attacks the service. */
export async function compareNeighbours(
	seconds: number,
	{ text, profiles }: { readonly text: string; readonly profiles: boolean },
): Promise<Row[]> {
	const scenes: Scene[] = [];
	for (const phase of PHASES) if (phase.name.includes(text)) scenes.push(await setUp(phase, profiles));
	// Processes started from here on inherit the low priority.
	lowerPriority();
	const rows: Row[] = [];
	for (const scene of scenes) rows.push(await compareScene(scene, seconds * 1000));
	return rows;
}

interface Scene {
	readonly phase: Phase;
	readonly world: World;
	/** The URL of a workflow that fails. */
	readonly failing: string;
	readonly load: ReturnType<typeof startLoad>;
}

async function setUp(phase: Phase, profiles: boolean): Promise<Scene> {
	const world = await World.open({
		profiles,
		settings: {
			MULTI_TENANT: "true",
			RATE_LIMIT_PER_MINUTE: "0",
			EXECUTION_LOG_DAILY_WRITE_LIMIT: String(DAILY_LIMIT),
		},
	});
	world.tenant = await createKey(world, NEIGHBOUR);
	const plain = await createWebhook(world, PLAIN);
	// The neighbour's many successes exceed its share of the day's records.
	world.tenant = await createKey(world, QUIET);
	const failing = await createWebhook(world, FAILING);
	world.tenant = await createKey(world, "attacker");
	const load = startLoad({ url: plain, connections: CONNECTIONS, body: '{"name":"Ada"}' });
	return { phase, world, failing, load };
}

async function compareScene(
	{ phase: { name, attack }, world, failing, load }: Scene,
	ms: number,
): Promise<Row> {
	try {
		load.start();
		await load.after(WARM_UP_MS);
		const alone = await load.after(ms);
		await world.reset();
		const until = performance.now() + ms;
		const attacked = attack(world, () => performance.now() > until);
		const failures = failSome(failing, ms);
		const beside = await load.after(ms);
		const reading = await world.read();
		load.stop();
		await attacked;
		const failed = await failures;
		await world.isQuiet();
		return {
			name,
			alone: percentile(alone.latencies, 99),
			beside: percentile(beside.latencies, 99),
			calls: beside.latencies.length,
			unanswered: beside.latencies.length - (beside.statuses["200"] ?? 0),
			failures: failed,
			recorded: world.service.isAlive ? await countRecordedFailures(world) : 0,
			ending: world.service.isAlive ? null : world.service.ending,
			longTurns: ((reading?.longTurns ?? 0) * 1000) / ms,
			hot: reading?.hotInLong ?? [],
		};
	} finally {
		await world.close();
	}
}

export const isWithinLimits = ({ alone, beside, unanswered, failures, recorded, ending }: Row): boolean =>
	beside <= MAX_RATIO * alone && unanswered === 0 && recorded >= failures && ending === null;

export function renderNeighbours(rows: readonly Row[]): string {
	const lines = rows.map((row) => {
		const { name, alone, beside, calls, unanswered, failures, recorded, ending, longTurns, hot } = row;
		const latency = `p99 ${beside.toFixed(1)} ms, alone ${alone.toFixed(1)} ms: ${(beside / alone).toFixed(1)} x`;
		const records = `${recorded} of ${failures} failures recorded`;
		const turns = `${longTurns.toFixed(1)} long turns a second`;
		const wrong = [
			...(unanswered > 0 ? [`${unanswered} of ${calls} calls not answered with 200`] : []),
			...(ending === null ? [] : [`the process ended: ${ending}`]),
		];
		return `${isWithinLimits(row) ? "ok  " : "over"}  ${name}: ${[latency, turns, records, ...wrong].join("; ")}${hot.map((line) => `\n      ${line}`).join("")}`;
	});
	return [...lines, `at most ${MAX_RATIO} x`].join("\n");
}

/**
 * Lowers the priority of this thread: a real attacker computes elsewhere, so preparing the attack must not slow down the
 * service. Only Linux has priorities of single threads.
 */
function lowerPriority(): void {
	if (process.platform === "linux") setPriority(19);
}

/** Creates a partner key. */
async function createKey({ clients }: World, namespace: string): Promise<string> {
	const options = { headers: JSON_TYPE, body: JSON.stringify({ namespace }) };
	const { body } = await clients.store.call("POST", "/partner-keys", options);
	return (body as { key: string }).key;
}

/** Creates a webhook and returns its URL. */
async function createWebhook({ clients, tenant, service }: World, document: object): Promise<string> {
	const options = { headers: ["x-service-api-key", tenant, ...JSON_TYPE], body: JSON.stringify(document) };
	const { body, text } = await clients.service.call("POST", "/webhooks", options);
	const { token } = (body ?? {}) as { token?: string };
	if (token === undefined) throw new Error(`no webhook was made: ${text}`);
	return `${service.publicUrl}/webhooks/${token}/trigger?trace=false`;
}

function startLoad(load: Load) {
	const worker = new Worker(new URL("./neighbours-load.worker.ts", import.meta.url), { workerData: load });
	return {
		start: () => worker.postMessage("start"),
		/** The measurements so far. */
		async after(ms: number): Promise<Loaded> {
			await wait(ms);
			worker.postMessage("read");
			const [loaded] = (await once(worker, "message")) as [Loaded];
			return loaded;
		},
		stop: () => worker.postMessage("stop"),
	};
}

/** Calls a failing workflow at intervals. Returns how many calls ran. */
async function failSome(url: string, ms: number): Promise<number> {
	let failed = 0;
	for (let nth = 0; nth < FAILURES; nth++) {
		const status = await fetch(url, { method: "POST", body: "{}" }).then(
			(response) => response.status,
			() => 0,
		);
		if (status === 500) failed++;
		await wait(ms / FAILURES / 2);
	}
	return failed;
}

async function countRecordedFailures({ clients }: World): Promise<number> {
	let count = 0;
	let cursor: string | null = "";
	while (cursor !== null) {
		const next: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
		const path = `/execution-log?owner_id=${QUIET}&verdict=failed&limit=100${next}`;
		const { body } = await clients.store.call("GET", path);
		const page = body as { executions: unknown[]; next_cursor: string | null };
		count += page.executions.length;
		cursor = page.next_cursor;
	}
	return count;
}

function percentile(values: readonly number[], percent: number): number {
	const sorted = values.toSorted((one, other) => one - other);
	return (
		sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ??
		Number.POSITIVE_INFINITY
	);
}
