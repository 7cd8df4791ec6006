import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { builtInCatalogue } from "@tripline/components/catalogue";
import type { Effects } from "@tripline/components/effects";
import type { Json } from "@tripline/contract/json";
import type { KeptNode } from "@tripline/contract/kept-data";
import { compileSource } from "@tripline/engine/compile";
import { run } from "@tripline/engine/run";
import fc from "fast-check";
import { RunCapture } from "../../src/kept/capture.ts";
import { buildDocument } from "../../src/kept/document.ts";
import { renderInputs } from "../../src/kept/render.ts";

/** Runs a document and returns what is shown of its nodes. */
async function showRun(triplets: readonly string[], config: object, input: Json): Promise<KeptNode[]> {
	const json = { name: "w", description: "d", version: "1", triplets, config, context: { shop: "corner" } };
	const { plan, diagnostics } = compileSource({ json }, { catalogue: builtInCatalogue, named: true });
	assert.ok(plan !== null, JSON.stringify(diagnostics));
	const capture = new RunCapture(input);
	const clock = { now: () => 0 };
	const budget = { stepsLeft: 10_000 };
	const execution = { id: "1", trigger: "test", time: "t" };
	await run(plan, {
		...{ input, context: plan.context, workflow: { name: "w", version: "1" }, execution, budget, clock },
		...{ deadline: 1_000, timeoutMs: 1_000, effects: null as unknown as Effects, capture },
	});
	const { graph, context } = plan;
	const about = { id: "1", workflow: "w", versionNumber: 1, version: "1", trigger: "test", time: "t" };
	const kept = buildDocument({ ...about, request: undefined, graph, context, capture }, null);
	return renderInputs(kept, "1", kept.steps, builtInCatalogue);
}

/** The output of `set` is its parameter, so both must be shown alike. */
function assertShownAlike(nodes: readonly KeptNode[], expected: number): void {
	const set = nodes.filter(({ id }) => id.startsWith("set"));
	assert.equal(set.length, expected);
	for (const { id, place, input, input_error, output } of set) {
		assert.ok(input !== undefined && "json" in input, `${id} ${place}: ${input_error}`);
		assert.ok(output !== undefined && "json" in output);
		assert.deepEqual((input.json as { values: Json }).values, output.json, `${id} ${place}`);
	}
}

const set = (values: object) => ({ component: "set", values });

