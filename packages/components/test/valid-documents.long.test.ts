import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@tripline/contract/json";
import { compileSource } from "@tripline/engine/compile";
import { run } from "@tripline/engine/run";
import fc from "fast-check";
import { builtInCatalogue } from "../src/catalogue.ts";
import type { Effects } from "../src/effects.ts";
import { Choices } from "./valid-documents/choose-node.ts";
import { type Document, grow } from "./valid-documents/growth.ts";

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

const RUNS = 2_800;
const MIN_DOCUMENTS = 10_000;

/** Compiles the document without an error, and runs it with success. */
async function runValid(document: Document): Promise<{ readonly [node: string]: Json }> {
	const { plan, diagnostics } = compileSource(
		{ json: { ...document } },
		{ catalogue: builtInCatalogue, named: false },
	);
	const shown = JSON.stringify(document, null, 1);
	const errors = diagnostics.filter(({ severity }) => severity === "error");
	assert.deepEqual(errors, [], shown);
	assert.ok(plan !== null);
	const outcome = await run(plan, {
		input: INPUT,
		context: {},
		workflow: { name: "test", version: null },
		execution: { id: "1", trigger: "test", time: "" },
		budget: { stepsLeft: 10_000 },
		deadline: CLOCK.now() + 10_000,
		timeoutMs: 10_000,
		clock: CLOCK,
		effects: { clock: CLOCK, respond: () => {} } as unknown as Effects,
	});
	assert.equal(outcome.error, undefined, shown);
	return outcome.data as { readonly [node: string]: Json };
}

test("of 10,000 random documents that run, none is refused", async () => {
	let count = 0;
	await fc.assert(
		fc.asyncProperty(fc.array(fc.nat(10_000), { minLength: 120, maxLength: 120 }), (numbers) =>
			grow(INPUT, new Choices(numbers), (document) => {
				count++;
				return runValid(document);
			}),
		),
		{ numRuns: RUNS },
	);
	assert.ok(count >= MIN_DOCUMENTS, `${count} documents`);
});
