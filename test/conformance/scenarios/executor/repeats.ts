import assert from "node:assert/strict";
import { SavedWorkflow, WorkflowDocument } from "@tripline/contract/executor";
import type { RunResult } from "@tripline/contract/workflows";
import type { Scenario } from "../../scenario.ts";
import { failOnce, runOnce } from "./token-webhook.ts";

const text = (text: string) => ({ component: "template", text });

const poll = {
	triplets: ["poll >> REPEAT turn >> step", "step >> then >> sum", "poll >> then >> after"],
	config: {
		poll: { component: "repeat", until: "sum.total >= 6" },
		step: {
			component: "set",
			values: { number: "{{turn}}", before: "{{turn_last.sum.total | default(0)}}" },
		},
		sum: {
			component: "aggregate",
			items: ["{{step}}"],
			compute: { total: "first(item.before + item.number)" },
		},
		after: { component: "set", values: { turns: "{{poll.turns}}", total: "{{sum.total}}" } },
	},
};

const listStatuses = ({ nodes = [] }: RunResult) =>
	Object.fromEntries(nodes.map(({ id, status }) => [id, status]));

export const repeats: readonly Scenario[] = [
	{
		name: "REPEAT runs its body until the condition is true, and each turn reads the one before",
		cites: [],
		async run(world) {
			const result = await runOnce(world, poll);
			assert.deepEqual(result.data, { turns: 4, total: 6 });
			assert.deepEqual(
				result.nodes?.map(({ attempts }) => attempts),
				[1, 1, 1, 1],
			);
		},
	},
	{
		name: "a repeat node fails at its maximum and with a failed turn, and its ON_FAIL handles both",
		cites: [],
		async run(world) {
			const limited = { ...poll.config, poll: { component: "repeat", until: "false", max: 3 } };
			assert.equal(
				(await failOnce(world, { ...poll, config: limited })).error,
				"poll: until was not true after 3 turns",
			);
			const rescued = {
				triplets: [...poll.triplets, "poll >> ON_FAIL >> rescue"],
				config: { ...limited, rescue: text("stopped at {{sum.total}}") },
			};
			assert.equal((await runOnce(world, rescued)).data, "stopped at 3");
			const failing = {
				triplets: ["poll >> REPEAT turn >> is second", "is second >> if true >> broken"],
				config: {
					poll: { component: "repeat", until: "false" },
					"is second": { component: "if", condition: "turn == 1" },
					broken: { component: "fail", message: "out of stock" },
				},
			};
			const failed = await failOnce(world, failing);
			assert.equal(failed.error, "broken[1]: out of stock");
			assert.deepEqual(listStatuses(failed), { poll: "failed", "is second": "success", broken: "failed" });
			const handled = await runOnce(world, {
				triplets: [...failing.triplets, "poll >> ON_FAIL >> rescue"],
				config: { ...failing.config, rescue: text("rescued") },
			});
			assert.equal(handled.data, "rescued");
		},
	},
	{
		name: "a repeat waits between its turns, and the deadline ends the delay",
		cites: [],
		async run(world) {
			const slow = (delay_ms: number) => ({
				...poll,
				config: { ...poll.config, poll: { component: "repeat", until: "turn == 2", delay_ms } },
			});
			const { data, duration_ms } = await runOnce(world, slow(30));
			assert.deepEqual(data, { turns: 3, total: 3 });
			assert.ok(duration_ms >= 55, `${duration_ms} ms`);
			const late = await failOnce(world, { ...slow(60_000), options: { timeout_ms: 60 } });
			assert.equal(late.error, 'the run took longer than 60 ms while "poll" was running');
			assert.equal(listStatuses(late).poll, "cancelled");
		},
	},
	{
		name: "repeats nest in loops, and loops in repeats",
		cites: [],
		async run(world) {
			const result = await runOnce(
				world,
				{
					triplets: [
						"list >> FOREACH n >> poll",
						"poll >> REPEAT turn >> pair",
						"pair >> FOREACH side >> name",
						"list >> then >> all",
					],
					config: {
						list: { component: "foreach", items: "{{input.list}}", on_item_error: "collect" },
						poll: { component: "repeat", until: "turn == n", max: 2 },
						pair: { component: "foreach", items: ["a", "b"] },
						name: text("{{n}}{{turn}}{{side}}"),
						all: { component: "set", values: { names: "{{name}}", polls: "{{poll}}" } },
					},
				},
				{ list: [1, 0, 9] },
			);
			const error = "until was not true after 2 turns";
			assert.deepEqual(result.data, {
				names: [["11a", "11b"], ["00a", "00b"], { error }],
				polls: [{ turns: 2 }, { turns: 1 }, { error }],
			});
			assert.deepEqual(result.nodes?.[0]?.log, [`1 of 3 elements failed; element 2: poll: ${error}`]);
		},
	},
	{
		name: "a saved workflow keeps its REPEAT edges as they were written, and as a graph",
		cites: [],
		async run(world) {
			const triplets = ["poll >> 重複 turn >> step", ...poll.triplets.slice(1)];
			const saved = await world.executor.expect(201, SavedWorkflow, "POST", "/workflows", {
				body: { name: "poll", description: "", version: "1", ...poll, triplets },
			});
			assert.deepEqual(saved.graph.edges[0], { from: "poll", to: "step", on: "REPEAT", as: "turn" });
			const read = await world.executor.expect(200, WorkflowDocument, "GET", "/webhooks/named/poll");
			assert.deepEqual(read.triplets, triplets);
			assert.deepEqual((await runOnce(world, { graph: saved.graph })).data, { turns: 4, total: 6 });
		},
	},
	{
		name: "a REPEAT edge that cannot run is refused",
		cites: [],
		async run(world) {
			const refuse = async (triplets: readonly string[], config: object) => {
				const body = { triplets, config };
				const { diagnostics = [] } = await world.executor.refuse(400, "POST", "/webhooks", { body });
				return diagnostics.map(({ code, path }) => `${code} ${path}`);
			};
			const plain = { ...poll.config, poll: { component: "set", values: { turns: 0 } } };
			assert.deepEqual(await refuse(poll.triplets, plain), ["bad_edge triplets.0"]);
			assert.deepEqual(await refuse(["poll >> then >> step"], { poll: poll.config.poll, step: text("x") }), [
				"bad_edge triplets.0",
				"unknown_reference config.poll.until",
			]);
			const outside = {
				...poll.config,
				step: { component: "code", code: "", input: { a: "{{turn_last.after}}" } },
			};
			assert.deepEqual(await refuse(poll.triplets, outside), ["unknown_reference config.step.input.a"]);
		},
	},
];
