import assert from "node:assert/strict";
import { after, describe, mock, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Json } from "@tripline/contract/json";
import type { NodeCall } from "@tripline/engine/component";
import { run } from "@tripline/engine/run";
import type { Outcome } from "@tripline/engine/run/outcome";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { HeldRun } from "@tripline/platform/journal";
import fc from "fast-check";
import { buildOptions } from "../../../packages/engine/test/run/build.ts";
import {
	compile,
	type Outside,
	type Part,
	parts,
	type Workflow,
} from "../../../packages/engine/test/run/random-workflows.ts";
import type { StoredRow } from "../src/durable/rows.ts";
import { DurableRun, type Line } from "../src/durable/run.ts";
import { sleep } from "../src/runs/sleep.ts";

const START = 1_000_000;
/** All delays of random workflows are multiples of it. */
const TICK_MS = 100;
/** Of the event loop, in which a resumed run and the workflows that it calls repeat what is recorded. */
const TURNS = 60;
/** Longer than a retry's delay, or a node's timeout, and shorter than a wait. */
const MAX_IDLE_MS = 3_000;
const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
const NO_CIPHER = {
	seal: (text: string) => encoder.encode(text),
	open: (bytes: Uint8Array) => decoder.decode(bytes),
};

/** What outlives the processes of a run: its steps, and the servers that its nodes call. */
class World {
	readonly disk = new Map<string, Uint8Array[]>();
	/** Calls by line, attempt and step. */
	readonly calls = new Map<string, number>();
	readonly problems: string[] = [];
	now = START;
	parks = 0;
	kills = 0;
	hasFailedCall = false;
	readonly mayPark: boolean;
	readonly order: number;

	constructor(order: number, mayPark: boolean) {
		this.order = order;
		this.mayPark = mayPark;
	}

	/** Runs until the end, until it parks, or until it is killed after some events. Null if it did not end. */
	async live(workflow: Workflow, killAfter: number): Promise<Outcome | null> {
		mock.timers.reset();
		mock.timers.enable({ apis: ["setTimeout", "Date"], now: this.now });
		const process = new Process(this, killAfter);
		const ended = await process.drive(workflow);
		this.now = Date.now();
		const until = process.run.stopped?.until ?? null;
		if (ended !== null) return ended;
		if (until === null) this.kills += 1;
		else {
			this.parks += 1;
			this.now = until;
		}
		return null;
	}

	/** Key and outcome of each row, by line. */
	list(): string[] {
		return [...this.disk].flatMap(([line, batches]) =>
			batches.flatMap((bytes) =>
				(JSON.parse(decoder.decode(bytes)) as StoredRow[])
					.filter(({ key }) => key.includes(":"))
					.map(({ key, outcome }) => `${line} ${key} ${JSON.stringify(outcome)}`),
			),
		);
	}
}

/** One process that holds the run. */
class Process {
	readonly world: World;
	readonly run: DurableRun;
	#eventsLeft: number;
	/** When anything has happened last. */
	#activeAt = Date.now();
	#unwritten: { readonly write: () => void; readonly resolve: () => void }[] = [];
	/** Calls in progress, with what answers them; null if they hang. */
	readonly #calls = new Map<string, (() => void) | null>();

	constructor(world: World, killAfter: number) {
		this.world = world;
		this.#eventsLeft = killAfter;
		const held: HeldRun = {
			...{ tag: "", bytes: 0, idleTakes: 0, isCancelled: false },
			list: (line) => world.disk.get(line) ?? [],
			append: (line, bytes) =>
				new Promise((resolve) => {
					const write = () => world.disk.set(line, [...(world.disk.get(line) ?? []), bytes]);
					this.#unwritten.push({ write, resolve });
				}),
		};
		const clock = { now: () => Date.now() };
		const start = { started_at: START };
		this.run = new DurableRun({
			...{
				held,
				cipher: NO_CIPHER,
				key: new Uint8Array(32),
				start,
				maxEffects: Number.POSITIVE_INFINITY,
				hasPeers: false,
				clock,
				earlier: null,
			},
		});
	}

