import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { decompile } from "../../src/decompile.ts";
import { listStatuses } from "./build.ts";
import { compileDocument, runDocument } from "./run-document.ts";

const give = (value: Json): JsonObject => ({ component: "give", value });

const orders = {
	triplets: ["orders >> FOREACH o >> price"],
	config: { orders: give("{{input.orders}}"), price: give("{{o}} each") },
};
const input = { orders: [1, 2] };

const listErrors = (result: Json, document: JsonObject = orders) =>
	compileDocument({ ...document, result }).diagnostics.map(({ code, path }) => `${code} ${path}`);

describe("the chosen result", () => {
	test("becomes the data, with the lists of loops", async () => {
		const result = {
			prices: "{{price}}",
			first: "{{orders[0]}}",
			by: "{{workflow.name}} {{input.orders}}",
			fix: [1],
		};
		const outcome = await runDocument({ ...orders, result }, { input });
		assert.deepEqual(outcome.data, { prices: ["1 each", "2 each"], first: 1, by: "test [1,2]", fix: [1] });
	});

	test("may be constant, a text, and false", async () => {
		for (const result of ["done", 0, false, [], {}])
			assert.deepEqual((await runDocument({ ...orders, result }, { input })).data, result);
	});

	test("reads every node when the last one has settled, whichever branch ran", async () => {
		const outcome = await runDocument(
			{
				triplets: ["yes >> if true >> slow", "yes >> if false >> never"],
				config: {
					yes: { component: "check", condition: "input.go" },
					slow: { component: "pause", ms: 5, value: "late" },
					never: give(1),
				},
				result: ["{{slow}}", '{{never | default("skipped")}}'],
			},
			{ input: { go: true } },
		);
		assert.deepEqual(outcome.data, ["late", "skipped"]);
	});

	test("fails the run if a value is missing, though every node succeeded", async () => {
		const outcome = await runDocument({ ...orders, result: "{{input.total}}" }, { input });
		assert.equal(outcome.success, false);
		assert.equal(outcome.data, null);
		assert.equal(outcome.error, 'result: "input.total" is missing: "input" has no "total"; it has orders');
		assert.deepEqual(listStatuses(outcome), { orders: "success", price: "success" });
	});

	test("is not read if the run failed", async () => {
		const failing = { ...orders, config: { ...orders.config, price: { component: "refuse", value: "no" } } };
		const outcome = await runDocument({ ...failing, result: "{{input.total}}" }, { input });
		assert.equal(outcome.error, "price[0]: no");
	});

	test("is at most 4 MiB", async () => {
		const large = "x".repeat(1_000_000);
		const outcome = await runDocument(
			{ ...orders, result: Array(5).fill("{{input.orders}}") },
			{ input: { orders: [large] } },
		);
		assert.equal(outcome.error, "the result is larger than 4 MiB as JSON");
	});

	test("reads no element, no credential and no unknown name", () => {
		assert.deepEqual(listErrors({ a: ["{{o}}"] }), ["unreachable_reference result.a.0"]);
		assert.deepEqual(listErrors("{{credential.key}}"), ["credential_not_allowed result"]);
		assert.deepEqual(listErrors("{{prise}}"), ["unknown_reference result"]);
		assert.deepEqual(listErrors("{{price | nothing}}"), ["bad_template result"]);
		const [problem] = compileDocument({ ...orders, result: "{{prise}}" }).diagnostics;
		assert.equal(problem?.hint, 'Did you mean "price"?');
	});

	test("is part of every form, and converts without loss", () => {
		const result = { prices: "{{price}}" };
		const definition = compileDocument({ ...orders, result }).definition;
		assert.ok(definition !== null);
		assert.deepEqual(definition.graph.result, result);
		assert.deepEqual(decompile(definition).result, result);
		const { nodes, edges } = definition.graph as unknown as { nodes: Json; edges: Json };
		for (const form of [
			{ graph: definition.graph },
			{ graph: { nodes, edges }, result },
			{ nodes, edges, result },
		]) {
			assert.deepEqual(compileDocument(form as unknown as JsonObject).definition, definition);
		}
		assert.deepEqual(
			compileDocument({ graph: { nodes, edges, result }, result }).diagnostics.map(({ message }) => message),
			["result is set twice, also in the graph"],
		);
		assert.deepEqual(listErrors("{{prise}}", { graph: { nodes, edges } }), ["unknown_reference result"]);
		assert.deepEqual(
			compileDocument({ graph: { nodes, edges, result: "{{prise}}" } }).diagnostics.map(({ path }) => path),
			["graph.result"],
		);
	});
});
