import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import fc from "fast-check";
import * as z from "zod";
import { compileSource } from "../../src/compile.ts";
import type { Catalogue, Component } from "../../src/component.ts";
import { run } from "../../src/run.ts";
import { buildOptions } from "./build.ts";
import { catalogue } from "./run-document.ts";

const RELATIONS = ["ON_SUCCESS", "ON_FAIL", "ALWAYS", "ON_TRUE", "ON_FALSE", "CASE x", "DEFAULT"];
const LOOP_RELATIONS = ["ON_SUCCESS", "ON_FAIL", "ALWAYS", "DEFAULT"];

/** What a node does depends on the indexes of the loops around it. */
type Deed = boolean | "x" | "fails";

interface Loop {
	readonly kind: "FOREACH" | "REPEAT";
	readonly name: string;
	/** Elements, or the turn in which `until` is true. */
	readonly count: number;
	readonly max: number;
	readonly body: Region;
}

interface Node {
	readonly id: string;
	readonly deeds: readonly Deed[];
	readonly delay: number | null;
	readonly loop: Loop | null;
}

interface Region {
	readonly nodes: readonly Node[];
	/** From, to (always later) and the relation. */
	readonly edges: readonly (readonly [number, number, string])[];
}

const deed = fc.oneof(
	{ weight: 8, arbitrary: fc.constantFrom<Deed>(true, false, "x") },
	{ weight: 1, arbitrary: fc.constant<Deed>("fails") },
);

/** `path` makes ids unique; a body's first node leads to all others. */
const regions = (path: string, depth: number): fc.Arbitrary<Region> =>
	fc.integer({ min: 1, max: depth === 0 ? 4 : 3 }).chain((size) =>
		fc
			.record({
				nodes: fc.tuple(...Array.from({ length: size }, (_, at) => nodes(`${path}${at}`, depth))),
				pairs: fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1), fc.nat(20)), { maxLength: 2 * size }),
			})
			.map(({ nodes, pairs }) => {
				const edges = new Map<string, [number, number, string]>();
				for (const [a, b, pick] of pairs) {
					const [from, to] = [Math.min(a, b), Math.max(a, b)];
					const relations = nodes[from]?.loop === null ? RELATIONS : LOOP_RELATIONS;
					const relation = relations[pick % relations.length] as string;
					if (from !== to) edges.set(`${from} ${to} ${relation}`, [from, to, relation]);
				}
				for (let to = 1; depth > 0 && to < size; to++)
					if (![...edges.values()].some(([, end]) => end === to))
						edges.set(`0 ${to} ON_SUCCESS`, [0, to, "ON_SUCCESS"]);
				return { nodes, edges: [...edges.values()] };
			}),
	);

function nodes(id: string, depth: number): fc.Arbitrary<Node> {
	const plain = fc.record({
		id: fc.constant(`n${id}`),
		deeds: fc.array(deed, { minLength: 1, maxLength: 4 }),
		delay: fc.option(fc.integer({ min: 0, max: 2 }), { freq: 2 }),
		loop: fc.constant(null),
	});
	if (depth === 2) return plain;
	const loop = fc.record({
		kind: fc.constantFrom("FOREACH" as const, "REPEAT" as const, "REPEAT" as const),
		name: fc.constant(`l${id}`),
		count: fc.nat(3),
		max: fc.integer({ min: 1, max: 4 }),
		body: regions(`${id}_`, depth + 1),
	});
	const looping = fc.record({
		id: fc.constant(`n${id}`),
		deeds: fc.constant([]),
		delay: fc.constant(null),
		loop,
	});
	return fc.oneof({ weight: 2, arbitrary: plain }, { weight: 2, arbitrary: looping });
}

