import assert from "node:assert/strict";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import * as z from "zod";
import { compileSource } from "../../src/compile.ts";
import type { Catalogue, Component, NodeCall } from "../../src/component.ts";
import type { RunOptions } from "../../src/run/options.ts";
import type { Outcome } from "../../src/run/outcome.ts";
import { run } from "../../src/run.ts";
import { buildOptions } from "./build.ts";

const define = (
	id: string,
	params: z.ZodType,
	run: (call: NodeCall<null>) => Json | Promise<Json>,
	more: Partial<Component<null>> = {},
): Component<null> => ({
	id,
	version: "1",
	title: id,
	description: id,
	params,
	output: z.unknown(),
	hosts: [],
	takesCredentials: false,
	examples: [],
	run,
	...more,
});

const Value = z.strictObject({ value: z.unknown() });

const components = [
	define("give", Value, ({ params }) => params.value as Json),
	define("refuse", Value, ({ params }) => {
		throw new Error(String(params.value));
	}),
	/** Fails if the value is true, and gives it otherwise. */
	define("guard", Value, ({ params }) => {
		if (params.value === true) throw new Error("refused");
		return params.value as Json;
	}),
	define(
		"check",
		z.strictObject({ condition: z.string() }),
		({ expressions }) => (expressions.condition as () => Json)(),
		{ expressions: { condition: "value" } },
	),
	define(
		"pause",
		z.strictObject({ ms: z.number(), value: z.unknown().optional() }),
		({ params, signal }) =>
			new Promise((resolve, reject) => {
				const timer = setTimeout(() => resolve((params.value ?? null) as Json), params.ms as number);
				signal.addEventListener("abort", () => {
					clearTimeout(timer);
					reject(new Error("aborted"));
				});
			}),
	),
	define("wait", z.strictObject({ for: z.string() }), () => null, { parks: () => true }),
	define(
		"repeat",
		z.strictObject({ until: z.string(), max: z.int().default(20), delay_ms: z.int().default(0) }),
		() => ({ turns: 1 }),
		{ expressions: { until: "turn" } },
	),
];

const byId = new Map(components.map((component) => [component.id, component]));

/** `give` returns its value, `refuse` fails with it, `guard` fails if it is true, `pause` waits, `repeat` repeats. */
export const catalogue: Catalogue<null> = { get: (id) => byId.get(id), ids: () => [...byId.keys()] };

export const compileDocument = (json: JsonObject) => compileSource({ json }, { catalogue, named: false });

export function runDocument(
	json: JsonObject,
	options: Partial<RunOptions<null>> = {},
): Outcome | Promise<Outcome> {
	const { plan, diagnostics } = compileDocument(json);
	assert.ok(plan !== null, JSON.stringify(diagnostics));
	return run(plan, buildOptions(options));
}
