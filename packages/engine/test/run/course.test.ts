import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import * as z from "zod";
import { compileSource } from "../../src/compile.ts";
import type {
	Catalogue,
	Component,
	Course,
	NextStep,
	PlannedStep,
	StepProblem,
} from "../../src/component.ts";
import type { CapturedStep, RunOptions } from "../../src/run/options.ts";
import type { Outcome } from "../../src/run/outcome.ts";
import { run } from "../../src/run.ts";
import { buildOptions } from "./build.ts";
import { catalogue as plain } from "./run-document.ts";

/** Takes the steps that its parameter lists, batch after batch, and gives all results. */
const script: Component<null> = {
	...{ id: "script", version: "1", title: "", description: "", hosts: [], takesCredentials: false },
	params: z.strictObject({
		steps: z.array(z.string()),
		batches: z.array(z.array(z.unknown())),
		fails: z.string().optional(),
	}),
	output: z.unknown(),
	examples: [],
	isPure: true,
	run: () => null,
	orchestration: {
		planSteps: ({ params }, catalogue) =>
			(params.steps as string[]).map((name, index): PlannedStep<null> | StepProblem => {
				const component = catalogue.get(name);
				return component === undefined
					? { message: `there is no component "${name}"`, path: ["steps", index] }
					: { name, component };
			}),
		begin({ batches, fails }): Course {
			const rest = [...(batches as unknown as NextStep[][])];
			const seen: Json[] = [];
			return {
				next(results, { log }) {
					if (results.length > 0) seen.push(results as unknown as Json);
					log(`${rest.length} batches left`);
					const steps = rest.shift();
					if (steps !== undefined) return { steps };
					if (fails !== undefined) throw new Error(fails as string);
					return { output: seen };
				},
			};
		},
	},
};
const catalogue: Catalogue<null> = {
	get: (id) => (id === "script" ? script : plain.get(id)),
	ids: () => ["script", ...plain.ids()],
};

const compile = (json: JsonObject) => compileSource({ json }, { catalogue, named: false });

function runDocument(json: JsonObject, options: Partial<RunOptions<null>> = {}): Outcome | Promise<Outcome> {
	const { plan, diagnostics } = compile(json);
	assert.ok(plan !== null, JSON.stringify(diagnostics));
	return run(plan, buildOptions(options));
}

const give = (value: Json): JsonObject => ({ name: "give", params: { value } });
const lead = (batches: JsonObject[][], more: JsonObject = {}): JsonObject => ({
	component: "script",
	steps: ["give", "refuse", "pause"],
	batches,
	...more,
});