	async drive(workflow: Workflow): Promise<Outcome | null> {
		let ended: Outcome | null = null;
		const line = await this.run.openLine("");
		const outcome = runLine(this, line, workflow, START, this.run.signal);
		void Promise.resolve(outcome).then((value) => {
			ended = value;
		});
		for (;;) {
			for (let turn = 0; turn < TURNS; turn++) await nextTurn();
			if (this.run.stopped !== null) {
				const open = [...this.#calls.keys()];
				if (open.length > 0 || this.#unwritten.length > 0)
					this.world.problems.push(`it parked while ${open.join(", ")} or a row was under way`);
				return null;
			}
			if (ended !== null) return ended;
			if (this.#eventsLeft === 0) return null;
			this.#eventsLeft -= 1;
			this.#happen();
		}
	}

	/** Calls a server, which answers when it is its turn, or never. */
	act(line: string, { step, attempt, params, signal }: NodeCall<Outside>): Promise<Json> {
		const place = `${line} ${attempt}:${step}`;
		this.#activeAt = Date.now();
		const calls = (this.world.calls.get(place) ?? 0) + 1;
		this.world.calls.set(place, calls);
		if (calls > 1 + this.world.kills) this.world.problems.push(`${place} was called ${calls} times`);
		const { fails = 0, hangs = 0, terminal = false } = params as Readonly<Record<string, number | boolean>>;
		return new Promise((resolve, reject) => {
			signal.addEventListener("abort", () => {
				this.#calls.delete(place);
				// A connection takes a moment to close.
				setImmediate(() => reject(signal.reason));
			});
			const answer = () => {
				if (attempt > (fails as number)) resolve({ step, value: params.value ?? null } as Json);
				else reject(terminal ? new TerminalError("refused for good") : new Error(`refused ${attempt}`));
			};
			this.#calls.set(place, attempt <= (hangs as number) ? null : answer);
		});
	}

	async wait(line: Line, until: number, signal: AbortSignal): Promise<void> {
		this.#activeAt = Date.now();
		if (this.world.mayPark) await line.waitUntil(until, signal, async () => null);
		else await line.run.untracked(() => sleep(until - Date.now(), signal));
		const idle = Date.now() - this.#activeAt;
		if (this.world.mayPark && idle > MAX_IDLE_MS)
			this.world.problems.push(`it stayed for ${idle} ms in which nothing happened`);
		this.#activeAt = Date.now();
	}

	#happen(): void {
		if (this.#unwritten.length > 0) {
			this.#activeAt = Date.now();
			const written = this.#unwritten;
			this.#unwritten = [];
			for (const { write } of written) write();
			for (const { resolve } of written) resolve();
			return;
		}
		const [next] = [...this.#calls]
			.filter(([, answer]) => answer !== null)
			.sort(([one], [other]) => this.#rank(one) - this.#rank(other));
		if (next === undefined) {
			mock.timers.tick(TICK_MS);
			return;
		}
		const [place, answer] = next;
		this.#calls.delete(place);
		answer?.();
	}

	/** The same in every process. */
	#rank(place: string): number {
		let rank = this.world.order;
		for (const character of place) rank = Math.imul(rank ^ character.charCodeAt(0), 16_777_619) >>> 0;
		return rank;
	}
}

function runLine(
	process: Process,
	line: Line,
	workflow: Workflow,
	startedAt: number,
	signal: AbortSignal,
): Outcome | Promise<Outcome> {
	const effects: Outside = {
		act: (call) => process.act(line.name, call),
		waitUntil: (until, signal) => process.wait(line, until, signal),
		callWorkflow: ({ step, attempt, signal, params }) =>
			line.run.callWorkflow(async () => {
				const called = workflow.called[params.workflow as number] as Workflow;
				const inner = await line.run.openCall(line, { step, attempt, isCancelled: false });
				return line.during(inner, async () => {
					const started_at = inner.start?.started_at ?? Date.now();
					if (inner.start === null) inner.begin({ started_at });
					const { success, error, data } = await runLine(process, inner, called, started_at, signal);
					if (success) return data;
					process.world.hasFailedCall = true;
					throw new Error(error);
				});
			}),
	};
	const { effects: _, ...options } = buildOptions({
		...{ clock: { now: () => Date.now() }, timeoutMs: 1_000_000_000, journal: line, startedAt, signal },
		turns: { run: (goOn) => goOn(), later: (goOn) => void setImmediate(goOn) },
	});
	return run(workflow.plan, { ...options, effects });
}

interface Ended {
	readonly world: World;
	readonly outcome: Outcome;
}

const MAX_LIVES = 500;

async function runToEnd(world: World, workflow: Workflow, kills: readonly number[] = []): Promise<Ended> {
	for (let life = 0; life < MAX_LIVES; life++) {
		const outcome = await world.live(workflow, kills[world.kills] ?? Number.POSITIVE_INFINITY);
		if (outcome !== null) return { world, outcome };
	}
	throw new Error("the run did not end");
}

const describeOutcome = ({ success, data, error }: Outcome) => ({ success, data, error });

describe("a run that leaves its process while it waits", () => {
	after(() => mock.timers.reset());

	test("does the same as one that stays, and leaves whenever only a wait goes on", async () => {
		let parks = 0;
		await fc.assert(
			fc.asyncProperty(parts(true, true), fc.nat(), async (given, order) => {
				const workflow = compile(given);
				const expected = await runToEnd(new World(order, false), workflow);
				const { world, outcome } = await runToEnd(new World(order, true), workflow);
				parks += world.parks;
				assert.deepEqual(world.problems, []);
				assert.equal(outcome.success, expected.outcome.success);
				// Which of several failures is the first, and what it cancels, depends on the order.
				if (!outcome.success || world.hasFailedCall) return;
				assert.deepEqual(describeOutcome(outcome), describeOutcome(expected.outcome));
				assert.deepEqual(world.list().sort(), expected.world.list().sort());
				assert.deepEqual(new Map(world.calls), new Map(expected.world.calls));
			}),
			{ numRuns: 120 },
		);
		assert.ok(parks > 0);
	});

	test("ends as one that stays, also if it is killed", async () => {
		await fc.assert(
			fc.asyncProperty(
				parts(true),
				fc.nat(),
				fc.array(fc.nat(12), { maxLength: 6 }),
				async (given, order, kills) => {
					const workflow = compile(given);
					const expected = await runToEnd(new World(order, false), workflow);
					const { world, outcome } = await runToEnd(new World(order, true), workflow, kills);
					assert.deepEqual(world.problems, []);
					assert.equal(outcome.success, expected.outcome.success);
					if (!outcome.success || world.hasFailedCall) return;
					assert.deepEqual(describeOutcome(outcome), describeOutcome(expected.outcome));
				},
			),
			{ numRuns: 120 },
		);
	});

	for (const kind of ["act", "ponder"] as const)
		test(`leaves although ${kind === "act" ? "a call" : "a node that computes"} was cancelled before`, async () => {
			const act = { kind: "act", retries: 0, terminal: false, handled: null } as const;
			const failing: Part = { ...act, fails: 1, hangs: 0 };
			const other: Part = kind === "act" ? { ...act, fails: 0, hangs: 1 } : { kind };
			const body: Part[] = [{ kind: "both", one: [failing], other: [other] }];
			const loop: Part = { kind: "repeat", turns: 1, delay: 0, handled: "ON_FAIL", body };
			const pause: Part = { kind: "pause", ms: 10_000, timeout: 0, handled: null };
			const workflow = compile([{ kind: "both", one: [loop], other: [pause] }]);
			const { world, outcome } = await runToEnd(new World(0, true), workflow);
			assert.deepEqual([world.problems, world.parks, outcome.error], [[], 1, undefined]);
		});
});
