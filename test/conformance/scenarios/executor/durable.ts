import assert from "node:assert/strict";
import { AcceptedRun, ExecutionDetail, UnfinishedPage } from "@tripline/contract/executor";
import type { Scenario } from "../../scenario.ts";
import { eventually } from "./eventually.ts";
import { createWorkflow, fails, run, save, trigger, waitForRecords } from "./saving.ts";

const DURABLE = { options: { durable: true } };
const uuid = (more: object = {}) =>
	createWorkflow("job", { component: "crypto", operation: "uuid" }, { ...DURABLE, ...more });

export const durable: readonly Scenario[] = [
	{
		name: "the caller of a durable run gets its result as of any other, and it leaves one record",
		cites: [],
		async run(world) {
			await save(world, uuid());
			const { data, nodes } = await run(world, "job");
			assert.match(String(data), /^[0-9a-f-]{36}$/);
			assert.equal(nodes?.[0]?.status, "success");
			await save(world, fails("broken", "no", DURABLE));
			assert.equal((await run(world, "broken", {}, 500)).error, "only: no");
			await waitForRecords(world, "job", 1);
			await eventually(async () => {
				const page = await world.executor.expect(200, UnfinishedPage, "GET", "/executions/unfinished");
				assert.deepEqual(page.executions, []);
			});
		},
	},
	{
		name: "a durable run has one result for its idempotency key",
		cites: [],
		async run(world) {
			await save(world, uuid());
			const call = () => trigger(world, "job", { body: {}, headers: { "idempotency-key": "k" } });
			const first = await call();
			assert.equal(first.status, 200, JSON.stringify(first.body));
			assert.deepEqual((await call()).body, first.body);
			await waitForRecords(world, "job", 1);
		},
	},
	{
		name: "a durable run with more effects than an invocation makes otherwise still answers its caller",
		cites: [],
		async run(world) {
			await save(world, {
				...createWorkflow("many", {}, DURABLE),
				triplets: ["input >> then >> list", "list >> FOREACH n >> each"],
				config: {
					list: { component: "foreach", items: Array.from({ length: 18 }, (_, n) => n) },
					each: { component: "crypto", operation: "uuid" },
				},
				result: "{{each | length}}",
			});
			assert.equal((await run(world, "many")).data, 18);
		},
	},
	{
		name: "the caller of a durable run that takes longer than a caller may wait gets 202, and the run goes on",
		cites: [],
		environment: { RUN_TIMEOUT_MS: "1000" },
		async run(world) {
			const options = { durable: true, timeout: "1 minute" };
			await save(world, createWorkflow("slow", { component: "wait", ms: 2_500 }, { options }));
			const headers = { "idempotency-key": "k" };
			const answer = await trigger(world, "slow", { body: {}, headers });
			assert.equal(answer.status, 202, JSON.stringify(answer.body));
			const { execution_id: id } = AcceptedRun.parse(answer.body);
			assert.equal(answer.headers.get("location"), `/executions/${id}`);
			assert.equal((await trigger(world, "slow", { body: {}, headers })).status, 409);
			await eventually(async () => {
				const detail = await world.executor.expect(200, ExecutionDetail, "GET", `/executions/${id}`);
				assert.equal(detail.status, "success");
			});
			const repeat = await eventually(async () => {
				const again = await trigger(world, "slow", { body: {}, headers });
				assert.equal(again.status, 200);
				return again;
			});
			assert.deepEqual(repeat.body, { success: true, execution_id: id });
			await waitForRecords(world, "slow", 1);
		},
	},
	{
		name: "options.durable is true or false, and anything else is an error at its place",
		cites: [],
		async run(world) {
			const answer = await world.executor.call("POST", "/workflows", {
				body: uuid({ options: { durable: "yes" } }),
			});
			assert.equal(answer.status, 400, JSON.stringify(answer.body));
			const { diagnostics } = answer.body as { diagnostics: { path: string; message: string }[] };
			assert.equal(diagnostics[0]?.path, "options.durable");
			await save(world, uuid({ options: { durable: false } }));
			await run(world, "job");
		},
	},
];
