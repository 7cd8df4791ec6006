import assert from "node:assert/strict";
import { EntryPage } from "@tripline/contract/entries";
import { WroteExecutions } from "@tripline/contract/execution-log";
import { AcceptedRun, ExecutionDetail } from "@tripline/contract/executor";
import { RunResult } from "@tripline/contract/workflows";
import type { Scenario, World } from "../../scenario.ts";
import { eventually } from "./eventually.ts";
import {
	createRow,
	createWebhook,
	ECHO,
	failOnce,
	getTriggerPath,
	runOnce,
	trigger,
	triggerFailing,
	waitForRecords,
} from "./token-webhook.ts";

const NOON = Date.UTC(2026, 6, 1, 12);

const FAIL = createRow({
	first: { component: "set", values: {} },
	broken: { component: "fail", message: "out of stock" },
});

/** The raw entries of the store, not parsed as records. */
async function rawRecords(world: World) {
	const query = { owner_id: world.owner, entry_type: "execution_log" };
	return (await world.expect(200, EntryPage, "GET", "/entries", { query })).entries;
}

/** Adds records toward the day's limit and returns the mode. */
const log = (world: World, count: number, verdict: string) =>
	world.expect(200, WroteExecutions, "POST", "/execution-log", {
		body: {
			records: Array.from({ length: count }, () => ({
				owner_id: `${world.owner}-filler`,
				workflow: "filler",
				verdict,
				duration_ms: 1,
			})),
		},
	});

/** All keys, and some of the values. */
const keyValues = async ({ target: { kv } }: World, keys: readonly string[]) => ({
	keys: await kv.keys(),
	values: await Promise.all(keys.map((key) => kv.get(key))),
});

