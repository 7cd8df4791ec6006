import assert from "node:assert/strict";
import { ExecutionPage } from "@tripline/contract/execution-log";
import { AcceptedRun, ExecutionDetail } from "@tripline/contract/executor";
import { KeptData } from "@tripline/contract/kept-data";
import type { Scenario, World } from "../../scenario.ts";
import { putAuthRecipe, putCredential } from "./credential.ts";
import { eventually } from "./eventually.ts";
import { openHost } from "./outside-host.ts";
import { createWorkflow, listRecords, run, save, trigger, waitForRecords } from "./saving.ts";

const ALL = { options: { keep: "all" } };

const readData = (world: World, id: string) =>
	eventually(() => world.executor.expect(200, KeptData, "GET", `/executions/${id}/data`));

/** Calls a workflow and handles its failure. */
const calls = (name: string, workflow: string) => ({
	...createWorkflow(name, {}, ALL),
	triplets: ["input >> then >> call", "call >> ON_FAIL >> handle"],
	config: {
		call: { component: "workflow", name: workflow, input: "{{input}}" },
		handle: { component: "set", values: { isHandled: true } },
	},
});

/** Fails if the input says so. */
const picky = (name: string) => ({
	...createWorkflow(name, {}, ALL),
	triplets: ["input >> then >> check", "check >> ON_TRUE >> stop", "check >> ON_FALSE >> done"],
	config: {
		check: { component: "if", condition: "input.bad" },
		stop: { component: "fail", message: "no: {{input.who}}" },
		done: { component: "set", values: { who: "{{input.who}}" } },
	},
});

