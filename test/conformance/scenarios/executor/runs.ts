import assert from "node:assert/strict";
import { SavedWorkflow } from "@tripline/contract/executor";
import type { RunResult } from "@tripline/contract/workflows";
import type { Scenario, World } from "../../scenario.ts";
import { createRow, createWebhook, failOnce, runOnce, trigger } from "./token-webhook.ts";

const text = (text: string) => ({ component: "template", text });
const broken = { component: "fail", message: "out of stock" };

const listStatuses = ({ nodes = [] }: RunResult) =>
	Object.fromEntries(nodes.map(({ id, status }) => [id, status]));

const save = (world: World, name: string, workflow: object) =>
	world.executor.expect(201, SavedWorkflow, "POST", "/webhooks/named", {
		body: { name, description: "", ...workflow },
	});

const call = (name: string, input = "{{input}}") =>
	createRow({ call: { component: "workflow", name, input } });

export const runs: readonly Scenario[] = [
	{
		name: "ON_FAIL handles a failure: the run succeeds with the result of that branch",
		cites: [],
		async run(world) {
			const result = await runOnce(world, {
				triplets: ["input >> then >> risky", "risky >> ON_FAIL >> rescue", "risky >> ON_SUCCESS >> fine"],
				config: { risky: broken, rescue: text("rescued"), fine: text("fine") },
			});
			assert.equal(result.data, "rescued");
			assert.deepEqual(listStatuses(result), { risky: "failed", rescue: "success", fine: "skipped" });
			assert.equal(result.nodes?.[0]?.error, "out of stock");
		},
	},
	{
		name: "ALWAYS follows a failure too, but does not handle it",
		cites: [],
		async run(world) {
			const result = await failOnce(world, {
				triplets: ["input >> then >> risky", "risky >> ALWAYS >> cleanup"],
				config: { risky: broken, cleanup: text("clean") },
			});
			assert.equal(result.error, "risky: out of stock");
			assert.deepEqual(listStatuses(result), { risky: "failed", cleanup: "success" });
		},
	},
	{
		name: "when a node fails, running nodes are cancelled and no others start",
		cites: [],
		async run(world) {
			const result = await failOnce(world, {
				triplets: ["input >> then >> slow", "input >> then >> pause", "pause >> then >> risky"],
				config: {
					slow: { component: "wait", ms: 20_000 },
					pause: { component: "wait", ms: 10 },
					risky: broken,
				},
			});
			assert.deepEqual(listStatuses(result), { slow: "cancelled", pause: "success", risky: "failed" });
			assert.ok(result.duration_ms < 10_000);
		},
	},
	{
		name: "if takes its ON_TRUE or its ON_FALSE edge",
		cites: [],
		async run(world) {
			const token = await createWebhook(world.executor, {
				triplets: ["input >> then >> check", "check >> ON_TRUE >> yes", "check >> ON_FALSE >> no"],
				config: {
					check: { component: "if", condition: "input.total > 100" },
					yes: text("yes"),
					no: text("no"),
				},
			});
			const large = await trigger(world.anyone, token, { total: 101 });
			assert.deepEqual([large.data, listStatuses(large).no], ["yes", "skipped"]);
			assert.equal((await trigger(world.anyone, token, { total: 100 })).data, "no");
		},
	},
	{
		name: "switch takes the CASE that equals its value as text, else DEFAULT",
		cites: [],
		async run(world) {
			const token = await createWebhook(world.executor, {
				triplets: [
					"input >> then >> by status",
					"by status >> CASE paid >> ship",
					"by status >> CASE 404 >> gone",
					"by status >> DEFAULT >> ask",
				],
				config: {
					"by status": { component: "switch", value: "{{input.status}}" },
					ship: text("ship"),
					gone: text("gone"),
					ask: text("ask"),
				},
			});
			for (const [status, data] of [
				["paid", "ship"],
				[404, "gone"],
				["PAID", "ask"],
				[null, "ask"],
			] as const) {
				assert.equal((await trigger(world.anyone, token, { status })).data, data);
			}
		},
	},
	{
		name: "FOREACH runs its body once for each element and collects the outputs in element order",
		cites: [],
		async run(world) {
			const token = await createWebhook(world.executor, {
				triplets: [
					"input >> then >> orders",
					"orders >> FOREACH order >> pause",
					"pause >> then >> label",
					"orders >> then >> all",
				],
				config: {
					orders: { component: "foreach", items: "{{input.orders}}", concurrency: 2 },
					pause: { component: "wait", ms: "{{order.ms}}" },
					label: text("{{order_index}}: {{order.name}}"),
					all: { component: "set", values: { labels: "{{label}}" } },
				},
			});
			const orders = [
				{ name: "tea", ms: 20 },
				{ name: "cup", ms: 0 },
				{ name: "pot", ms: 5 },
			];
			const { data } = await trigger(world.anyone, token, { orders });
			assert.deepEqual(data, { labels: ["0: tea", "1: cup", "2: pot"] });
			assert.deepEqual((await trigger(world.anyone, token, { orders: [] })).data, { labels: [] });
		},
	},
	{
		name: "a failure in a loop names the element, or is collected as that element's output",
		cites: [],
		async run(world) {
			const loop = (on_item_error: string) => ({
				triplets: [
					"input >> then >> list",
					"list >> FOREACH n >> even",
					"even >> ON_TRUE >> keep",
					"even >> ON_FALSE >> refuse",
					"list >> then >> all",
				],
				config: {
					list: { component: "foreach", items: [2, 3], on_item_error },
					even: { component: "if", condition: "n % 2 == 0" },
					keep: text("{{n}}"),
					refuse: { component: "fail", message: "{{n}} is odd" },
					all: { component: "set", values: { kept: "{{keep}}", refused: "{{refuse}}" } },
				},
			});
			assert.equal((await failOnce(world, loop("stop"))).error, "refuse[1]: 3 is odd");
			assert.deepEqual((await runOnce(world, loop("collect"))).data, {
				kept: ["2", null],
				refused: [null, { error: "3 is odd" }],
			});
		},
	},
	{
		name: "independent nodes run in parallel",
		cites: [],
		async run(world) {
			const names = ["a", "b", "c", "d"];
			const result = await runOnce(world, {
				triplets: names.flatMap((name) => [`input >> then >> ${name}`, `${name} >> then >> end`]),
				config: {
					...Object.fromEntries(names.map((name) => [name, { component: "wait", ms: 400 }])),
					end: text("end"),
				},
			});
			assert.equal(result.data, "end");
			assert.ok(result.duration_ms < 1_200, `${result.duration_ms} ms`);
		},
	},
	{
		name: "retry retries a failed node, and the trace counts the attempts",
		cites: [],
		async run(world) {
			const retry = { max: 2, delay_ms: 1 };
			const result = await failOnce(world, createRow({ risky: { ...broken, retry } }));
			assert.deepEqual([result.error, result.nodes?.[0]?.attempts], ["risky: out of stock", 3]);
		},
	},
	{
		name: "timeout_ms applies to each attempt of a node",
		cites: [],
		async run(world) {
			const retry = { max: 1, delay_ms: 1 };
			const slow = { component: "wait", ms: 20_000, timeout_ms: 20, retry };
			const result = await failOnce(world, createRow({ slow }));
			assert.deepEqual([result.error, result.nodes?.[0]?.attempts], ["slow: timed out after 20 ms", 2]);
		},
	},
	{
		name: "a missing reference fails its node with its name, unless it has a default",
		cites: [],
		async run(world) {
			const result = await failOnce(world, createRow({ say: text("{{input.user.name}}") }));
			assert.match(result.error ?? "", /^say: .*input\.user/);
			assert.equal(
				(await runOnce(world, createRow({ say: text("{{input.user.name | default('you')}}") }))).data,
				"you",
			);
		},
	},
	{
		name: "a workflow can run another of its namespace, and fails if that fails",
		cites: [],
		async run(world) {
			await save(world, "greet", createRow({ say: text("Hello {{input.name}}") }));
			await save(world, "break", createRow({ risky: broken }));
			assert.equal((await runOnce(world, call("greet"), { name: "Ada" })).data, "Hello Ada");
			assert.equal((await failOnce(world, call("break"))).error, "call: risky: out of stock");
			assert.equal((await failOnce(world, call("none"))).error, 'call: there is no workflow "none"');
		},
	},
	{
		name: "workflows can call each other at most eight levels deep",
		cites: [],
		async run(world) {
			await save(world, "w8", createRow({ end: text("the bottom") }));
			for (let depth = 7; depth >= 1; depth--) await save(world, `w${depth}`, call(`w${depth + 1}`));
			assert.equal((await runOnce(world, call("w1"))).data, "the bottom");
			await save(world, "w0", call("w1"));
			const result = await failOnce(world, call("w0"));
			assert.match(result.error ?? "", /^call: .*workflow calls are nested more than 8 deep$/);
		},
	},
	{
		name: "a run has at most 10000 steps",
		cites: [],
		async run(world) {
			const token = await createWebhook(world.executor, {
				triplets: ["input >> then >> list", "list >> FOREACH n >> one"],
				config: { list: { component: "foreach", items: "{{input.items}}" }, one: text("1") },
			});
			const items = (count: number) => ({ items: Array.from({ length: count }, () => 0) });
			await trigger(world.anyone, token, items(9_999));
			const answer = await world.anyone.call("POST", `/webhooks/${token}/trigger`, { body: items(10_000) });
			assert.equal(answer.status, 500);
			assert.equal(
				(answer.body as RunResult).error,
				'more than 10000 steps, most of them in the loop "list >> FOREACH n"',
			);
		},
	},
];
