import assert from "node:assert/strict";
import { SavedWorkflow, Validation, WorkflowDocument } from "@tripline/contract/executor";
import type { Scenario } from "../../scenario.ts";
import { createWebhook, failOnce, runOnce, trigger, waitForRecords } from "./token-webhook.ts";

const text = (text: string) => ({ component: "template", text });

const orders = {
	triplets: ["orders >> FOREACH order >> line"],
	config: {
		orders: { component: "foreach", items: "{{input.orders}}" },
		line: text("{{order.name}} {{order.total}}"),
	},
	result: { lines: "{{line}}", first: "{{input.orders[0].name}}" },
};
const input = {
	orders: [
		{ name: "tea", total: 4 },
		{ name: "pot", total: 30 },
	],
};
const data = { lines: ["tea 4", "pot 30"], first: "tea" };

export const results: readonly Scenario[] = [
	{
		name: "the chosen result becomes the data of a token webhook, in every form",
		cites: [],
		async run(world) {
			assert.deepEqual((await runOnce(world, orders, input)).data, data);
			const checked = await world.executor.expect(200, Validation, "POST", "/workflows/validate", {
				body: { name: "orders", description: "", version: "1", ...orders },
			});
			assert.deepEqual(checked.graph?.result, orders.result);
			assert.deepEqual((await runOnce(world, { graph: checked.graph }, input)).data, data);
			const { nodes, edges } = checked.graph ?? {};
			assert.deepEqual((await runOnce(world, { nodes, edges, result: "{{line}}" }, input)).data, data.lines);
		},
	},
	{
		name: "a named workflow and a workflow that calls it return the chosen result",
		cites: [],
		async run(world) {
			const document = { name: "orders", description: "", version: "1", ...orders };
			const saved = await world.executor.expect(201, SavedWorkflow, "POST", "/workflows", { body: document });
			assert.deepEqual(saved.diagnostics, []);
			const path = "/webhooks/named/orders";
			assert.deepEqual(await world.executor.expect(200, WorkflowDocument, "GET", path), document);
			const call = {
				triplets: ["input >> then >> call"],
				config: { call: { component: "workflow", name: "orders", input: "{{input}}" } },
			};
			assert.deepEqual((await runOnce(world, call, input)).data, data);
		},
	},
	{
		name: "a missing value of the chosen result fails the run",
		cites: [],
		async run(world) {
			const failed = await failOnce(world, { ...orders, result: "{{input.total}}" }, input);
			assert.equal(failed.error, 'result: "input.total" is missing: "input" has no "total"; it has orders');
			assert.equal(failed.data, null);
			assert.deepEqual(
				failed.nodes?.map(({ status }) => status),
				["success", "success"],
			);
		},
	},
	{
		name: "a run that ends in a loop without a result is a warning when it is saved",
		cites: [],
		async run(world) {
			const { result: _, ...without } = orders;
			const body = { name: "orders", description: "", version: "1", ...without };
			const saved = await world.executor.expect(201, SavedWorkflow, "POST", "/workflows", { body });
			assert.deepEqual(
				saved.diagnostics.map(({ severity, code, hint }) => [severity, code, hint]),
				[["warning", "ends_in_loop", "Set result, such as result: '{{line}}'"]],
			);
		},
	},
	{
		name: "a loop all of whose elements failed is visible in the trace and in the record",
		cites: [],
		async run(world) {
			const token = await createWebhook(world.executor, {
				...orders,
				config: {
					orders: { ...orders.config.orders, on_item_error: "collect" },
					line: text("{{order.nam}}"),
				},
				result: "{{line | length}}",
			});
			const result = await trigger(world.executor, token, input);
			assert.equal(result.data, 2);
			const line =
				'2 of 2 elements failed; element 0: line: "order.nam" is missing: "order" has no "nam"; it has name, total';
			assert.deepEqual(result.nodes?.[0]?.log, [line]);
			const [record] = await waitForRecords(world, 1);
			assert.deepEqual([record?.verdict, record?.error], ["success", `orders: ${line}`]);
		},
	},
];
