import { setTimeout as wait } from "node:timers/promises";
import { checkHistory, type Violation } from "./check.ts";
import { Client, giveUpAfter, type Tally, type Until } from "./client.ts";
import { startDeployment } from "./deployment.ts";
import { type Fault, type FaultCounts, injectFaults, planFaults } from "./faults.ts";
import { readEnds, readEverything } from "./final.ts";
import { createHistory, type History } from "./history.ts";
import { approvals } from "./load/approvals.ts";
import { echoes } from "./load/echoes.ts";
import { events } from "./load/events.ts";
import { files } from "./load/files.ts";
import { ingest } from "./load/ingest.ts";
import type { Callers, Load } from "./load/load.ts";
import { logins } from "./load/logins.ts";
import { reads, saves } from "./load/saves.ts";
import { schedules } from "./load/schedules.ts";
import { steps } from "./load/steps.ts";
import { startOutside } from "./outside.ts";
import { Random } from "./random.ts";
import { TENANTS } from "./tenants.ts";

export interface ChaosOptions extends FaultCounts {
	readonly seed: number;
	/** When no further faults are injected. */
	readonly maxMinutes: number;
	report(line: string): void;
	/** Ends everything at once. */
	readonly signal?: AbortSignal;
}

export interface ChaosResult {
	readonly history: History;
	readonly tally: Tally;
	readonly faults: readonly Fault[];
	readonly violations: readonly Violation[];
	readonly minutes: number;
	/** How long everything that was accepted took to end after the last fault. */
	readonly settledMs: number;
	readonly hasDisk: boolean;
}

const LOADS: readonly Load[] = [
	echoes,
	saves,
	reads,
	schedules,
	events,
	steps,
	approvals,
	logins,
	ingest,
	files,
];

/** Until when everything that was accepted must have ended, after the last fault. */
const MAX_SETTLE_MS = 60_000;
/** Callers go on for a moment when the faults are over. */
const AFTER_FAULTS_MS = 3_000;
const REPORT_MS = 15_000;
const POLL_MS = 500;
const WATCHED_AT_ONCE = 10;
/** How long callers may take to prepare, before the first fault. */
const MAX_PREPARE_MS = 60_000;

/** Callers and faults at the same time; then the history is checked. */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
	const { seed, report } = options;
	const started = performance.now();
	const random = new Random(seed);
	// Callers and servers have their own, so that the faults of a seed are always the same.
	const others = new Random(seed + 1);
	const history = createHistory();
	const tally: Tally = { statuses: new Map(), successes: [] };
	const faults: Fault[] = [];
	const outside = await startOutside(history, others);
	const deployment = await startDeployment(history, others, outside);
	const reporting = setInterval(() => report(renderProgress()), REPORT_MS);
	try {
		return await Promise.race([perform(), waitForAbort(options.signal)]);
	} finally {
		clearInterval(reporting);
		await deployment.stop();
		outside.close();
	}

	async function perform(): Promise<ChaosResult> {
		await deployment.waitUntilReady();
		const clients = TENANTS.map((tenant) => new Client(tenant, deployment.ports, history, tally));
		const callers = (until: Until) =>
			clients.map((client): Callers => ({ client, history, outside, random: others, until }));
		await prepare(callers(giveUpAfter(MAX_PREPARE_MS)));
		const stop = { isCalling: true, giveUpAt: Number.POSITIVE_INFINITY };
		const isCalling = () => stop.isCalling;
		const calling = Promise.all([
			startCalling(callers({ isOver: () => performance.now() > stop.giveUpAt }), isCalling),
			watchEnds(clients, isCalling),
		]);
		// A caller's own failure is reported when the faults are over.
		calling.catch(() => {});
		await injectFaults(deployment, random, {
			plan: planFaults(random, options, deployment.disk !== null),
			until: started + options.maxMinutes * 60_000,
			onHealed(fault) {
				faults.push(fault);
				report(
					`${renderSeconds(fault.began)} to ${renderSeconds(fault.healed)}: ${fault.kind}, ${fault.detail}`,
				);
			},
		});
		const ended = performance.now();
		report("the faults are over");
		stop.giveUpAt = ended + MAX_SETTLE_MS;
		await deployment.waitUntilReady();
		await wait(AFTER_FAULTS_MS);
		stop.isCalling = false;
		await calling;
		while ((await readEnds(history, clients)) > 0 || hasOpenEvents(history)) {
			if (performance.now() - ended > MAX_SETTLE_MS) break;
			await wait(POLL_MS);
		}
		const settledMs = performance.now() - ended;
		await readEverything(history, clients);
		return {
			history,
			tally,
			faults,
			violations: checkHistory(history),
			minutes: (performance.now() - started) / 60_000,
			settledMs,
			hasDisk: deployment.disk !== null,
		};
	}

	/** A few at a time, so that not all of them are asked for at the end. */
	async function watchEnds(clients: readonly Client[], isCalling: () => boolean): Promise<void> {
		while (isCalling()) {
			await readEnds(history, clients, (open) => others.shuffle(open).slice(0, WATCHED_AT_ONCE));
			await wait(POLL_MS);
		}
	}

	function renderSeconds(time: number): string {
		return `${((time - started) / 1000).toFixed(1)} s`;
	}

	function renderProgress(): string {
		const open = history.accepted.filter(({ end }) => end === null).length;
		return `${renderSeconds(performance.now())}: ${faults.length} faults, ${tally.successes.length} calls answered well, ${history.accepted.length} runs accepted, ${open} not known to have ended`;
	}
}

function waitForAbort(signal?: AbortSignal): Promise<never> {
	return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
}

async function prepare(tenants: readonly Callers[]): Promise<void> {
	for (const load of LOADS) await Promise.all(tenants.map((callers) => load.prepare?.(callers)));
}

/** Resolves when all callers have ended their last round. */
async function startCalling(tenants: readonly Callers[], isCalling: () => boolean): Promise<void> {
	const call = async (load: Load, callers: Callers) => {
		while (isCalling()) {
			await load.round(callers);
			if (isCalling()) await wait(callers.random.between(0, load.maxPauseMs));
		}
	};
	await Promise.all(
		LOADS.flatMap((load) =>
			tenants.flatMap((callers) => Array.from({ length: load.callers ?? 1 }, () => call(load, callers))),
		),
	);
}

/** Whether an acknowledged event has not led to a call yet. */
function hasOpenEvents({ events: sent, outside }: History): boolean {
	const arrived = new Set(outside.map(({ tenant, subject }) => `${tenant} ${subject}`));
	return sent.some(({ tenant, id, isAcknowledged }) => isAcknowledged && !arrived.has(`${tenant} ${id}`));
}
