import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@tripline/contract/json";
import { compileSource } from "@tripline/engine/compile";
import { run } from "@tripline/engine/run";
import fc from "fast-check";
import { builtInCatalogue } from "../src/catalogue.ts";
import type { Effects } from "../src/effects.ts";

type Settings = { [name: string]: Json };

/** A document that runs, and what its nodes returned. */
interface Valid {
	readonly triplets: string[];
	readonly config: { [node: string]: Settings };
	readonly outputs: Map<string, Json>;
}

const INPUT: Json = {
	name: "Ada",
	total: 12.5,
	paid: true,
	note: null,
	tags: ["new", "vip"],
	orders: [
		{ id: 1, city: "Lyon", lines: [{ name: "tea", price: 4 }] },
		{ id: 2, city: "Bonn", lines: [] },
	],
	csv: "a,b\n1,2\n",
};

const CLOCK = { now: () => 1_700_000_000_000 };

/** Picks by a stream of random numbers. */
class Choices {
	readonly #numbers: readonly number[];
	#at = 0;

	constructor(numbers: readonly number[]) {
		this.#numbers = numbers;
	}

	pick<Value>(values: readonly Value[]): Value {
		const number = this.#numbers[this.#at++ % this.#numbers.length] ?? 0;
		return values[number % values.length] as Value;
	}
}

interface Part {
	readonly path: string;
	readonly value: Json;
}

/** Every part of a value that a template can read. */
function listParts(path: string, value: Json, depth = 0): Part[] {
	const own = { path, value };
	if (typeof value !== "object" || value === null || depth > 3) return [own];
	const inner = Array.isArray(value)
		? value.slice(0, 2).flatMap((part, index) => listParts(`${path}[${index}]`, part, depth + 1))
		: Object.entries(value).flatMap(([name, part]) => listParts(`${path}.${name}`, part, depth + 1));
	return [own, ...inner];
}

const isObject = (value: Json): value is { [name: string]: Json } =>
	typeof value === "object" && value !== null && !Array.isArray(value);

/** Settings of a node that must run: everything it reads is there. */
function chooseNode(parts: readonly Part[], choices: Choices): Settings {
	const { pick } = { pick: <Value>(values: readonly Value[]) => choices.pick(values) };
	const any = () => `{{${pick(parts).path}}}`;
	const lists = parts.filter(({ value }) => Array.isArray(value));
	const list = pick(lists);
	const element = (list.value as Json[])[0];
	const field =
		element !== undefined && isObject(element)
			? pick(["", ...Object.keys(element).map((name) => `.${name}`)])
			: "";
	const everywhere = (list.value as Json[]).every(
		(one) => field === "" || (isObject(one) && Object.hasOwn(one, field.slice(1))),
	);
	const item = everywhere ? `item${field}` : "item";
	const items = `{{${list.path}}}`;
	const text = pick(parts.filter(({ value }) => typeof value === "string"));
	const number = pick(parts.filter(({ value }) => typeof value === "number"));
	return pick<Settings>([
		{ component: "set", values: { a: any(), b: [any(), { c: any() }], d: `${any()} and ${any()}` } },
		{ component: "template", text: `{{${text.path} | upper | trim}} {{${list.path} | length}} ${any()}` },
		{ component: "map", items, value: `{'it': ${item}, 'at': index, 'name': ${text.path}.size()}` },
		{ component: "map", items, value: item },
		{ component: "filter", items, where: `${item} == ${number.path} || index >= 0` },
		{ component: "sort", items, by: "index", order: "desc" },
		{ component: "aggregate", items, compute: { n: "count()", all: `list(${item})`, last: `last(${item})` } },
		{ component: "aggregate", items, group_by: "index", compute: { first: `first(${item})` } },
		{ component: "merge", values: [{ x: any() }, { y: any(), x: 1 }] },
		{ component: "merge", values: [items, [any()]] },
		{
			component: "compute",
			values: {
				sum: `${number.path} + 1`,
				list: `[${text.path}, ${number.path}]`,
				has: `has(${list.path}[9].no)`,
			},
		},
		{ component: "parse", format: "csv", text: "{{input.csv}}" },
		{ component: "foreach", items },
		{ component: "switch", value: any() },
		{ component: "datetime", operation: "parse", value: `{{${number.path}}}` },
		{
			component: "respond",
			body: { all: any(), none: `{{${list.path}[99].gone.x | default(${text.path})}}` },
		},
		{
			component: "set",
			values: {
				first: `{{${list.path} | first | default("none")}}`,
				entries: "{{input | entries}}",
				unique: `{{${list.path} | unique}}`,
			},
		},
	]);
}

const NODES = 4;

async function grow(numbers: readonly number[], check: (valid: Valid) => void): Promise<void> {
	const choices = new Choices(numbers);
	const valid: Valid = { triplets: [], config: {}, outputs: new Map() };
	let parts = listParts("input", INPUT);
	for (let index = 0; index < NODES; index++) {
		const id = `n${index}`;
		valid.config[id] = chooseNode(parts, choices);
		valid.triplets.push(`${index === 0 ? "input" : `n${index - 1}`} >> then >> ${id}`);
		check(valid);
		const output = await runLast(valid);
		valid.outputs.set(id, output);
		parts = [...parts, ...listParts(id, output)];
	}
}

const compileValid = ({ triplets, config }: Valid) =>
	compileSource({ json: { triplets, config } }, { catalogue: builtInCatalogue, named: false });

async function runLast(valid: Valid): Promise<Json> {
	const { plan } = compileValid(valid);
	assert.ok(plan !== null);
	const outcome = await run(plan, {
		input: INPUT,
		context: {},
		workflow: { name: "test", version: null },
		execution: { id: "1", trigger: "test", time: "" },
		budget: { stepsLeft: 100 },
		deadline: CLOCK.now() + 10_000,
		timeoutMs: 10_000,
		clock: CLOCK,
		effects: { clock: CLOCK, respond: () => {} } as unknown as Effects,
	});
	assert.equal(outcome.error, undefined, JSON.stringify(valid.config));
	return outcome.data;
}

test("of 10,000 random documents that run, none is refused", async () => {
	let count = 0;
	await fc.assert(
		fc.asyncProperty(fc.array(fc.nat(10_000), { minLength: 40, maxLength: 40 }), (numbers) =>
			grow(numbers, (valid) => {
				count++;
				const errors = compileValid(valid).diagnostics.filter(({ severity }) => severity === "error");
				assert.deepEqual(errors, [], JSON.stringify(valid.config, null, 1));
			}),
		),
		{ numRuns: 10_000 / NODES },
	);
	assert.equal(count, 10_000);
});