describe("inputs that are rendered again", () => {
	test("are what the nodes received, in nested loops, branches and after them", async () => {
		const items = fc.array(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 4 }), { maxLength: 4 });
		await fc.assert(
			fc.asyncProperty(items, async (rows) => {
				const triplets = [
					"input >> then >> rows",
					"rows >> for each row >> set-row",
					"set-row >> then >> cells",
					"cells >> for each cell >> is-big",
					"is-big >> if true >> set-big",
					"is-big >> if false >> set-small",
					"set-big >> then >> set-either",
					"set-small >> then >> set-either",
					"cells >> then >> set-after",
					"rows >> then >> set-end",
				];
				const config = {
					rows: { component: "foreach", items: "{{input.rows}}" },
					"set-row": set({ row: "{{row}}", at: "{{row_index}}", shop: "{{context.shop}}" }),
					cells: { component: "foreach", items: "{{row}}" },
					"is-big": { component: "if", condition: "cell > 4" },
					"set-big": set({ cell: "{{cell}}", big: true }),
					"set-small": set({ cell: "{{cell}}", of: '{{nodes["set-row"].at}}', row: "{{row}}" }),
					"set-either": set({ big: '{{nodes["set-big"] | default("none")}}', i: "{{cell_index}}" }),
					"set-after": set({ big: '{{nodes["set-big"]}}', small: '{{nodes["set-small"]}}' }),
					"set-end": set({ all: '{{nodes["set-either"]}}', rows: '{{nodes["set-row"]}}', in: "{{input}}" }),
				};
				const cells = rows.flat().length;
				const nodes = await showRun(triplets, config, { rows });
				assertShownAlike(nodes, 2 * rows.length + 2 * cells + 1);
			}),
			{ numRuns: 60 },
		);
	});

	test("are what the nodes received, in turns around and inside loops", async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 0, max: 3 }),
				fc.array(fc.integer(), { maxLength: 3 }),
				async (last, list) => {
					const triplets = [
						"poll >> REPEAT turn >> set-turn",
						"set-turn >> then >> list",
						"list >> for each x >> set-x",
						"list >> then >> set-list",
						"poll >> then >> set-end",
					];
					const config = {
						poll: { component: "repeat", until: `turn == ${last}` },
						"set-turn": set({ turn: "{{turn}}", before: '{{turn_last["set-list"].all | default("none")}}' }),
						list: { component: "foreach", items: "{{input.list}}" },
						"set-x": set({ x: "{{x}}", turn: "{{turn}}" }),
						"set-list": set({ all: '{{nodes["set-x"]}}' }),
						"set-end": set({
							list: '{{nodes["set-list"]}}',
							xs: '{{nodes["set-x"]}}',
							turns: "{{poll.turns}}",
						}),
					};
					const nodes = await showRun(triplets, config, { list });
					assertShownAlike(nodes, (last + 1) * (2 + list.length) + 1);
				},
			),
			{ numRuns: 40 },
		);
	});

	test("are what the nodes received after a loop that an element has stopped", async () => {
		const nodes = await showRun(
			[
				"input >> then >> list",
				"list >> for each x >> set-x",
				"set-x >> then >> check",
				"list >> finally >> set-end",
			],
			{
				list: { component: "foreach", items: "{{input.list}}", concurrency: 1 },
				"set-x": set({ x: "{{x}}" }),
				check: { component: "fail", message: "no" },
				"set-end": set({ xs: '{{nodes["set-x"] | default("none")}}' }),
			},
			{ list: [1, 2] },
		);
		assertShownAlike(nodes, 2);
		assert.deepEqual(nodes.find(({ id }) => id === "set-end")?.output, { json: { xs: "none" } });
	});

	test("are what the nodes received after failures that were handled or collected", async () => {
		const nodes = await showRun(
			[
				"input >> then >> list",
				"list >> for each x >> check",
				"check >> on error >> set-mended",
				"list >> then >> set-end",
				"input >> then >> others",
				"others >> for each y >> broken",
				"others >> then >> set-others",
			],
			{
				list: { component: "foreach", items: "{{input.list}}" },
				check: { component: "fail", message: "no {{x}}" },
				"set-mended": set({ x: "{{x}}" }),
				"set-end": set({ xs: '{{nodes["set-mended"]}}' }),
				others: { component: "foreach", items: "{{input.list}}", on_item_error: "collect" },
				broken: { component: "fail", message: "no {{y}}" },
				"set-others": set({ all: "{{broken}}" }),
			},
			{ list: [1, 2] },
		);
		assertShownAlike(nodes, 4);
	});

	test("of elements whose inner loop failed are not guessed", async () => {
		const nodes = await showRun(
			[
				"input >> then >> rows",
				"rows >> for each row >> cells",
				"cells >> for each cell >> broken",
				"rows >> then >> set-end",
			],
			{
				rows: { component: "foreach", items: "{{input.rows}}", on_item_error: "collect" },
				cells: { component: "foreach", items: "{{row}}" },
				broken: { component: "fail", message: "no" },
				"set-end": set({ all: "{{broken}}" }),
			},
			{ rows: [[1], []] },
		);
		assert.match(nodes.at(-1)?.input_error ?? "", /^it reads "broken" of elements that failed/);
	});

	test("of an expression show it as it was written, and of a credential its name", async () => {
		const nodes = await showRun(
			["input >> then >> only", "input >> then >> call"],
			{
				only: { component: "compute", values: { sum: "input.a + 1" } },
				call: { component: "http_request", url: "https://example.com/{{credential.key}}" },
			},
			{ a: 1 },
		);
		const find = (name: string) => nodes.find(({ id }) => id === name)?.input;
		assert.deepEqual(find("only"), { json: { values: { sum: "input.a + 1" } } });
		const call = find("call");
		assert.ok(call !== undefined && "json" in call);
		assert.equal((call.json as { url: string }).url, "https://example.com/{{credential.key}}");
	});
});
