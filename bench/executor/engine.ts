import { builtInCatalogue } from "@tripline/components/catalogue";
import type { Effects } from "@tripline/components/effects";
import type { Json } from "@tripline/contract/json";
import { compileSource } from "@tripline/engine/compile";
import type { Catalogue } from "@tripline/engine/component";
import type { Plan } from "@tripline/engine/plan";
import { run } from "@tripline/engine/run";
import type { Outcome } from "@tripline/engine/run/outcome";
import { systemClock } from "@tripline/platform/clock";
import { measureCost } from "../measure.ts";
import type { Row } from "../report.ts";
import { CONTEXT, threeNodes } from "./workflow.ts";

const ROUNDS = 11;
const CHAIN = 100;
const ELEMENTS = 1_000;
const COMPILES = 20;
const NODE_BAR = { on: "ours", most: 10 } as const;
const TIMEOUT_MS = 30_000;

/** The engine alone: no server, no store. */
export async function engine(onProgress: (what: string) => void): Promise<Row[]> {
	onProgress("engine: nodes");
	const chain = await measurePerNode(createChain(CHAIN), {}, CHAIN, 100);
	const items = Array.from({ length: ELEMENTS }, (_, index) => index);
	const loop = await measurePerNode(LOOP, { items }, ELEMENTS + 1, 10);
	onProgress("engine: compile");
	const source = createOrders(CHAIN);
	const compiled = await measureCost({
		rounds: ROUNDS,
		side: () => ({
			calls: COMPILES,
			run() {
				for (let nth = 0; nth < COMPILES; nth++) compilePlan(source);
			},
		}),
	});
	return [
		{ what: `one node of a chain of ${CHAIN} set`, unit: "µs", ours: chain, bar: NODE_BAR },
		{ what: `one set of a FOREACH over ${ELEMENTS}`, unit: "µs", ours: loop, bar: NODE_BAR },
		{
			what: `compile ${CHAIN} nodes with templates and conditions`,
			unit: "µs",
			ours: compiled,
			bar: { on: "ours", most: 5_000 },
		},
	];
}

export function compilePlan(source: object, catalogue: Catalogue<Effects> = builtInCatalogue): Plan<Effects> {
	const { plan, diagnostics } = compileSource({ json: source }, { catalogue, named: false });
	if (plan === null) throw new Error(`does not compile: ${JSON.stringify(diagnostics)}`);
	return plan;
}

export const threeNodePlan = (): Plan<Effects> => compilePlan({ graph: threeNodes("bench") });

/** Runs a plan as the executor does, without effects, with components that need none. */
export function runOnce(
	plan: Plan<Effects>,
	input: Json = CONTEXT,
	effects = null as unknown as Effects,
): Outcome | Promise<Outcome> {
	const now = systemClock.now();
	return run(plan, {
		input,
		context: plan.context,
		workflow: { name: "bench", version: "1" },
		execution: { id: "bench", trigger: "webhook", time: "2026-01-01T00:00:00.000Z" },
		budget: { stepsLeft: 10_000 },
		deadline: now + TIMEOUT_MS,
		timeoutMs: TIMEOUT_MS,
		clock: systemClock,
		effects,
	});
}

async function measurePerNode(source: object, input: Json, nodes: number, runs: number): Promise<number> {
	const plan = compilePlan(source);
	return measureCost({
		rounds: ROUNDS,
		side: () => ({
			calls: runs * nodes,
			async run() {
				for (let nth = 0; nth < runs; nth++) {
					const ended = runOnce(plan, input);
					const { success, error } = ended instanceof Promise ? await ended : ended;
					if (!success) throw new Error(error);
				}
			},
		}),
	});
}

/** Each node reads the output of the previous one. */
function createChain(length: number): object {
	const nodes = Array.from({ length }, (_, index) => ({
		id: `step_${index}`,
		component: "set",
		params: { values: { count: index === 0 ? 0 : `{{step_${index - 1}.count}}` } },
	}));
	return { nodes, edges: nodes.slice(1).map(({ id }, index) => ({ from: `step_${index}`, to: id })) };
}

const LOOP = {
	nodes: [
		{ id: "list", component: "foreach", params: { items: "{{input.items}}" } },
		{ id: "each", component: "set", params: { values: { item: "{{item}}" } } },
	],
	edges: [{ from: "list", to: "each", on: "FOREACH", as: "item" }],
};

/** A typical workflow: values are set, checked, rendered as text and branched on, repeatedly. */
export function createOrders(count: number): object {
	const kinds = [
		(id: string, last: string) => ({
			id,
			component: "set",
			params: {
				values: {
					customer: "{{input.customer | trim}}",
					label: `Order {{input.id}} of {{input.customer | upper}} after ${last}`,
					total: "{{input.total}}",
					tags: '{{input.tags | default("none")}}',
				},
			},
		}),
		(id: string, last: string) => ({
			id,
			component: "if",
			params: { condition: `${last}.total > 100 && input.country in ["DE", "FR"] && size(input.items) < 10` },
		}),
		(id: string) => ({
			id,
			component: "template",
			params: {
				text: "Dear {{input.customer}},\n\nwe have {{input.items | length}} items from {{input.date}}.",
			},
		}),
		(id: string) => ({
			id,
			component: "filter",
			params: { items: "{{input.items}}", where: 'item.price * item.count > 10 && item.sku.startsWith("A")' },
		}),
	];
	const nodes = Array.from({ length: count }, (_, index) => {
		const lastSet = `node_${index - (index % kinds.length)}`;
		return (kinds[index % kinds.length] as (typeof kinds)[number])(`node_${index}`, lastSet);
	});
	const edges = nodes.slice(1).map(({ id }, index) => ({
		from: nodes[index]?.id,
		to: id,
		...(nodes[index]?.component === "if" && { on: "ON_TRUE" }),
	}));
	return { nodes, edges };
}
