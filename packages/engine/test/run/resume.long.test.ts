import assert from "node:assert/strict";
import { after, describe, mock, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import fc from "fast-check";
import * as z from "zod";
import { compileSource } from "../../src/compile.ts";
import type { Component, NodeCall } from "../../src/component.ts";
import type { Plan } from "../../src/plan.ts";
import type { JournalRow, RunJournal } from "../../src/run/journal.ts";
import type { Outcome } from "../../src/run/outcome.ts";
import { run } from "../../src/run.ts";
import { TerminalError } from "../../src/terminal-error.ts";
import { buildOptions } from "./build.ts";

const START = 1_000_000;
const RETRY_DELAY_MS = 700;
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
	act(line: string, { step, attempt, params, signal }: NodeCall<Line>): Promise<Json> {
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
class Line {
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

	act(call: NodeCall<Line>): Promise<Json> {
		return this.process.act(this.#name, call);
	}

	async callWorkflow({ step, attempt, signal, params }: NodeCall<Line>): Promise<Json> {
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

const define = (
	id: string,
	params: z.ZodType,
	run: Component<Line>["run"],
	more: Partial<Component<Line>> = {},
): [string, Component<Line>] => [
	id,
	{
		...{ id, version: "1", title: id, description: id, params, output: z.unknown() },
		...{ hosts: [], takesCredentials: false, examples: [], run, ...more },
	},
];

const components = new Map([
	define(
		"act",
		z.strictObject({
			value: z.unknown(),
			fails: z.int().optional(),
			hangs: z.int().optional(),
			terminal: z.boolean().optional(),
		}),
		(call) => {
			call.log(`acts on ${JSON.stringify(call.params.value)}`);
			return call.effects.act(call);
		},
	),
	define("call", z.strictObject({ workflow: z.int() }), (call) => call.effects.callWorkflow(call)),
	define("give", z.strictObject({ value: z.unknown() }), ({ params }) => params.value as Json, {
		isPure: true,
	}),
	define(
		"ponder",
		z.strictObject({ value: z.unknown() }),
		async (call) => {
			await call.turn();
			return call.params.value as Json;
		},
		{ isPure: true },
	),
	define(
		"repeat",
		z.strictObject({ until: z.string(), max: z.int().default(20), delay_ms: z.int().default(0) }),
		() => ({ turns: 1 }),
		{ expressions: { until: "turn" }, isPure: true },
	),
]);
const catalogue = { get: (id: string) => components.get(id), ids: () => [...components.keys()] };

/** A part of a workflow; a list is done one after the other. */
type Part =
	| {
			readonly kind: "act";
			readonly fails: number;
			readonly hangs: number;
			readonly retries: number;
			readonly terminal: boolean;
			readonly handled: Handling;
	  }
	| { readonly kind: "give" | "ponder" }
	| {
			readonly kind: "foreach";
			readonly items: number;
			readonly concurrency: number;
			readonly collect: boolean;
			readonly body: readonly Part[];
	  }
	| {
			readonly kind: "repeat";
			readonly turns: number;
			readonly delay: number;
			readonly body: readonly Part[];
	  }
	| {
			readonly kind: "call";
			readonly retries: number;
			readonly handled: Handling;
			readonly body: readonly Part[];
	  }
	| { readonly kind: "both"; readonly one: readonly Part[]; readonly other: readonly Part[] };
type Handling = "ON_FAIL" | "ALWAYS" | null;

/** `isTimed`: whether time decides on the order of steps, because calls may time out and not all waits are equally long. */
const act = (isTimed: boolean) =>
	fc.record({
		kind: fc.constant("act" as const),
		fails: fc.constantFrom(0, 0, 0, 1, 2),
		hangs: fc.constantFrom(0, 0, 0, isTimed ? 1 : 0),
		retries: fc.constantFrom(0, 1, isTimed ? 2 : 1),
		terminal: fc.boolean(),
		handled: fc.constantFrom<Handling>(null, "ON_FAIL", "ALWAYS"),
	});

/** Where time decides on the order there may also be nodes that compute for a while. */
const parts = (isTimed: boolean) =>
	fc.letrec<{ parts: Part[]; part: Part }>((tie) => ({
		parts: fc.array(tie("part"), { minLength: 1, maxLength: 3 }),
		part: fc.oneof(
			{ depthSize: "small", maxDepth: 3 },
			act(isTimed),
			fc.record({
				kind: isTimed ? fc.constantFrom("give" as const, "ponder" as const) : fc.constant("give" as const),
			}),
			fc.record({
				kind: fc.constant("foreach" as const),
				items: fc.nat(3),
				concurrency: fc.constantFrom(1, 2, 8),
				collect: fc.boolean(),
				body: tie("parts"),
			}),
			fc.record({
				kind: fc.constant("repeat" as const),
				turns: fc.integer({ min: 1, max: 3 }),
				delay: fc.constantFrom(0, isTimed ? 500 : RETRY_DELAY_MS),
				body: tie("parts"),
			}),
			fc.record({
				kind: fc.constant("call" as const),
				retries: fc.constantFrom(0, 1),
				handled: fc.constantFrom<Handling>(null, "ON_FAIL", "ALWAYS"),
				body: tie("parts"),
			}),
			fc.record({ kind: fc.constant("both" as const), one: tie("parts"), other: tie("parts") }),
		),
	})).parts;

/** Writes the workflow down. */
class Writer {
	readonly triplets: string[] = [];
	readonly config: Record<string, JsonObject> = {};
	readonly called: Workflow[] = [];
	#count = 0;

	/** Writes parts after the nodes that come before them. Returns the nodes after which it goes on. */
	write(parts: readonly Part[], before: readonly string[], seen: readonly string[]): string[] {
		let ends = [...before];
		for (const part of parts) ends = this.#writeOne(part, ends, seen);
		return ends;
	}

	#writeOne(part: Part, before: readonly string[], seen: readonly string[]): string[] {
		if (part.kind === "both") {
			const start = this.#add("give", { value: 1 }, before);
			return [...this.write(part.one, [start], seen), ...this.write(part.other, [start], seen)];
		}
		const value = seen.map((name) => `{{${name}}}`);
		if (part.kind === "act") return this.#writeAct(part, value, before);
		if (part.kind === "call") {
			const workflow = this.called.push(compile(part.body)) - 1;
			return this.#writeHandled("call", { workflow, ...retry(part.retries) }, part.handled, before);
		}
		if (part.kind === "foreach") {
			const items = Array.from({ length: part.items }, (_, index) => index);
			const list = this.#add(
				"give",
				{ value: items, concurrency: part.concurrency, ...(part.collect && { on_item_error: "collect" }) },
				before,
			);
			const name = `${list}_item`;
			this.#writeBody(part.body, `${list} >> FOREACH ${name}`, [...seen, name]);
			return [list];
		}
		if (part.kind !== "repeat") return [this.#add(part.kind, { value }, before)];
		const turn = `turn_${this.#count}`;
		const loop = this.#add("repeat", { until: `${turn} == ${part.turns - 1}`, delay_ms: part.delay }, before);
		this.#writeBody(part.body, `${loop} >> REPEAT ${turn}`, [...seen, turn]);
		return [loop];
	}

	#writeAct(
		{ fails, hangs, retries, terminal, handled }: Part & { kind: "act" },
		value: Json,
		before: readonly string[],
	): string[] {
		const settings = {
			...{ value, fails, hangs, terminal },
			...(hangs > 0 && { timeout_ms: 1_500 }),
			...retry(retries),
		};
		return this.#writeHandled("act", settings, handled, before);
	}

	#writeHandled(
		component: string,
		settings: JsonObject,
		handled: Handling,
		before: readonly string[],
	): string[] {
		const node = this.#add(component, settings, before);
		if (handled === null) return [node];
		const handler = this.#add("act", { value: "handled" }, []);
		this.triplets.push(`${node} >> ${handled} >> ${handler}`);
		return [node, handler];
	}

	#writeBody(body: readonly Part[], edge: string, seen: readonly string[]): void {
		const first = this.#add("give", { value: 0 }, []);
		this.triplets.push(`${edge} >> ${first}`);
		this.write(body, [first], seen);
	}

	#add(component: string, settings: JsonObject, before: readonly string[]): string {
		const id = `n${this.#count++}`;
		this.config[id] = { component, ...settings };
		for (const each of before) this.triplets.push(`${each} >> then >> ${id}`);
		return id;
	}
}

