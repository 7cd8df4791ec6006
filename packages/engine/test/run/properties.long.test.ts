import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import type { NodeStatus } from "@tripline/contract/workflows";
import fc from "fast-check";
import { run } from "../../src/run.ts";
import { buildOptions, buildPlan, listStatuses, type Nodes, runNodes, type Triplet } from "./build.ts";

const RELATIONS = [
	"ON_SUCCESS",
	"ON_FAIL",
	"ALWAYS",
	"ON_TRUE",
	"ON_FALSE",
	"CASE x",
	"CASE true",
	"DEFAULT",
];

/** The behaviour of a node: its output, or a failure. */
type Deed = { readonly output: Json } | "fails";
interface Case {
	readonly deeds: readonly Deed[];
	/** Milliseconds until each answers; null if synchronous. */
	readonly delays: readonly (number | null)[];
	readonly triplets: readonly Triplet[];
}

const deed = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom(true, false, "x", "y", 1, null).map((output) => ({ output })) },
	{ weight: 1, arbitrary: fc.constant("fails" as const) },
);

/** Acyclic because every edge leads to a later node. */
const cases: fc.Arbitrary<Case> = fc.integer({ min: 1, max: 9 }).chain((size) =>
	fc.record({
		deeds: fc.array(deed, { minLength: size, maxLength: size }),
		delays: fc.array(fc.option(fc.integer({ min: 0, max: 3 })), { minLength: size, maxLength: size }),
		triplets: fc.array(
			fc
				.tuple(fc.nat(size - 1), fc.nat(size - 1), fc.constantFrom(...RELATIONS))
				.filter(([from, to]) => from !== to)
				.map(([a, b, relation]): Triplet => [`n${Math.min(a, b)}`, relation, `n${Math.max(a, b)}`]),
			{ maxLength: size === 1 ? 0 : 2 * size },
		),
	}),
);

describe("for any graph", () => {
	test("statuses, data and error follow the edges", async () => {
		await fc.assert(
			fc.asyncProperty(cases, async (given) => {
				const model = new Model(given);
				model.runAll();
				const outcome = await runNodes(buildNodes(given), given.triplets);
				const unhandled = [...model.failedUnhandled];
				assert.equal(outcome.success, unhandled.length === 0);
				assert.equal(outcome.nodes.length, given.deeds.length);
				if (outcome.success) {
					assert.deepEqual(listStatuses(outcome), Object.fromEntries(model.statuses));
					assert.deepEqual(outcome.data, model.data());
				} else {
					assert.ok(unhandled.includes(outcome.failedNode as string));
					assert.ok(outcome.error?.startsWith(`${outcome.failedNode}: `));
					assert.equal(listStatuses(outcome)[outcome.failedNode as string], "failed");
				}
			}),
			{ numRuns: 400 },
		);
	});

	test("no node starts twice, before its predecessors, or without a taken edge", async () => {
		await fc.assert(
			fc.asyncProperty(cases, async (given) => {
				const ended = new Map<string, Deed>();
				const started = new Map<string, AbortSignal>();
				const nodes = buildNodes(given, {
					onStart(id, signal) {
						assert.ok(!started.has(id), `${id} started twice`);
						started.set(id, signal);
						const incoming = given.triplets.filter(([, , to]) => to === id);
						for (const [from] of incoming) {
							const isRunning = started.get(from)?.aborted === false && !ended.has(from);
							assert.ok(!isRunning, `${from} was running when ${id} started`);
						}
						const taken = incoming.some(([from, on]) => isTaken(given, from, on, ended.get(from)));
						assert.ok(incoming.length === 0 || taken, `${id} has no edge that was taken`);
					},
					onEnd: (id, deed) => ended.set(id, deed),
				});
				const broken: unknown[] = [];
				const outcome = await runNodes(catchErrors(nodes, broken), given.triplets);
				assert.deepEqual(broken, []);
				for (const { id, status, attempts } of outcome.nodes) {
					assert.equal(attempts, started.has(id) ? 1 : 0);
					assert.equal(status === "skipped", !started.has(id));
				}
			}),
			{ numRuns: 400 },
		);
	});

	test("exactly the nodes that may run are running, in any order of answers", async () => {
		await fc.assert(
			fc.asyncProperty(cases, fc.array(fc.nat(), { minLength: 9, maxLength: 9 }), async (given, picks) => {
				const model = new Model(given);
				const running = new Map<string, () => void>();
				const nodes: Nodes = Object.fromEntries(
					given.deeds.map((deed, index) => [
						`n${index}`,
						(_frame, { node, signal }) =>
							new Promise((resolve, reject) => {
								const end = () => (deed === "fails" ? reject(new Error("no")) : resolve(deed.output));
								running.set(node.id, end);
								signal.addEventListener("abort", () => running.delete(node.id));
							}),
					]),
				);
				// This clock stands still: otherwise the run could yield on a busy machine before all have started.
				const outcome = run(buildPlan(nodes, given.triplets), buildOptions({ clock: { now: () => 0 } }));
				for (const pick of picks) {
					assert.deepEqual([...running.keys()].sort(), model.running());
					const id = [...running.keys()].sort()[pick % running.size];
					if (id === undefined) break;
					running.get(id)?.();
					running.delete(id);
					model.end(id);
					await new Promise((resolve) => setImmediate(resolve));
				}
				assert.deepEqual(model.running(), []);
				assert.deepEqual(listStatuses(await outcome), Object.fromEntries(model.statuses));
			}),
			{ numRuns: 300 },
		);
	});

	test("nothing starts after a cancellation or the deadline, and running nodes are reported", async () => {
		await fc.assert(
			fc.asyncProperty(cases, fc.nat(6), fc.boolean(), async (given, ms, byDeadline) => {
				let isOver = false;
				const open = new Map<string, AbortSignal>();
				const nodes = buildNodes(given, {
					onStart(id, signal) {
						assert.ok(!isOver, `${id} started after the end`);
						open.set(id, signal);
					},
					onEnd: (id) => open.delete(id),
				});
				const broken: unknown[] = [];
				const controller = new AbortController();
				if (!byDeadline) setTimeout(() => controller.abort(), ms);
				const options = byDeadline ? { timeoutMs: ms } : { signal: controller.signal };
				await runNodes(catchErrors(nodes, broken), given.triplets, options);
				isOver = true;
				assert.ok([...open.values()].every(({ aborted }) => aborted));
				await new Promise((resolve) => setTimeout(resolve, 5));
				assert.deepEqual(broken, []);
			}),
			{ numRuns: 150 },
		);
	});
});

