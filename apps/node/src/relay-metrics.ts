import type { Family, Metrics } from "@tripline/platform/metrics";
import { mergeFamilies } from "@tripline/platform/metrics-text";

/** What one of several processes has counted. */
export interface Collected {
	readonly process: number;
	readonly families: readonly Family[];
}

/** From a process to its supervisor: a question, or the answer to one. */
export type ToSupervisor =
	| { readonly metrics: "ask"; readonly id: number }
	| { readonly metrics: "answer"; readonly id: number; readonly families: readonly Family[] };

/** From the supervisor to a process: what it should answer, or what the others have answered. */
export type ToProcess =
	| { readonly metrics: "collect"; readonly id: number }
	| { readonly metrics: "all"; readonly id: number; readonly collected: readonly Collected[] };

interface Asked {
	readonly number: number;
	send(message: ToProcess): void;
}

/** A process that hangs is left out of the scrape. */
const ANSWER_MS = 1_000;

/** Passes the question of one process on to the others, and their answers back: a scrape reaches only one of them. */
export function relayMetrics(list: () => readonly Asked[], timeoutMs = ANSWER_MS) {
	const waiting = new Map<number, (answer: Collected) => void>();
	let lastId = 0;

	return async (from: Asked, message: ToSupervisor): Promise<void> => {
		if (message.metrics === "answer") {
			waiting.get(message.id)?.({ process: from.number, families: message.families });
			return;
		}
		const others = list().filter(({ number }) => number !== from.number);
		const collected = await ask(others);
		from.send({ metrics: "all", id: message.id, collected });
	};

	async function ask(others: readonly Asked[]): Promise<readonly Collected[]> {
		const collected: Collected[] = [];
		if (others.length === 0) return collected;
		const id = ++lastId;
		const { promise, resolve } = Promise.withResolvers<void>();
		waiting.set(id, (answer) => {
			if (collected.push(answer) === others.length) resolve();
		});
		const timer = setTimeout(resolve, timeoutMs);
		for (const other of others) other.send({ metrics: "collect", id });
		await promise;
		clearTimeout(timer);
		waiting.delete(id);
		return collected.toSorted((one, other) => one.process - other.process);
	}
}

/** The other processes on this machine, as one of them sees them. */
export interface Siblings {
	/** The number of this process. */
	readonly number: number;
	/** What the others have counted that answer in time. */
	collect(): Promise<readonly Collected[]>;
	/** How this process answers the others. */
	answer(collect: () => Promise<readonly Family[]>): void;
}

export function createSiblings(deps: {
	readonly number: number;
	send(message: ToSupervisor): void;
	onMessage(listener: (message: unknown) => void): void;
	readonly timeoutMs?: number;
}): Siblings {
	const waiting = new Map<number, (collected: readonly Collected[]) => void>();
	let answer: () => Promise<readonly Family[]> = async () => [];
	let lastId = 0;
	deps.onMessage((message) => {
		if (!isToProcess(message)) return;
		const { id } = message;
		if (message.metrics === "all") waiting.get(id)?.(message.collected);
		else void answer().then((families) => deps.send({ metrics: "answer", id, families }));
	});
	return {
		number: deps.number,
		async collect() {
			const id = ++lastId;
			const { promise, resolve } = Promise.withResolvers<readonly Collected[]>();
			waiting.set(id, resolve);
			// The supervisor waits for the others, and may itself be stopping.
			const timer = setTimeout(resolve, 2 * (deps.timeoutMs ?? ANSWER_MS), []);
			deps.send({ metrics: "ask", id });
			const collected = await promise;
			clearTimeout(timer);
			waiting.delete(id);
			return collected;
		},
		answer(collect) {
			answer = collect;
		},
	};
}

/** Of this process and its siblings, which the label `process` tells apart. */
export async function collectMetrics(metrics: Metrics, siblings?: Siblings): Promise<readonly Family[]> {
	if (siblings === undefined) return metrics.collect();
	const [shared, families, others] = await Promise.all([
		metrics.collect("shared"),
		metrics.collect("own"),
		siblings.collect(),
	]);
	const processes = [{ process: siblings.number, families }, ...others];
	return mergeFamilies([
		{ labels: {}, families: shared },
		...processes.map((each) => ({ labels: { process: String(each.process) }, families: each.families })),
	]);
}

const isToProcess = (message: unknown): message is ToProcess =>
	typeof message === "object" && message !== null && "metrics" in message;
