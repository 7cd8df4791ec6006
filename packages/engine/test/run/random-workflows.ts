import assert from "node:assert/strict";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import fc from "fast-check";
import * as z from "zod";
import { compileSource } from "../../src/compile.ts";
import type { Component, NodeCall } from "../../src/component.ts";
import type { Plan } from "../../src/plan.ts";

/** The milliseconds of all delays are multiples of 100. */
const RETRY_DELAY_MS = 700;
const WAIT_TIMEOUT_MS = 1_200;

/** What the nodes of random workflows do beside computing. */
export interface Outside {
	/** Calls a server. */
	act(call: NodeCall<Outside>): Promise<Json>;
	callWorkflow(call: NodeCall<Outside>): Promise<Json>;
	/** In milliseconds. */
	waitUntil(until: number, signal: AbortSignal): Promise<void>;
}

export const define = (
	id: string,
	params: z.ZodType,
	run: Component<Outside>["run"],
	more: Partial<Component<Outside>> = {},
): [string, Component<Outside>] => [
	id,
	{
		...{ id, version: "1", title: id, description: id, params, output: z.unknown() },
		...{ hosts: [], takesCredentials: false, examples: [], run, ...more },
	},
];

const components: Map<string, Component<Outside>> = new Map([
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
	define("pause", z.strictObject({ ms: z.int() }), async ({ params, startedAt, signal, effects }) => {
		await effects.waitUntil(startedAt + (params.ms as number), signal);
		return null;
	}),
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
	define(
		"course",
		z.strictObject({ value: z.unknown(), batches: z.array(z.array(z.unknown())) }),
		() => null,
		{
			isPure: true,
			orchestration: {
				planSteps: () =>
					["act", "give"].map((name) => ({
						name,
						component: components.get(name) as Component<Outside>,
						retry: { max: 1, delay_ms: RETRY_DELAY_MS },
					})),
				begin: ({ value, batches }) => {
					const rest = [...(batches as JsonObject[][])];
					let seen: Json = value as Json;
					return {
						next(results, { log }) {
							if (results.length > 0) seen = [seen, results as unknown as Json];
							log(`${results.length} results`);
							const batch = rest.shift();
							if (batch === undefined || results.some((result) => "error" in result)) return { output: seen };
							return { steps: batch.map((step) => ({ name: "act", params: { ...step, value: seen } })) };
						},
					};
				},
			},
		},
	),
]);
const catalogue = { get: (id: string) => components.get(id), ids: () => [...components.keys()] };

/** A part of a workflow; a list is done one after the other. */
export type Part =
	| {
			readonly kind: "act";
			readonly fails: number;
			readonly hangs: number;
			readonly retries: number;
			readonly terminal: boolean;
			readonly handled: Handling;
	  }
	| { readonly kind: "give" | "ponder" }
	| { readonly kind: "pause"; readonly ms: number; readonly timeout: number; readonly handled: Handling }
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
			readonly handled: Handling;
			readonly body: readonly Part[];
	  }
	| {
			readonly kind: "call";
			readonly retries: number;
			readonly timeout: number;
			readonly handled: Handling;
			readonly body: readonly Part[];
	  }
	| { readonly kind: "course"; readonly fails: readonly (readonly number[])[] }
	| { readonly kind: "both"; readonly one: readonly Part[]; readonly other: readonly Part[] };
type Handling = "ON_FAIL" | "ALWAYS" | null;

const handled = fc.constantFrom<Handling>(null, "ON_FAIL", "ALWAYS");

/** `isTimed`: whether time decides on the order of steps, because calls may time out and not all waits are equally long. */
const act = (isTimed: boolean) =>
	fc.record({
		kind: fc.constant("act" as const),
		fails: fc.constantFrom(0, 0, 0, 1, 2),
		hangs: fc.constantFrom(0, 0, 0, isTimed ? 1 : 0),
		retries: fc.constantFrom(0, 1, isTimed ? 2 : 1),
		terminal: fc.boolean(),
		handled,
	});

/**
 * Where time decides on the order there may also be nodes that compute for a while. `areWaitsLimited`: nodes that wait may
 * have timeouts, which begin anew in each process.
 */
export const parts = (isTimed: boolean, areWaitsLimited = false) =>
	fc.letrec<{ parts: Part[]; part: Part }>((tie) => ({
		parts: fc.array(tie("part"), { minLength: 1, maxLength: 3 }),
		part: fc.oneof(
			{ depthSize: "small", maxDepth: 3 },
			act(isTimed),
			fc.record({
				kind: isTimed ? fc.constantFrom("give" as const, "ponder" as const) : fc.constant("give" as const),
			}),
			fc.record({
				kind: fc.constant("pause" as const),
				ms: isTimed ? fc.constantFrom(800, 1_500, 4_000, 10_000) : fc.constant(RETRY_DELAY_MS),
				timeout: fc.constantFrom(0, 0, 0, areWaitsLimited ? WAIT_TIMEOUT_MS : 0),
				handled,
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
				// What a failure cancels depends on the order.
				handled: isTimed ? fc.constant(null) : handled,
				body: tie("parts"),
			}),
			fc.record({
				kind: fc.constant("call" as const),
				retries: fc.constantFrom(0, 1),
				timeout: fc.constantFrom(0, 0, 0, areWaitsLimited ? WAIT_TIMEOUT_MS : 0),
				handled,
				body: tie("parts"),
			}),
			fc.record({
				kind: fc.constant("course" as const),
				fails: fc.array(fc.array(fc.constantFrom(0, 0, 1, 2), { minLength: 1, maxLength: 3 }), {
					maxLength: 4,
				}),
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
		if (part.kind === "pause")
			return this.#writeHandled("pause", { ms: part.ms, ...limit(part.timeout) }, part.handled, before);
		if (part.kind === "act") return this.#writeAct(part, value, before);
		if (part.kind === "course") {
			const batches = part.fails.map((batch) => batch.map((fails) => ({ fails })));
			return [this.#add("course", { value, batches }, before)];
		}
		if (part.kind === "call") {
			const workflow = this.called.push(compile(part.body)) - 1;
			return this.#writeHandled(
				"call",
				{ workflow, ...limit(part.timeout), ...retry(part.retries) },
				part.handled,
				before,
			);
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
		const settings = { until: `${turn} == ${part.turns - 1}`, delay_ms: part.delay };
		const ends = this.#writeHandled("repeat", settings, part.handled, before);
		this.#writeBody(part.body, `${ends[0]} >> REPEAT ${turn}`, [...seen, turn]);
		return ends;
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
		const handler = this.#add(component === "repeat" ? "give" : "act", { value: "handled" }, []);
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

const limit = (ms: number) => (ms > 0 ? { timeout_ms: ms } : {});

const retry = (max: number) => (max > 0 ? { retry: { max, delay_ms: RETRY_DELAY_MS } } : {});

/** `called`: the workflows that its nodes call, by number. */
export interface Workflow {
	readonly plan: Plan<Outside>;
	readonly called: readonly Workflow[];
}

export function compile(parts: readonly Part[]): Workflow {
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