describe("a component that runs others", () => {
	test("takes batch after batch, and its node gives the output of the course", async () => {
		const outcome = await runDocument(
			{
				triplets: ["lead >> then >> after"],
				config: {
					lead: lead([[give(1), give("{{input.two}}")], [give(3)]]),
					after: { component: "give", value: "{{lead}}" },
				},
			},
			{ input: { two: 2 } },
		);
		assert.deepEqual(outcome.data, [[{ output: 1 }, { output: 2 }], [{ output: 3 }]]);
	});

	test("has the steps that were taken in its trace, after the workflow's own nodes", async () => {
		const { nodes } = await runDocument({
			triplets: ["lead >> then >> after"],
			config: {
				lead: lead([[give(1)], [give(2)]]),
				after: { component: "give", value: 0 },
			},
		});
		assert.deepEqual(
			nodes.map(({ id, component, status, log }) => [id, component, status, log]),
			[
				["lead", "script", "success", ["2 batches left", "1 batches left", "0 batches left"]],
				["after", "give", "success", undefined],
				["lead/give", "give", "success", undefined],
			],
		);
	});

	test("gets the error of a step that failed, and goes on", async () => {
		const { data, success, nodes } = await runDocument({
			triplets: ["input >> then >> lead"],
			config: { lead: lead([[{ name: "refuse", params: { value: "no" } }, give(1)]]) },
		});
		assert.ok(success);
		assert.deepEqual(data, [[{ error: "no" }, { output: 1 }]]);
		assert.equal(nodes.find(({ id }) => id === "lead/refuse")?.status, "failed");
	});

	test("gets an error for parameters that do not match the schema of the step's component", async () => {
		const { data } = await runDocument({
			triplets: ["input >> then >> lead"],
			config: { lead: lead([[{ name: "pause", params: { ms: "soon" } }]]) },
		});
		assert.deepEqual(data, [[{ error: 'parameter "ms" must be a number, but is text' }]]);
	});

	test("runs the steps of a batch at the same time", async () => {
		const started = performance.now();
		const pause = { name: "pause", params: { ms: 50, value: 1 } };
		await runDocument({
			triplets: ["input >> then >> lead"],
			config: { lead: lead([[pause, pause, pause, pause, pause, pause]]) },
		});
		assert.ok(performance.now() - started < 250);
	});

	test("fails if its course does, and the edges of a failure are taken", async () => {
		const { data } = await runDocument({
			triplets: ["lead >> ON_FAIL >> after"],
			config: {
				lead: lead([[give(1)]], { fails: "enough" }),
				after: { component: "give", value: "handled" },
			},
		});
		assert.equal(data, "handled");
		const { error, failedNode } = await runDocument({
			triplets: ["input >> then >> lead"],
			config: { lead: lead([], { fails: "enough" }) },
		});
		assert.deepEqual([error, failedNode], ["lead: enough", "lead"]);
	});

	test("does not compile if another node has the name of a step", () => {
		const { diagnostics } = compile({
			triplets: ["input >> then >> lead", "lead >> then >> lead/give"],
			config: { lead: lead([]), "lead/give": { component: "give", value: 1 } },
		});
		assert.deepEqual(
			diagnostics.map(({ code, message }) => [code, message]),
			[["bad_step", '"lead/give" is the name of a step of "lead"']],
		);
	});

	test("says which of its steps are not possible when the workflow is compiled", () => {
		const { diagnostics } = compile({
			triplets: ["input >> then >> lead"],
			config: { lead: { component: "script", steps: ["give", "gibe"], batches: [] } },
		});
		assert.deepEqual(
			diagnostics.map(({ code, message, path }) => [code, message, path]),
			[["bad_step", 'there is no component "gibe"', "config.lead.steps.1"]],
		);
	});

	test("runs in a loop, and each step has its own place", async () => {
		const captured: CapturedStep[] = [];
		const { data } = await runDocument(
			{
				triplets: ["list >> FOREACH each >> lead"],
				config: {
					list: { component: "give", value: [1, 2] },
					lead: lead([[give("{{each}}")], [give("{{each}}"), give("b")]]),
				},
				result: "{{lead}}",
			},
			{ capture: { record: (step) => void captured.push(step) } },
		);
		assert.deepEqual(
			data,
			[1, 2].map((each) => [[{ output: each }], [{ output: each }, { output: "b" }]]),
		);
		assert.deepEqual(
			captured
				.filter(({ id }) => id === "lead/give")
				.map(({ place }) => place)
				.sort(),
			["0.0.0", "0.1.0", "0.1.1", "1.0.0", "1.1.0", "1.1.1"],
		);
	});

	test("counts its steps in those of the run", async () => {
		const { error } = await runDocument(
			{
				triplets: ["input >> then >> lead"],
				config: { lead: lead(Array.from({ length: 20 }, () => [give(1)])) },
			},
			{ budget: { stepsLeft: 10, maxSteps: 10 } },
		);
		assert.match(error ?? "", /10 steps/);
	});

	test("ends with its run, and its steps are aborted", async () => {
		const control = new AbortController();
		const ended = runDocument(
			{
				triplets: ["input >> then >> lead"],
				config: { lead: lead([[{ name: "pause", params: { ms: 60_000 } }]]) },
			},
			{ signal: control.signal },
		);
		setImmediate(() => control.abort());
		const { success, nodes } = await ended;
		assert.ok(!success);
		assert.deepEqual(
			nodes.map(({ id, status }) => [id, status]),
			[
				["lead", "cancelled"],
				["lead/pause", "cancelled"],
			],
		);
	});
});
