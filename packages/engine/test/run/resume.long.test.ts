import assert from "node:assert/strict";
import { after, describe, mock, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Json } from "@tripline/contract/json";
import fc from "fast-check";
import * as z from "zod";
import { compileSource } from "../../src/compile.ts";
import type { NodeCall } from "../../src/component.ts";
import type { JournalRow, RunJournal } from "../../src/run/journal.ts";
import type { Outcome } from "../../src/run/outcome.ts";
import { run } from "../../src/run.ts";
import { TerminalError } from "../../src/terminal-error.ts";
import { buildOptions } from "./build.ts";
import { compile, define, type Outside, parts, type Workflow } from "./random-workflows.ts";

const START = 1_000_000;
/** Of the event loop, in which a resumed run and the workflows that it calls repeat what is recorded. */
const TURNS = 12;

/** What is outside a run and outlives its processes: the journal's disk, and the servers that its nodes call. */
class World {
	/** Rows by line: that of the run itself is the empty text, and each call of a workflow has its own. */
	readonly disk = new Map<string, JournalRow[]>();
	/** When each line was begun, if that is on disk. */
	readonly begun = new Map<string, number>();
	kills = 0;
	/** When the last process ended. */
	now = START;
	/** Calls by line, attempt and step. */
	readonly calls = new Map<string, number>();
	readonly problems: string[] = [];
	/** Whether a called workflow failed. */
	hasFailedCall = false;
	readonly #order: number;

	constructor(order: number) {
		this.#order = order;
	}

	/** Runs until the end, or until it is killed after some events. Null if it was killed. */
	async live(workflow: Workflow, killAfter: number): Promise<Outcome | null> {
		mock.timers.reset();
		mock.timers.enable({ apis: ["setTimeout", "Date"], now: this.now });
		const process = new Process(this, killAfter);
		const ended = await process.drive(new Line(process, "", workflow).run());
		this.now = Date.now();
		if (ended === null) this.kills += 1;
		return ended;
	}

	call(line: string, key: string): void {
		const place = `${line} ${key}`;
		const calls = (this.calls.get(place) ?? 0) + 1;
		this.calls.set(place, calls);
		if (this.list(line).some((row) => row.key === key))
			this.problems.push(`${place} was called although it is done`);
		if (calls > 1 + this.kills) this.problems.push(`${place} was called ${calls} times`);
	}

	list(line: string): readonly JournalRow[] {
		return this.disk.get(line) ?? [];
	}

	write(line: string, row: JournalRow, begun: number): void {
		this.disk.set(line, [...this.list(line), row]);
		if (!this.begun.has(line)) this.begun.set(line, begun);
	}

	/** Of all calls in progress the one that answers next: the same one in every process. */
	rank(key: string): number {
		let rank = this.#order;
		for (const character of key) rank = Math.imul(rank ^ character.charCodeAt(0), 16_777_619) >>> 0;
		return rank;
	}
}

/** One process that runs the workflow, with everything that is lost when it is killed. */
class Process {
	readonly world: World;
	#eventsLeft: number;
	/** Rows that are not on disk yet. */
	#unwritten: { readonly write: () => void; readonly resolve: () => void }[] = [];
	readonly #calls = new Map<string, () => void>();

	constructor(world: World, killAfter: number) {
		this.world = world;
		this.#eventsLeft = killAfter;
	}

	append(write: () => void): Promise<void> {
		return new Promise((resolve) => {
			this.#unwritten.push({ write, resolve });
		});
	}

	/** Calls a server, which answers when it is its turn, or never. */
	act(line: string, { step, attempt, params, signal }: NodeCall<Outside>): Promise<Json> {
		const key = `${attempt}:${step}`;
		this.world.call(line, key);
		const { fails = 0, hangs = 0, terminal = false } = params as Readonly<Record<string, number | boolean>>;
		if (attempt <= (hangs as number)) return new Promise(() => {});
		return new Promise((resolve, reject) => {
			const place = `${line} ${key}`;
			signal.addEventListener("abort", () => this.#calls.delete(place));
			this.#calls.set(place, () => {
				if (attempt > (fails as number)) resolve({ step, value: params.value ?? null } as Json);
				else reject(terminal ? new TerminalError("refused for good") : new Error(`refused ${attempt}`));
			});
		});
	}

	async drive(outcome: Outcome | Promise<Outcome>): Promise<Outcome | null> {
		let ended: Outcome | null = outcome instanceof Promise ? null : outcome;
		if (outcome instanceof Promise) outcome.then((value) => (ended = value));
		for (;;) {
			for (let turn = 0; turn < TURNS; turn++) await nextTurn();
			if (ended !== null) return ended;
			if (this.#eventsLeft === 0) return null;
			this.#eventsLeft -= 1;
			this.#happen();
		}
	}

	#happen(): void {
		if (this.#unwritten.length > 0) {
			const written = this.#unwritten;
			this.#unwritten = [];
			for (const { write } of written) write();
			for (const { resolve } of written) resolve();
			return;
		}
		const [next] = [...this.#calls.keys()].sort(
			(one, other) => this.world.rank(one) - this.world.rank(other),
		);
		if (next === undefined) {
			mock.timers.tick(1_000);
			return;
		}
		const answer = this.#calls.get(next);
		this.#calls.delete(next);
		answer?.();
	}
}

/** A run, or one attempt of a node that calls a workflow, as the executor runs it. */
class Line implements Outside {
	readonly process: Process;
	readonly #name: string;
	readonly #workflow: Workflow;

	constructor(process: Process, name: string, workflow: Workflow) {
		this.process = process;
		this.#name = name;
		this.#workflow = workflow;
	}