describe("for any loop", () => {
	const loops = fc.record({
		body: cases,
		items: fc.array(fc.nat(9), { maxLength: 6 }),
		concurrency: fc.integer({ min: 1, max: 4 }),
	});

	test("it yields a list per body node that follows the edges, and respects its concurrency", async () => {
		await fc.assert(
			fc.asyncProperty(loops, async ({ body, items, concurrency }) => {
				/** Each element behaves differently. */
				const createCase = (item: number): Case => ({
					...body,
					deeds: body.deeds.map((_, index) => body.deeds[(index + item) % body.deeds.length] as Deed),
				});
				const elements = new Map<number, number>();
				let most = 0;
				const bodyNodes: Nodes = Object.fromEntries(
					body.deeds.map((_, index) => [
						`n${index}`,
						async (frame) => {
							const element = frame.index as number;
							elements.set(element, (elements.get(element) ?? 0) + 1);
							most = Math.max(most, [...elements.values()].filter((running) => running > 0).length);
							await new Promise((resolve) => setTimeout(resolve, body.delays[index] ?? 0));
							elements.set(element, (elements.get(element) as number) - 1);
							const deed = createCase(frame.item as number).deeds[index] as Deed;
							if (deed === "fails") throw new Error(`n${index} of ${element}`);
							return deed.output;
						},
					]),
				);
				const targets = Object.keys(bodyNodes).filter((id) => !body.triplets.some(([, , to]) => to === id));
				const outcome = await runNodes(
					{
						list: { act: () => items, concurrency, onItemError: "collect" },
						...bodyNodes,
						after: ({ outputs }) => Object.keys(bodyNodes).map((_, index) => outputs[index + 1]),
					},
					[
						...body.triplets,
						...targets.map((id): Triplet => ["list", "FOREACH item", id]),
						["list", "ON_SUCCESS", "after"],
					],
				);
				assert.equal(outcome.error, undefined);
				assert.ok(most <= concurrency);
				const expected = items.map((item) => {
					const model = new Model(createCase(item), true);
					model.runAll();
					return model;
				});
				(outcome.data as Json[][]).forEach((list, index) => {
					assert.equal(list.length, items.length);
					list.forEach((entry, element) => {
						const id = `n${index}`;
						const model = expected[element] as Model;
						const isError = typeof entry === "object" && entry !== null && "error" in entry;
						if (model.statuses.get(id) === "success") assert.deepEqual(entry, model.getOutput(id));
						else if (model.failedUnhandled.has(id)) assert.ok(isError);
						else if (model.failedUnhandled.size === 0) assert.equal(entry, null);
						else assert.ok(isError || entry === null);
					});
				});
			}),
			{ numRuns: 100 },
		);
	});
});

/** A simple, slow reference implementation of the language's rules. */
class Model {
	readonly statuses = new Map<string, NodeStatus | "waiting" | "running">();
	readonly failedUnhandled = new Set<string>();
	private readonly given: Case;
	private readonly collects: boolean;
	/** Set at the first unhandled failure: nodes whose edges still count. */
	private cleanup: Set<string> | null = null;
	private readonly ids: readonly string[];