test("for any graph with loops, a run does what a simple interpreter does", async () => {
	let succeeded = 0;
	let repeated = 0;
	await fc.assert(
		fc.asyncProperty(regions("", 0), async (region) => {
			const expected = interpret(region);
			const { json, ids } = toDocument(region);
			const journal: string[] = [];
			const compiled = compileSource({ json }, { catalogue: withActs(journal), named: false });
			assert.ok(compiled.plan !== null, JSON.stringify(compiled.diagnostics));
			const outcome = await run(compiled.plan, buildOptions());
			assert.equal(outcome.success, expected !== null, outcome.error ?? "");
			if (expected === null) return;
			succeeded += 1;
			if (ids.some((id) => typeof expected.outputs.get(id) === "object")) repeated += 1;
			const data = outcome.data as { [id: string]: Json };
			for (const id of ids.filter((id) => !expected.unknown.has(id)))
				assert.deepEqual(data[id], expected.outputs.get(id) ?? "-", id);
			if (expected.unknown.size === 0) assert.deepEqual(journal.sort(), expected.journal.sort());
		}),
		{ numRuns: 600 },
	);
	assert.ok(succeeded > 120 && repeated > 40, `${succeeded} succeeded, ${repeated} with loops`);
});

/** Writes down what each node reads, and does its deed. */
const withActs = (journal: string[]): Catalogue<null> => {
	const act: Component<null> = {
		...(catalogue.get("give") as Component<null>),
		id: "act",
		params: z.strictObject({
			deeds: z.array(z.unknown()),
			at: z.array(z.number()),
			seen: z.unknown(),
			delay: z.number().nullable(),
		}),
		run: ({ params, node }) => {
			const at = params.at as number[];
			journal.push(JSON.stringify([node.id, at, params.seen]));
			const finish = () => {
				const deed = pickDeed(params.deeds as Deed[], at);
				if (deed === "fails") throw new Error("no");
				return deed;
			};
			const { delay } = params;
			return delay === null
				? finish()
				: new Promise<void>((resolve) => setTimeout(resolve, delay as number)).then(finish);
		},
	};
	return { get: (id) => (id === "act" ? act : catalogue.get(id)), ids: () => ["act", ...catalogue.ids()] };
};

const pickDeed = (deeds: readonly Deed[], at: readonly number[]): Deed =>
	deeds[at.reduce((sum, index) => sum + index, 0) % deeds.length] as Deed;

/** All nodes in a region and the loops in it. */
const listAll = (region: Region): Node[] =>
	region.nodes.flatMap((node) => [node, ...(node.loop === null ? [] : listAll(node.loop.body))]);

/** The names that a node reads: of the turn before, and of the nodes with an edge to it. */
function listReads(region: Region, place: number, loops: readonly Loop[]) {
	const repeat = loops.findLast(({ kind }) => kind === "REPEAT");
	return {
		last: repeat === undefined ? [] : listAll(repeat.body).map(({ id }) => id),
		before: region.edges.flatMap(([from, to]) => (to === place ? [region.nodes[from]?.id as string] : [])),
		repeat,
	};
}

function toDocument(top: Region): { json: JsonObject; ids: string[] } {
	const triplets: string[] = [];
	const config: { [id: string]: JsonObject } = {};
	const add = (region: Region, loops: readonly Loop[]) => {
		for (const [place, { id, deeds, delay, loop }] of region.nodes.entries()) {
			if (loops.length === 0) triplets.push(`input >> then >> ${id}`);
			if (loop === null) {
				const { last, before, repeat } = listReads(region, place, loops);
				const at = loops.map(({ kind, name }) => (kind === "REPEAT" ? `{{${name}}}` : `{{${name}_index}}`));
				const seen = [
					...last.map((other) => `{{${repeat?.name}_last.${other} | default("-")}}`),
					...before.map((other) => `{{${other} | default("-")}}`),
				];
				config[id] = { component: "act", deeds: [...deeds], at, seen, delay };
				continue;
			}
			const { kind, name, count, max, body } = loop;
			triplets.push(`${id} >> ${kind} ${name} >> ${body.nodes[0]?.id}`);
			config[id] =
				kind === "FOREACH"
					? { component: "give", value: Array.from({ length: count }, () => name), concurrency: 2 }
					: { component: "repeat", until: `${name} == ${count}`, max };
			add(body, [...loops, loop]);
		}
		for (const [from, to, relation] of region.edges)
			triplets.push(`${region.nodes[from]?.id} >> ${relation} >> ${region.nodes[to]?.id}`);
	};
	add(top, []);
	const ids = listAll(top).map(({ id }) => id);
	const result = Object.fromEntries(ids.map((id) => [id, `{{${id} | default("-")}}`]));
	return { json: { triplets, config, result }, ids };
}

