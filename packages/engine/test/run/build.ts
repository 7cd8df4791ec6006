import type { Json } from "@tripline/contract/json";
import type { LoopRelation, Relation, Retry } from "@tripline/contract/workflows";
import * as z from "zod";
import type { Component, NodeCall } from "../../src/component.ts";
import type { Frame } from "../../src/frame.ts";
import type { Plan, PlanLoop, PlanNode, Region } from "../../src/plan.ts";
import type { RunOptions } from "../../src/run/options.ts";
import type { Outcome } from "../../src/run/outcome.ts";
import { run } from "../../src/run.ts";

/** The behaviour of a node in a test. Outputs are unknown because components may return invalid values. */
export type Act = (frame: Frame, call: NodeCall<null>) => unknown;

interface NodeSpec {
	readonly act: Act;
	readonly retry?: Retry;
	readonly timeoutMs?: number;
	readonly concurrency?: number;
	readonly onItemError?: "stop" | "collect";
}

export type Nodes = { readonly [id: string]: Act | NodeSpec };
/** `["a", "ON_SUCCESS", "b"]`, `["a", "CASE x", "b"]`, `["list", "FOREACH item", "b"]`, `["input", "ON_SUCCESS", "a"]`. */
export type Triplet = readonly [subject: string, relation: string, object: string];

export const gives =
	(output: unknown): Act =>
	() =>
		output;
export const fails =
	(message: string): Act =>
	() => {
		throw new Error(message);
	};
export const later =
	(ms: number, output: unknown = null): Act =>
	() =>
		new Promise((resolve) => setTimeout(() => resolve(output), ms));
export const failsLater =
	(message: string, ms: number): Act =>
	() =>
		new Promise((_resolve, reject) => setTimeout(() => reject(new Error(message)), ms));

/** Runs until its signal is aborted, and records that. */
export const waitsForAbort =
	(aborted: string[]): Act =>
	(_frame, { node, signal }) =>
		new Promise((_resolve, reject) => {
			signal.addEventListener("abort", () => {
				aborted.push(node.id);
				reject(new Error("aborted"));
			});
		});

export function runNodes(
	nodes: Nodes,
	triplets: readonly Triplet[] = [],
	options: Partial<RunOptions<null>> = {},
): Outcome | Promise<Outcome> {
	return run(buildPlan(nodes, triplets), buildOptions(options));
}

export function buildOptions(options: Partial<RunOptions<null>> = {}): RunOptions<null> {
	const clock = options.clock ?? { now: () => performance.now() };
	const timeoutMs = options.timeoutMs ?? 30_000;
	return {
		input: {},
		context: {},
		workflow: { name: "test" },
		execution: { id: "1" },
		budget: { stepsLeft: 10_000 },
		effects: null,
		deadline: clock.now() + timeoutMs,
		...options,
		clock,
		timeoutMs,
	};
}

export const listStatuses = ({ nodes }: Outcome): { [id: string]: string } =>
	Object.fromEntries(nodes.map(({ id, status }) => [id, status]));

/** Builds a plan from valid triplets: a loop's body is everything its FOREACH edges lead to. */
export function buildPlan(nodes: Nodes, triplets: readonly Triplet[]): Plan<null> {
	const ids = Object.keys(nodes);
	const places = new Map(ids.map((id, place) => [id, place]));
	const place = (id: string) => places.get(id) as number;
	const edges = triplets.map(([from, relation, to]) => {
		const [on, value] = relation.split(/ (.*)/);
		return { from, to, on: on as Relation, value };
	});
	const plain = edges.filter(({ on, from }) => on !== "FOREACH" && from !== "input");
	const loopEdges = edges.filter(({ on }) => on === "FOREACH");

	const reached = (from: string): string[] => [
		from,
		...edges.filter((edge) => edge.from === from).flatMap(({ to }) => reached(to)),
	];
	const loops = new Map<string, { from: string; name: string; targets: string[]; all: Set<string> }>();
	for (const { from, value = "", to } of loopEdges) {
		const key = `${from} ${value}`;
		const loop = loops.get(key) ?? { from, name: value, targets: [], all: new Set() };
		loop.targets.push(to);
		for (const id of reached(to)) loop.all.add(id);
		loops.set(key, loop);
	}
	/** Members of a set of nodes that are in no nested loop. */
	const own = (within: ReadonlySet<string>): string[] =>
		[...within].filter((id) => ![...loops.values()].some(({ from, all }) => within.has(from) && all.has(id)));
	const region = (within: ReadonlySet<string>, targets: readonly string[]): Region => {
		const members = own(within);
		const isStart = (id: string) =>
			targets.includes(id) ||
			edges.some(({ from, to }) => from === "input" && to === id) ||
			!edges.some(({ to }) => to === id);
		return { members: members.map(place), starts: members.filter(isStart).map(place) };
	};

	const planNodes = ids.map((id): PlanNode<null> => {
		const given = nodes[id] as Act | NodeSpec;
		const {
			act,
			concurrency = 8,
			onItemError = "stop",
			...settings
		} = typeof given === "function" ? { act: given } : given;
		let frame: Frame;
		const component: Component<null> = {
			id: "test",
			version: "1",
			title: "",
			description: "",
			params: z.object({}),
			output: z.unknown(),
			hosts: [],
			takesCredentials: false,
			examples: [],
			run: (call) => act(frame, call) as Json,
		};
		return {
			place: place(id),
			id,
			component,
			params: {},
			resolve: (given) => {
				frame = given;
				return {};
			},
			expressions: null,
			until: null,
			steps: null,
			credential: undefined,
			retry: undefined,
			timeoutMs: undefined,
			waitSlot: null,
			isAside: false,
			...settings,
			incoming: plain.filter(({ to }) => to === id).length,
			fromInput: edges.some(({ from, to }) => from === "input" && to === id),
			edges: plain
				.filter(({ from }) => from === id)
				.map(({ to, on, value }) => ({
					to: place(to),
					on: on as Exclude<Relation, LoopRelation>,
					...(value === undefined ? {} : { value }),
				})),
			loops: [...loops.values()]
				.filter(({ from }) => from === id)
				.map(
					({ name, targets, all }): PlanLoop => ({
						name,
						body: region(all, targets),
						all: [...all].map(place),
					}),
				),
			concurrency,
			onItemError,
		};
	});
	return {
		graph: { nodes: [], edges: [] },
		context: {},
		options: {},
		nodes: planNodes,
		stepCount: 0,
		region: region(new Set(ids), []),
		result: null,
		readsRequest: false,
	};
}
