import { setTimeout as wait } from "node:timers/promises";
import type { Deployment } from "./deployment.ts";
import { Random } from "./random.ts";

type FaultKind = "kill" | "crash" | "cut" | "delay" | "full disk";

export interface Fault {
	readonly kind: FaultKind;
	readonly detail: string;
	/** Milliseconds of the monotonic clock. */
	readonly began: number;
	/** When its cause was over: the rest is up to the service. */
	readonly healed: number;
}

export interface FaultCounts {
	readonly kills: number;
	readonly crashes: number;
}

const GAP_MS = [200, 4_000] as const;
/** A pause now and then, because only a process that has lived for a while may judge that another one is dead. */
const CALM_EVERY = 10;
/** How often a fault waits until two processes are ready. Otherwise a slow machine would hardly ever serve anybody. */
const SPARING = 0.75;
const MIN_READY = 2;
const CALM_MS = [16_000, 24_000] as const;
const KILLED_MS = [0, 2_000] as const;
const CRASHED_MS = [0, 3_000] as const;
const DELAY_MS = [20, 500] as const;
const DELAYED_MS = [1_000, 5_000] as const;
const FULL_MS = [1_000, 4_000] as const;
const MAX_RECOVERY_MS = 60_000;
const POLL_MS = 50;

/** Each has random numbers of its own, so that a seed gives the same faults however they overlap. */
interface PlannedFault {
	readonly kind: FaultKind;
	readonly seed: number;
}

/** In a random order. There is a cut and a delay for every ten kills, and a full disk for every twenty. */
export function planFaults(
	random: Random,
	{ kills, crashes }: FaultCounts,
	hasDisk: boolean,
): PlannedFault[] {
	const count: Readonly<Record<FaultKind, number>> = {
		kill: kills,
		crash: crashes,
		cut: Math.ceil(kills / 10),
		delay: Math.ceil(kills / 10),
		"full disk": hasDisk ? Math.ceil(kills / 20) : 0,
	};
	return random
		.shuffle(
			Object.entries(count).flatMap(([kind, times]) => Array<FaultKind>(times).fill(kind as FaultKind)),
		)
		.map((kind) => ({ kind, seed: Math.floor(random.between(0, 2 ** 32)) }));
}

/** Injects the planned faults, until all have happened or the time is over, and waits until the last has healed. */
export async function injectFaults(
	deployment: Deployment,
	random: Random,
	{ plan, until, onHealed }: { plan: readonly PlannedFault[]; until: number; onHealed(fault: Fault): void },
): Promise<void> {
	/** What happens to the database server happens one after the other; everything else may overlap. */
	let lastOfServer: Promise<void> = Promise.resolve();
	const all: Promise<void>[] = [];
	for (const [index, { kind, seed }] of plan.entries()) {
		if (performance.now() > until) break;
		if (index > 0 && index % CALM_EVERY === 0) {
			await Promise.all(all);
			await wait(random.between(...CALM_MS));
		}
		await wait(random.between(...GAP_MS));
		if (random.next() < SPARING) await waitForProcesses();
		if (kind === "crash" || kind === "full disk") {
			lastOfServer = lastOfServer.then(() => inject(kind, seed));
			all.push(lastOfServer);
		} else all.push(inject(kind, seed));
		// Reported below.
		all.at(-1)?.catch(() => {});
	}
	await Promise.all(all);

	async function waitForProcesses(): Promise<void> {
		const isReady = () => deployment.processes.filter(({ ports }) => ports !== null).length >= MIN_READY;
		while (!isReady() && performance.now() < until) await wait(POLL_MS);
	}

	async function inject(kind: FaultKind, seed: number): Promise<void> {
		const began = performance.now();
		const detail = await FAULTS[kind](deployment, new Random(seed));
		onHealed({ kind, detail, began, healed: performance.now() });
	}
}

/** Each resolves when its cause is over, with what it did. */
const FAULTS: Readonly<Record<FaultKind, (deployment: Deployment, random: Random) => Promise<string>>> = {
	async kill({ processes }, random) {
		const ms = random.between(...KILLED_MS);
		const ready = processes.filter(({ ports }) => ports !== null);
		// One that is about to start may be killed as well.
		const victim = random.pick(ready.length > 0 ? ready : processes);
		victim.kill(ms);
		await wait(ms);
		return `process ${victim.name}, started again after ${Math.round(ms)} ms`;
	},

	async crash({ postgres }, random) {
		const ms = random.between(...CRASHED_MS);
		await postgres.crash();
		await wait(ms);
		await postgres.restart();
		return `restarted after ${Math.round(ms)} ms`;
	},

	async cut({ database }) {
		return `${database.cut()} connections`;
	},

	async delay({ database }, random) {
		const [delayMs, ms] = [random.between(...DELAY_MS), random.between(...DELAYED_MS)];
		database.delayMs = delayMs;
		await wait(ms);
		database.delayMs = 0;
		return `${Math.round(delayMs)} ms for ${Math.round(ms)} ms`;
	},

	async "full disk"({ postgres, disk }, random) {
		const ms = random.between(...FULL_MS);
		disk?.fill();
		await wait(ms);
		disk?.free();
		const ended = await recoverServer(postgres);
		return `for ${Math.round(ms)} ms${ended ? ", which ended the server" : ""}`;
	},
};

/** A server that found no room for its log has ended, or recovers by itself. Returns whether it had ended. */
async function recoverServer(postgres: Deployment["postgres"]): Promise<boolean> {
	// It may be about to end.
	await wait(20 * POLL_MS);
	if (postgres.isRunning) return false;
	const until = performance.now() + MAX_RECOVERY_MS;
	for (;;) {
		try {
			await postgres.restart();
			return true;
		} catch (error) {
			if (performance.now() > until) throw error;
			await wait(POLL_MS);
		}
	}
}