type Outputs = Map<string, Json>;
interface World {
	readonly journal: string[];
	/** Nodes of turns that failed and were handled: what else ran in them depends on the order. */
	readonly unknown: Set<string>;
}

/** A simple reference implementation, one node after another; null if the run fails. */
function interpret(top: Region): (World & { outputs: Outputs }) | null {
	const world: World = { journal: [], unknown: new Set() };
	const outputs = runRegion(top, [], [], new Map(), world);
	return outputs === null ? null : { ...world, outputs };
}

/** The outputs of its nodes; null if a failure is not handled. `last` has the outputs of the turn before, by loop name. */
function runRegion(
	region: Region,
	loops: readonly Loop[],
	at: readonly number[],
	last: ReadonlyMap<string, Outputs>,
	world: World,
): Outputs | null {
	const outputs: Outputs = new Map();
	const taken = new Set<number>();
	for (const [place, node] of region.nodes.entries()) {
		const incoming = region.edges.filter(([, to]) => to === place);
		const isStart = loops.length === 0 || place === 0;
		if (!isStart && !incoming.some(([from, , relation]) => taken.has(from) && isTaken(from, relation)))
			continue;
		taken.add(place);
		const output = runNode(node, place);
		if (output === "region failed") return null;
		if (output !== undefined) outputs.set(node.id, output);
		else if (!region.edges.some(([from, , relation]) => from === place && relation === "ON_FAIL"))
			return null;
	}
	return outputs;

	function isTaken(from: number, relation: string): boolean {
		const output = outputs.get(region.nodes[from]?.id as string);
		if (output === undefined) return relation === "ON_FAIL" || relation === "ALWAYS";
		const hasCase = region.edges.some(([start, , other]) => start === from && other === "CASE x");
		switch (relation) {
			case "ON_TRUE":
				return output === true;
			case "ON_FALSE":
				return output === false;
			case "CASE x":
				return output === "x";
			case "DEFAULT":
				return !(hasCase && output === "x");
			default:
				return relation !== "ON_FAIL";
		}
	}

	/** Undefined if the node fails. */
	function runNode({ id, deeds, loop }: Node, place: number): Json | undefined {
		if (loop !== null) return loop.kind === "FOREACH" ? runForeach(loop) : runRepeat(loop);
		const { last: lastIds, before, repeat } = listReads(region, place, loops);
		const seen = [
			...lastIds.map((other) => last.get(repeat?.name as string)?.get(other) ?? "-"),
			...before.map((other) => outputs.get(other) ?? "-"),
		];
		world.journal.push(JSON.stringify([id, at, seen]));
		const deed = pickDeed(deeds, at);
		const isCondition = region.edges.some(
			([from, , relation]) => from === place && (relation === "ON_TRUE" || relation === "ON_FALSE"),
		);
		return deed === "fails" || (isCondition && typeof deed !== "boolean") ? undefined : deed;
	}

	/** No edge handles a failed element. */
	function runForeach(loop: Loop): Json {
		const elements: Outputs[] = [];
		for (let index = 0; index < loop.count; index++) {
			const element = runRegion(loop.body, [...loops, loop], [...at, index], last, world);
			if (element === null) return "region failed";
			elements.push(element);
		}
		for (const { id } of listAll(loop.body))
			outputs.set(
				id,
				elements.map((element) => element.get(id) ?? null),
			);
		return elements.map(() => loop.name);
	}

	function runRepeat(loop: Loop): Json | undefined {
		let turn: Outputs | undefined;
		for (let index = 0; index < loop.max; index++) {
			const before = new Map(last);
			before.delete(loop.name);
			if (turn !== undefined) before.set(loop.name, turn);
			const ended = runRegion(loop.body, [...loops, loop], [...at, index], before, world);
			if (ended === null) {
				for (const { id } of listAll(loop.body)) world.unknown.add(id);
				return undefined;
			}
			turn = ended;
			for (const { id } of listAll(loop.body)) outputs.delete(id);
			for (const [id, output] of ended) outputs.set(id, output);
			if (index === loop.count) return { turns: index + 1 };
		}
		return undefined;
	}
}
