import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import * as z from "zod";
import { compileSource } from "../../src/compile.ts";
import type { Catalogue, Component } from "../../src/component.ts";
import type { RunOptions } from "../../src/run/options.ts";
import { run } from "../../src/run.ts";
import { buildOptions, listStatuses } from "./build.ts";

const give: Component<null> = {
	id: "give",
	version: "1",
	title: "Give",
	description: "Gives its value",
	params: z.strictObject({ value: z.unknown() }),
	output: z.unknown(),
	hosts: [],
	takesCredentials: false,
	examples: [],
	run: ({ params }) => params.value as Json,
};
const refuse: Component<null> = {
	...give,
	id: "refuse",
	run: ({ params }) => {
		throw new Error(String(params.value));
	},
};
const catalogue: Catalogue<null> = {
	get: (id) => [give, refuse].find((component) => component.id === id),
	ids: () => ["give", "refuse"],
};

function runDocument(
	triplets: string[],
	config: { [node: string]: { [setting: string]: Json } },
	options: Partial<RunOptions<null>> = {},
) {
	const filled = Object.entries(config).map(([id, settings]) => [id, { component: "give", ...settings }]);
	const source = { json: { triplets, config: Object.fromEntries(filled), context: options.context ?? {} } };
	const { plan, diagnostics } = compileSource(source, { catalogue, named: false });
	assert.ok(plan !== null, JSON.stringify(diagnostics));
	return run(plan, buildOptions(options));
}

describe("a compiled workflow", () => {
	test("reads the trigger, earlier nodes and the roots", async () => {
		const outcome = await runDocument(
			["input >> then >> hello", "hello >> then >> all"],
			{
				hello: { value: "hello {{input.name}}" },
				all: { value: ["{{hello}}", "{{context.tone}}", "{{workflow.name}}", "{{execution.id}}"] },
			},
			{ input: { name: "Ada" }, context: { tone: "kind" } },
		);
		assert.deepEqual(outcome.data, ["hello Ada", "kind", "test", "1"]);
	});

	test("reads elements in nested loops and lists after them", async () => {
		const outcome = await runDocument(
			["rows >> FOREACH row >> cells", "cells >> FOREACH cell >> name", "rows >> then >> all"],
			{
				rows: { value: [["a", "b"], ["c"]] },
				cells: { value: "{{row}}" },
				name: { value: "{{row_index}}{{cell}}{{cell_index}}" },
				all: { value: "{{name}}" },
			},
		);
		assert.deepEqual(outcome.data, [["0a0", "0b1"], ["1c0"]]);
	});

	test("fails with the reference to a skipped node", async () => {
		const outcome = await runDocument(
			["ask >> if true >> yes", "ask >> if false >> no", "yes >> then >> last", "no >> then >> last"],
			{ ask: { value: false }, yes: { value: 1 }, no: { value: 2 }, last: { value: "{{yes}}" } },
		);
		assert.match(outcome.error ?? "", /^last: .*yes/);
		assert.deepEqual(listStatuses(outcome), {
			ask: "success",
			yes: "skipped",
			no: "success",
			last: "failed",
		});
	});

	test("continues after a handled failure", async () => {
		const outcome = await runDocument(["bad >> on error >> mend", "mend >> finally >> last"], {
			bad: { component: "refuse", value: "no" },
			mend: { value: "mended" },
			last: { value: "{{mend}}" },
		});
		assert.equal(outcome.data, "mended");
	});

	test("collects the failures of elements", async () => {
		const outcome = await runDocument(["list >> FOREACH x >> body", "list >> then >> all"], {
			list: { value: ["p", "q"], on_item_error: "collect" },
			body: { component: "refuse", value: "bad {{x}}" },
			all: { value: "{{body}}" },
		});
		assert.deepEqual(outcome.data, [{ error: "bad p" }, { error: "bad q" }]);
	});
});