const retry = (max: number) => (max > 0 ? { retry: { max, delay_ms: RETRY_DELAY_MS } } : {});

/** `called`: the workflows that its nodes call, by number. */
interface Workflow {
	readonly plan: Plan<Line>;
	readonly called: readonly Workflow[];
}

function compile(parts: readonly Part[]): Workflow {
	const writer = new Writer();
	const start = "start";
	writer.config[start] = { component: "give", value: 0 };
	writer.write(parts, [start], []);
	const json = {
		triplets: writer.triplets.length === 0 ? ["input >> then >> start"] : writer.triplets,
		config: writer.config,
	};
	const { plan, diagnostics } = compileSource({ json }, { catalogue, named: false });
	assert.ok(plan !== null, JSON.stringify([diagnostics, json]));
	return { plan, called: writer.called };
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
				// Which of several failures is the first, and what it cancels, depends on the order.
				if (!outcome.success || world.hasFailedCall) return;
				assert.deepEqual(withoutOrder(outcome), withoutOrder(expected.outcome));
				assert.deepEqual(listKeys(world).sort(), listKeys(expected.world).sort());
			}),
			{ numRuns: 300 },
		);
	});
});

test("a pure component has no effects", async () => {
	const [, component] = define(
		"cheat",
		z.strictObject({}),
		({ effects }) => (effects.process.world.kills += 1),
		{
			isPure: true,
		},
	);
	const cheats = { get: () => component, ids: () => ["cheat"] };
	const json = { triplets: ["input >> then >> only"], config: { only: { component: "cheat" } } };
	const { plan } = compileSource({ json }, { catalogue: cheats, named: false });
	assert.ok(plan !== null);
	const world = new World(0);
	const effects = new Line(new Process(world, 0), "", { plan, called: [] });
	const { error } = await run(plan, { ...buildOptions(), effects });
	assert.equal(error, "only: a component that is pure has no effects");
	assert.equal(world.kills, 0);
});

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