export const executorRecords: readonly Scenario[] = [
	{
		name: "each run through the token trigger has exactly one record, with its verdict and duration",
		cites: [
			"EXEC-RECORD-ONE-PER-TRIGGER",
			"EXEC-RECORD-VERDICT",
			"EXEC-RECORD-DURATION",
			"EXEC-RECORD-ERROR-EMPTY",
			"EXEC-VERDICT-SUCCESS",
		],
		async run(world) {
			const token = await createWebhook(world.executor, createRow({ pause: { component: "wait", ms: 20 } }));
			const results = [await trigger(world.anyone, token), await trigger(world.anyone, token)];
			const records = await waitForRecords(world, 2);
			assert.deepEqual(
				records.map(({ id, verdict, duration_ms, error, trigger }) => ({
					id,
					verdict,
					duration_ms,
					error,
					trigger,
				})),
				results.reverse().map(({ execution_id, duration_ms }) => ({
					id: execution_id,
					verdict: "success",
					duration_ms,
					error: "",
					trigger: "webhook",
				})),
			);
			assert.equal((await rawRecords(world)).length, 2);
		},
	},
	{
		name: "a failed run is recorded as failed, with its error, the failed node and the graph's nodes",
		cites: ["EXEC-VERDICT-FAILED", "EXEC-RECORD-VERDICT", "EXEC-RECORD-ERROR", "EXEC-RECORD-NODES"],
		async run(world) {
			await world.target.setNow(NOON);
			const { execution_id, duration_ms } = await failOnce(world, { id: "stock", ...FAIL });
			assert.deepEqual(await waitForRecords(world, 1), [
				{
					id: execution_id,
					time: "2026-07-01T12:00:00.000Z",
					workflow: "stock",
					verdict: "failed",
					duration_ms,
					error: "broken: out of stock",
					target: null,
					trigger: "webhook",
					failed_node: "broken",
					nodes: [
						{ id: "first", component: "set" },
						{ id: "broken", component: "fail" },
					],
				},
			]);
		},
	},
	{
		name: "a failure that ON_FAIL handles is recorded as a success",
		cites: ["EXEC-VERDICT-SUCCESS"],
		async run(world) {
			await runOnce(world, {
				triplets: ["input >> then >> risky", "risky >> ON_FAIL >> rescue"],
				config: { risky: { component: "fail", message: "no" }, rescue: { component: "set", values: {} } },
			});
			const [record] = await waitForRecords(world, 1);
			assert.deepEqual([record?.verdict, record?.error], ["success", ""]);
		},
	},
	{
		name: "the record names the workflow by the graph's id",
		cites: ["EXEC-RECORD-GRAPH-ID"],
		async run(world) {
			const graph = {
				id: "訂單 flow",
				nodes: [{ id: "a", component: "set", params: { values: {} } }],
				edges: [],
			};
			assert.equal((await runOnce(world, { graph })).workflow, "訂單 flow");
			assert.equal((await waitForRecords(world, 1))[0]?.workflow, "訂單 flow");
		},
	},
	{
		name: "the record names the workflow by the token if the graph has no id",
		cites: ["EXEC-RECORD-TOKEN-ID"],
		async run(world) {
			const token = await createWebhook(world.executor, { ...ECHO, name: "a name is no id" });
			assert.equal((await trigger(world.anyone, token)).workflow, token);
			assert.equal((await waitForRecords(world, 1))[0]?.workflow, token);
		},
	},
	{
		name: "the record contains only page_name or path of the trigger context, as its target",
		cites: ["EXEC-RECORD-CONTEXT"],
		async run(world) {
			const workflow = createRow({ broken: { component: "fail", message: "no" } });
			const token = await createWebhook(world.executor, { id: "w", ...workflow });
			const hidden = { secret: "the-hidden-text", nested: { path: "the-hidden-text" } };
			const targets = async (body: object) => {
				const before = (await rawRecords(world)).length;
				await triggerFailing(world.anyone, token, { ...body, ...hidden });
				return (await waitForRecords(world, before + 1))[0]?.target;
			};
			assert.equal(await targets({ page_name: "Tea" }), "Tea");
			assert.equal(await targets({ path: "/orders/7" }), "/orders/7");
			assert.equal(await targets({ page_name: { not: "text" } }), null);
			assert.equal(await targets({}), null);
			assert.doesNotMatch(JSON.stringify(await rawRecords(world)), /hidden/);
		},
	},
	{
		name: "a run with a target that databases cannot store still has a record",
		cites: ["EXEC-RECORD-ONE-PER-TRIGGER"],
		async run(world) {
			const token = await createWebhook(world.executor, ECHO);
			const bodies = [
				'{"page_name":"a\\u0000b"}',
				'{"path":"a\\ud800b"}',
				`{"path":"${"x".repeat(1_000_000)}"}`,
			];
			for (const [nth, raw] of bodies.entries()) {
				const { execution_id } = await world.anyone.expect(200, RunResult, "POST", getTriggerPath(token), {
					raw,
				});
				assert.equal((await waitForRecords(world, nth + 1))[0]?.id, execution_id);
			}
		},
	},
	{
		name: "the record of an anonymous webhook's run belongs to the namespace of the caller's header",
		cites: ["EXEC-RECORD-API-KEY", "EXEC-TRIGGER-HEADER-FORWARDED"],
		async run(world) {
			const token = await createWebhook(world.anyone, ECHO);
			const { execution_id } = await trigger(world.executor, token);
			assert.equal((await waitForRecords(world, 1))[0]?.id, execution_id);
		},
	},
	{
		name: "the record of an anonymous run has the owner anonymous",
		cites: [],
		async run(world) {
			const token = await createWebhook(world.anyone, ECHO);
			const { execution_id } = await trigger(world.anyone, token);
			await eventually(async () => {
				const [newest] = await waitForRecords(world, 1, "anonymous");
				assert.equal(newest?.id, execution_id);
			});
		},
	},
	{
		name: "a record's error is truncated to 2000 characters",
		cites: [],
		async run(world) {
			const workflow = createRow({ broken: { component: "fail", message: "{{input.text}}" } });
			await failOnce(world, workflow, { text: "x".repeat(5_000) });
			const [record] = await waitForRecords(world, 1);
			assert.equal(record?.error.length, 2_000);
			assert.match(record?.error ?? "", /^broken: x+$/);
		},
	},
	{
		name: "the verdict is open until the graph has finished",
		cites: ["EXEC-VERDICT-RUNNING", "EXEC-VERDICT-SUCCESS"],
		async run(world) {
			const token = await createWebhook(
				world.executor,
				createRow({ pause: { component: "wait", ms: 1_500 } }),
			);
			const { execution_id } = await world.anyone.expect(202, AcceptedRun, "POST", getTriggerPath(token), {
				headers: { prefer: "respond-async" },
			});
			const look = () => world.executor.expect(200, ExecutionDetail, "GET", `/executions/${execution_id}`);
			const running = await look();
			assert.deepEqual([running.status, running.record], ["accepted", null]);
			assert.deepEqual(await rawRecords(world), []);
			const finished = await eventually(async () => {
				const detail = await look();
				assert.equal(detail.record?.verdict, "success");
				return detail;
			});
			assert.equal(finished.status, "success");
		},
	},
	{
		name: "the response does not wait for the record: while the store is unreachable runs continue and are recorded later",
		cites: ["EXEC-RECORD-NO-DELAY", "EXEC-LOG-NEVER-THROWS", "EXEC-RECORD-ONE-PER-TRIGGER"],
		async run(world) {
			const token = await createWebhook(world.executor, ECHO);
			const broken = await createWebhook(world.executor, FAIL);
			const results: RunResult[] = [];
			await world.target.setStoreAway(true);
			try {
				results.push(await trigger(world.anyone, token, { a: 1 }));
				results.push(await triggerFailing(world.anyone, broken));
				assert.deepEqual(results[0]?.data, { a: 1 });
				assert.equal(results[1]?.error, "broken: out of stock");
				assert.deepEqual(await rawRecords(world), []);
			} finally {
				await world.target.setStoreAway(false);
			}
			// On Workers the next request also sends the records that earlier ones could not.
			results.push(await trigger(world.anyone, token));
			const records = await waitForRecords(world, 3);
			assert.deepEqual(records.map(({ id }) => id).sort(), results.map((each) => each.execution_id).sort());
		},
	},
	{
		name: "runs continue in every logging mode: normal, failures only and stopped",
		cites: ["EXEC-LOG-RUN-PROCEEDS"],
		environment: { EXECUTION_LOG_DAILY_WRITE_LIMIT: "10" },
		async run(world) {
			await world.target.setNow(Date.UTC(2027, 2, 1, 12));
			const fine = await createWebhook(world.executor, ECHO);
			const broken = await createWebhook(world.executor, FAIL);
			const bothRun = async () => {
				assert.deepEqual((await trigger(world.anyone, fine, { a: 1 })).data, { a: 1 });
				const failed = await triggerFailing(world.anyone, broken);
				assert.equal(failed.error, "broken: out of stock");
				return failed.execution_id;
			};
			await bothRun();
			assert.equal((await waitForRecords(world, 2)).length, 2);
			assert.equal((await log(world, 7, "success")).mode, "failures_only");
			const kept = await bothRun();
			const records = await waitForRecords(world, 3);
			assert.equal(records[0]?.id, kept);
			assert.equal((await log(world, 5, "failed")).mode, "stopped");
			await bothRun();
			assert.deepEqual(await log(world, 1, "failed"), { recorded: 0, dropped: 1, mode: "stopped" });
		},
	},
	{
		name: "a run writes nothing to the key-value store, whatever its trigger and outcome",
		cites: ["EXEC-KV-NO-WRITE-PER-RUN"],
		async run(world) {
			const fine = await createWebhook(world.executor, ECHO);
			const broken = await createWebhook(world.executor, FAIL);
			const named = { name: "named", description: "", ...ECHO };
			await world.executor.call("POST", "/webhooks/named", { body: named });
			const before = await keyValues(world, [fine, broken]);
			for (let nth = 0; nth < 5; nth++) {
				await trigger(world.anyone, fine);
				await triggerFailing(world.anyone, broken);
				await world.anyone.expect(200, RunResult, "POST", getTriggerPath(fine), {
					headers: { "idempotency-key": `key-${nth}` },
				});
				await world.executor.expect(200, RunResult, "POST", "/webhooks/named/named/trigger");
				const prefer = { prefer: "respond-async" };
				await world.anyone.expect(202, AcceptedRun, "POST", getTriggerPath(fine), { headers: prefer });
			}
			await waitForRecords(world, 25);
			assert.deepEqual(await keyValues(world, [fine, broken]), before);
		},
	},
	{
		// Expiry is not checked: the writer set it, and it cannot be read here.
		name: "legacy statistics keys stay unchanged: no run, list or tick changes, deletes or shows them",
		cites: ["EXEC-KV-LEGACY-STATS"],
		async run(world) {
			const keys = [
				`stats:${world.owner}:2026-01-01`,
				`${world.owner}:stats:greeting`,
				`stats:${world.owner}`,
			];
			for (const key of keys) await world.target.kv.put(key, '{"runs":7}');
			const token = await createWebhook(world.executor, { id: "greeting", ...ECHO });
			const before = await keyValues(world, keys);
			await trigger(world.anyone, token);
			await waitForRecords(world, 1);
			for (const path of ["/webhooks", "/webhooks/named", "/portal/data/workflows"]) {
				const { status, body } = await world.executor.call("GET", path);
				assert.equal(status, 200);
				assert.doesNotMatch(JSON.stringify(body), /stats|runs/);
			}
			await world.target.tick();
			assert.deepEqual(await keyValues(world, keys), before);
		},
	},
];