/** Workflows that other workflows call. */
export const calledRuns: readonly Scenario[] = [
	{
		name: "a called workflow that fails leaves a record and data of its own, which name the run that called it",
		cites: [],
		async run(world) {
			await save(world, picky("inner"));
			await save(world, calls("middle", "inner"));
			await save(world, calls("outer", "middle"));
			const { execution_id } = await run(world, "outer", { who: "Ada", bad: true });
			const [inner] = await waitForRecords(world, "inner", 1);
			assert.equal(inner?.called_by, execution_id);
			assert.deepEqual(
				[inner?.verdict, inner?.trigger, inner?.error, inner?.failed_node, inner?.version_number],
				["failed", "workflow", "stop: no: Ada", "stop", 1],
			);
			const detail = await world.executor.expect(200, ExecutionDetail, "GET", `/executions/${inner?.id}`);
			assert.equal(detail.record?.called_by, execution_id);
			const data = await readData(world, inner?.id ?? "");
			assert.deepEqual(data.input, { json: { who: "Ada", bad: true } });
			assert.deepEqual(
				data.nodes.map(({ id, status }) => [id, status]),
				[
					["check", "success"],
					["stop", "failed"],
				],
			);
			// Its own caller has handled the failure and left no record.
			assert.deepEqual(await listRecords(world, { workflow: "middle" }), []);
			assert.equal((await listRecords(world, { workflow: "outer" })).length, 1);
		},
	},
	{
		name: "the data of a node names the failed run of the workflow that it called, for each attempt",
		cites: [],
		async run(world) {
			await save(world, picky("inner"));
			const outer = calls("outer", "inner");
			await save(world, {
				...outer,
				config: { ...outer.config, call: { ...outer.config.call, retry: { max: 1, delay_ms: 1 } } },
			});
			const { execution_id } = await run(world, "outer", { who: "Ada", bad: true });
			const records = await waitForRecords(world, "inner", 2);
			const { nodes } = await readData(world, execution_id);
			const called = nodes.filter(({ id }) => id === "call").map((node) => node.called);
			assert.deepEqual(new Set(called), new Set(records.map(({ id }) => id)));
			const good = await run(world, "outer", { who: "Bob", bad: false });
			const [node] = (await readData(world, good.execution_id)).nodes;
			assert.deepEqual(node?.output, { json: { who: "Bob" } });
			assert.equal(node?.called, undefined, "a called run that succeeds is part of its caller");
		},
	},
	{
		name: "each workflow that a durable run calls leaves a record",
		cites: [],
		async run(world) {
			const host = "shop.example";
			world.target.outside.serve(host, () => ({ json: {} }));
			await save(world, createWorkflow("inner", { component: "http_request", url: `https://${host}/` }));
			await save(world, createWorkflow("outer", { component: "workflow", name: "inner" }, ALL));
			const accepted = await trigger(world, "outer", { headers: { prefer: "respond-async" } });
			const { execution_id } = AcceptedRun.parse(accepted.body);
			const [inner] = await waitForRecords(world, "inner", 1);
			assert.deepEqual(
				[inner?.verdict, inner?.trigger, inner?.called_by, inner?.nodes],
				["success", "workflow", execution_id, undefined],
			);
			const { nodes } = await readData(world, execution_id);
			assert.equal(nodes[0]?.called, inner?.id);
			await run(world, "outer");
			await waitForRecords(world, "outer", 2);
			assert.equal((await listRecords(world, { workflow: "inner" })).length, 1);
		},
	},
	{
		name: "a run leaves records of at most 100 called workflows that failed",
		cites: [],
		async run(world) {
			await save(world, picky("inner"));
			await save(world, {
				...createWorkflow("outer", {}),
				triplets: ["input >> then >> list", "list >> FOREACH n >> call"],
				config: {
					list: { component: "foreach", items: "{{input.items}}", on_item_error: "collect" },
					call: { component: "workflow", name: "inner", input: { bad: true, who: "{{n}}" } },
				},
			});
			await run(world, "outer", { items: Array.from({ length: 120 }, (_, index) => index) });
			await waitForRecords(world, "outer", 1);
			await eventually(async () => {
				const query = { owner_id: world.owner, workflow: "inner", limit: 100 };
				const page = await world.expect(200, ExecutionPage, "GET", "/execution-log", { query });
				assert.deepEqual([page.executions.length, page.next_cursor], [100, null]);
			});
		},
	},
	{
		name: "a secret that a called workflow used appears nowhere in its data or in that of its caller",
		cites: [],
		async run(world) {
			const secret = "sk-called-0123456789abcdef";
			const { host, url } = openHost(world, () => ({ json: { echo: secret } }));
			await putAuthRecipe(world, "shop", { type: "bearer", fields: ["token"], hosts: [host] });
			await putCredential(world, "shop key", "shop", { token: secret });
			await save(world, {
				...createWorkflow("inner", {}, ALL),
				triplets: ["input >> then >> get", "get >> then >> stop"],
				config: {
					get: { component: "http_request", url, credential: "shop key" },
					stop: { component: "fail", message: "no: {{get.data.echo}}" },
				},
			});
			await save(world, calls("outer", "inner"));
			const { execution_id } = await run(world, "outer", { given: secret });
			const [inner] = await waitForRecords(world, "inner", 1);
			for (const id of [execution_id, inner?.id ?? ""]) {
				const { input, ...data } = await readData(world, id);
				assert.deepEqual(input, { json: { given: "{{credential.shop key}}" } });
				assert.ok(!JSON.stringify(data).includes(secret), JSON.stringify(data));
			}
		},
	},
	{
		name: "a failed run of a called workflow is left out when failed runs are repeated, and can be repeated itself",
		cites: [],
		async run(world) {
			await save(world, picky("inner"));
			await save(world, calls("outer", "inner"));
			await run(world, "outer", { who: "Ada", bad: true });
			const [inner] = await waitForRecords(world, "inner", 1);
			const all = await world.executor.call("POST", "/executions/replay", {
				body: { since: "2020-01-01T00:00:00Z", dry_run: true },
			});
			assert.deepEqual((all.body as { executions: unknown[] }).executions, []);
			await readData(world, inner?.id ?? "");
			const one = await world.executor.call("POST", `/executions/${inner?.id}/replay`, { body: {} });
			assert.equal(one.status, 202, JSON.stringify(one.body));
		},
	},
];