	run(signal?: AbortSignal): Outcome | Promise<Outcome> {
		const { world } = this.process;
		const startedAt = world.begun.get(this.#name) ?? (this.#name === "" ? START : Date.now());
		const journal: RunJournal = {
			rows: [...world.list(this.#name)],
			isCancelled: false,
			append: (row) => {
				const stored = structuredClone(row);
				return this.process.append(() => world.write(this.#name, stored, startedAt));
			},
			findEarlier: () => undefined,
			mayStart: () => true,
			settle() {},
			rest() {},
		};
		const { effects: _, ...options } = buildOptions({
			...{ clock: { now: () => Date.now() }, timeoutMs: 1_000_000_000, journal, startedAt },
			turns: { run: (goOn) => goOn(), later: (goOn) => void setImmediate(goOn) },
			...(signal !== undefined && { signal }),
		});
		return run(this.#workflow.plan, { ...options, effects: this });
	}

	act(call: NodeCall<Outside>): Promise<Json> {
		return this.process.act(this.#name, call);
	}

	waitUntil(until: number, signal: AbortSignal): Promise<void> {
		return new Promise((resolve, reject) => {
			const timer = setTimeout(resolve, until - Date.now());
			signal.addEventListener("abort", () => {
				clearTimeout(timer);
				reject(signal.reason);
			});
		});
	}

	async callWorkflow({ step, attempt, signal, params }: NodeCall<Outside>): Promise<Json> {
		const called = this.#workflow.called[params.workflow as number] as Workflow;
		const { success, error, data } = await new Line(
			this.process,
			`${this.#name}/${attempt}:${step}`,
			called,
		).run(signal);
		if (success) return data;
		this.process.world.hasFailedCall = true;
		throw new Error(error);
	}
}

/** Without times, which differ, and without what was logged by calls that were cancelled, which is not recorded. */
const describeOutcome = ({ duration_ms: _, nodes, ...outcome }: Outcome) => ({
	...outcome,
	nodes: nodes.map(({ duration_ms: _, log, ...node }) =>
		node.status === "cancelled" ? node : { ...node, log },
	),
});

interface Ended {
	readonly world: World;
	readonly outcome: Outcome;
}

/** `downtime`: milliseconds between a kill and the next process. */
async function runKilled(
	workflow: Workflow,
	order: number,
	kills: readonly number[],
	downtime = 0,
): Promise<Ended> {
	const world = new World(order);
	for (const events of [...kills, Number.POSITIVE_INFINITY]) {
		const outcome = await world.live(workflow, events);
		if (outcome !== null) return { world, outcome };
		world.now += downtime;
	}
	throw new Error("the run did not end");
}

const kills = fc.array(fc.nat(12), { maxLength: 6 });

describe("a run that is killed and resumed", () => {
	after(() => mock.timers.reset());

	test("takes the course of one that was never killed, and repeats no completed step", async () => {
		await fc.assert(
			fc.asyncProperty(parts(false), fc.nat(), kills, async (given, order, kills) => {
				const workflow = compile(given);
				const expected = await runKilled(workflow, order, []);
				const { world, outcome } = await runKilled(workflow, order, kills);
				assert.deepEqual(world.problems, []);
				assert.deepEqual(describeOutcome(outcome), describeOutcome(expected.outcome));
				assert.deepEqual(listKeys(world), listKeys(expected.world));
			}),
			{ numRuns: 300 },
		);
	});

	test("ends with the same result where time decides on the order of its steps", async () => {
		await fc.assert(
			fc.asyncProperty(parts(true), fc.nat(), kills, fc.nat(5_000), async (given, order, kills, downtime) => {
				const workflow = compile(given);
				const expected = await runKilled(workflow, order, []);
				const { world, outcome } = await runKilled(workflow, order, kills, downtime);
				assert.deepEqual(world.problems, []);
				assert.equal(outcome.success, expected.outcome.success);
				// Which of several failures is the first, and what it cancels, depends on the order; also in a collected element.
				if (!outcome.success || world.hasFailedCall || hasFailedElement(expected.outcome)) return;
				assert.deepEqual(withoutOrder(outcome), withoutOrder(expected.outcome));
				assert.deepEqual(listKeys(world).sort(), listKeys(expected.world).sort());
			}),
			{ numRuns: 300 },
		);
	});
});

test("a pure component has no effects", async () => {
	const [, component] = define("cheat", z.strictObject({}), ({ effects }) => effects !== undefined, {
		isPure: true,
	});
	const cheats = { get: () => component, ids: () => ["cheat"] };
	const json = { triplets: ["input >> then >> only"], config: { only: { component: "cheat" } } };
	const { plan } = compileSource({ json }, { catalogue: cheats, named: false });
	assert.ok(plan !== null);
	const world = new World(0);
	const effects = new Line(new Process(world, 0), "", { plan, called: [] });
	const { error } = await run(plan, { ...buildOptions(), effects });
	assert.equal(error, "only: a component that is pure has no effects");
});

const hasFailedElement = ({ warning = "" }: Outcome): boolean => warning.includes("elements failed");

const listKeys = ({ disk }: World): string[] =>
	[...disk.entries()].flatMap(([line, rows]) => rows.map(({ key }) => `${line} ${key}`));

/** Without what depends on the order of steps: that of log lines, and which element of a loop failed first. */
function withoutOrder(outcome: Outcome) {
	const { nodes, warning, ...rest } = describeOutcome(outcome);
	const withoutElement = (text: string) => text.replace(/; element \d+: .*/, "");
	return {
		...rest,
		warning: warning && withoutElement(warning),
		nodes: nodes.map((node) =>
			"log" in node ? { ...node, log: node.log?.map(withoutElement).toSorted() } : node,
		),
	};
}