	constructor(given: Case, collects = false) {
		this.given = given;
		this.collects = collects;
		this.ids = given.deeds.map((_, index) => `n${index}`);
		for (const id of this.ids) this.statuses.set(id, "waiting");
		this.spread();
	}

	running(): string[] {
		return this.ids.filter((id) => this.statuses.get(id) === "running").sort();
	}

	/** What may run and how it ends, as if no failure stopped anything. */
	runAll(): void {
		for (let [id] = this.running(); id !== undefined; [id] = this.running()) {
			this.settle(id);
			this.spread();
		}
	}

	end(id: string): void {
		this.settle(id);
		if (this.failedUnhandled.has(id) && this.cleanup === null && !this.collects) {
			this.cleanup = new Set([id]);
			for (const other of this.running()) this.statuses.set(other, "cancelled");
		}
		this.spread();
	}

	getOutput(id: string): Json {
		return (getDeed(this.given, id) as { output: Json }).output;
	}

	data(): Json {
		const ends = this.ids.filter(
			(id) =>
				this.statuses.get(id) === "success" &&
				!this.given.triplets.some(
					([from, on]) => from === id && isTaken(this.given, id, on, getDeed(this.given, id)),
				),
		);
		const [only] = ends;
		if (only !== undefined && ends.length === 1) return this.getOutput(only);
		return Object.fromEntries(ends.map((id) => [id, this.getOutput(id)]));
	}

	private settle(id: string): void {
		const failed = hasFailed(this.given, id, getDeed(this.given, id));
		this.statuses.set(id, failed ? "failed" : "success");
		const isHandled = this.given.triplets.some(([from, on]) => from === id && on === "ON_FAIL");
		if (failed && !isHandled) this.failedUnhandled.add(id);
	}

	private spread(): void {
		for (const id of this.ids) {
			if (this.statuses.get(id) !== "waiting") continue;
			const incoming = this.given.triplets.filter(([, , to]) => to === id);
			const states = incoming.map(([from]) => this.statuses.get(from));
			if (states.some((state) => state === "waiting" || state === "running")) continue;
			const starts =
				incoming.some(
					([from, on], index) =>
						(states[index] === "success" || states[index] === "failed") &&
						(this.cleanup === null || this.cleanup.has(from)) &&
						isTaken(this.given, from, on, getDeed(this.given, from)),
				) ||
				(incoming.length === 0 && this.cleanup === null);
			this.statuses.set(id, starts ? "running" : "skipped");
			if (starts) this.cleanup?.add(id);
		}
	}
}

const getDeed = ({ deeds }: Case, id: string) => deeds[Number(id.slice(1))] as Deed;

function hasFailed({ triplets }: Case, id: string, deed: Deed): boolean {
	if (deed === "fails") return true;
	const isCondition = triplets.some(([from, on]) => from === id && (on === "ON_TRUE" || on === "ON_FALSE"));
	return isCondition && typeof deed.output !== "boolean";
}

function isTaken(given: Case, from: string, on: string, deed: Deed | undefined): boolean {
	if (deed === undefined) return false;
	if (deed === "fails" || hasFailed(given, from, deed)) return on === "ON_FAIL" || on === "ALWAYS";
	const text = `CASE ${deed.output}`;
	const hasCase = given.triplets.some(([subject, relation]) => subject === from && relation === text);
	const taken: Record<string, boolean> = {
		ON_SUCCESS: true,
		ALWAYS: true,
		ON_FAIL: false,
		ON_TRUE: deed.output === true,
		ON_FALSE: deed.output === false,
		DEFAULT: !hasCase,
	};
	return taken[on] ?? on === text;
}

interface Watching {
	onStart?(id: string, signal: AbortSignal): void;
	onEnd?(id: string, deed: Deed): void;
}

function buildNodes({ deeds, delays }: Case, { onStart, onEnd }: Watching = {}): Nodes {
	return Object.fromEntries(
		deeds.map((deed, index) => [
			`n${index}`,
			(_frame, { node, signal }) => {
				onStart?.(node.id, signal);
				const end = () => {
					onEnd?.(node.id, deed);
					if (deed === "fails") throw new Error("no");
					return deed.output;
				};
				const delay = delays[index] ?? null;
				return delay === null ? end() : new Promise((resolve) => setTimeout(resolve, delay)).then(end);
			},
		]),
	);
}

/** A failed assertion inside a node would only fail the node. */
function catchErrors(nodes: Nodes, broken: unknown[]): Nodes {
	return Object.fromEntries(
		Object.entries(nodes).map(([id, act]) => [
			id,
			(frame, call) => {
				try {
					return typeof act === "function" ? act(frame, call) : null;
				} catch (error) {
					if (error instanceof assert.AssertionError) broken.push(error.message);
					throw error;
				}
			},
		]),
	);
}
