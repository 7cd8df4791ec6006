import assert from "node:assert/strict";
import { CreatedWebhook } from "@tripline/contract/executor";
import { RunResult } from "@tripline/contract/workflows";
import type { Scenario } from "../../scenario.ts";
import {
	createWorkflow,
	echo,
	fails,
	getNamedPath,
	otherTenant,
	save,
	says,
	trigger,
	waitForRecords,
} from "./saving.ts";

const REPLAYED = "idempotent-replayed";
const NOON = Date.UTC(2026, 10, 8, 12);
const HOUR = 60 * 60_000;

const key = (value: string) => ({ "idempotency-key": value });

export const idempotency: readonly Scenario[] = [
	{
		name: "a trigger with the same Idempotency-Key runs once, and the repeat gets the same response",
		cites: [],
		async run(world) {
			await save(world, createWorkflow("job", { component: "crypto", operation: "uuid" }));
			const call = () => trigger(world, "job", { body: { a: 1 }, headers: key("k-1") });
			const first = await call();
			assert.equal(first.status, 200);
			assert.equal(first.headers.get(REPLAYED), null);
			for (let nth = 0; nth < 3; nth++) {
				const repeat = await call();
				assert.equal(repeat.status, 200);
				assert.equal(repeat.headers.get(REPLAYED), "true");
				assert.deepEqual(repeat.body, first.body);
			}
			const other = await trigger(world, "job", { body: { a: 1 }, headers: key("k-2") });
			assert.notDeepEqual(RunResult.parse(other.body).data, RunResult.parse(first.body).data);
			await waitForRecords(world, "job", 2);
		},
	},
	{
		name: "the response of a failed run is not stored: the same key runs again",
		cites: [],
		async run(world) {
			const call = () => trigger(world, "job", { body: {}, headers: key("k") });
			await save(world, fails("job", "not yet"));
			for (let nth = 0; nth < 2; nth++) {
				const failed = await call();
				assert.equal(failed.status, 500);
				assert.equal(failed.headers.get(REPLAYED), null);
			}
			await save(world, says("job", "now"));
			assert.equal(RunResult.parse((await call()).body).data, "now");
			await save(world, fails("job", "never again"));
			const repeat = await call();
			assert.equal(repeat.status, 200);
			assert.equal(repeat.headers.get(REPLAYED), "true");
			await waitForRecords(world, "job", 3);
		},
	},
	{
		name: "a key with another body gets 422, and the first response stays",
		cites: [],
		async run(world) {
			await save(world, echo("job"));
			await trigger(world, "job", { body: { a: 1 }, headers: key("k") });
			const { error } = await world.executor.refuse(422, "POST", getNamedPath("job", "trigger"), {
				body: { a: 2 },
				headers: key("k"),
			});
			assert.match(error, /another body/);
			await world.executor.refuse(422, "POST", getNamedPath("job", "trigger"), {
				raw: '{"a": 1}',
				headers: key("k"),
			});
			const repeat = await trigger(world, "job", { body: { a: 1 }, headers: key("k") });
			assert.equal(repeat.headers.get(REPLAYED), "true");
			await waitForRecords(world, "job", 1);
		},
	},
	{
		name: "of parallel calls with the same key one runs and the others get 409",
		cites: [],
		async run(world) {
			await save(world, createWorkflow("slow", { component: "wait", ms: 800 }));
			const answers = await Promise.all(
				Array.from({ length: 4 }, () => trigger(world, "slow", { body: {}, headers: key("k") })),
			);
			assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409]);
			for (const { body } of answers.filter(({ status }) => status === 409)) {
				assert.match((body as { error: string }).error, /is still running/);
			}
			const repeat = await trigger(world, "slow", { body: {}, headers: key("k") });
			assert.equal(repeat.headers.get(REPLAYED), "true");
			await waitForRecords(world, "slow", 1);
		},
	},
	{
		name: "webhook-id is a key too, also for token triggers, and Idempotency-Key takes precedence",
		cites: [],
		async run(world) {
			const { token } = await world.executor.expect(201, CreatedWebhook, "POST", "/webhooks", {
				body: echo("t"),
			});
			const call = (headers: Record<string, string>) =>
				world.anyone.call("POST", `/webhooks/${token}/trigger`, { body: {}, headers });
			assert.equal((await call({ "webhook-id": "msg_1" })).headers.get(REPLAYED), null);
			assert.equal((await call({ "webhook-id": "msg_1" })).headers.get(REPLAYED), "true");
			const both = { "webhook-id": "msg_1", "idempotency-key": "k" };
			assert.equal((await call(both)).headers.get(REPLAYED), null);
			assert.equal((await call({ "idempotency-key": "k" })).headers.get(REPLAYED), "true");
			await waitForRecords(world, token, 2);
		},
	},
	{
		name: "a key applies only to its own workflow and tenant",
		cites: [],
		async run(world) {
			const headers = otherTenant(world);
			await save(world, echo("one"));
			await save(world, echo("two"));
			await world.executor.call("POST", "/webhooks/named", { body: echo("one"), headers });
			for (const [name, more] of [
				["one", {}],
				["two", {}],
				["one", headers],
			] as const) {
				const answer = await trigger(world, name, { body: {}, headers: { ...key("k"), ...more } });
				assert.equal(answer.status, 200);
				assert.equal(answer.headers.get(REPLAYED), null);
			}
			const path = `/webhooks/named/${world.owner}/one/trigger`;
			const answer = await world.anyone.call("POST", path, { body: {}, headers: key("k") });
			assert.equal(answer.headers.get(REPLAYED), "true");
		},
	},
	{
		name: "a response is stored for 24 hours",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			await save(world, echo("job"));
			const call = () => trigger(world, "job", { body: {}, headers: key("k") });
			await call();
			await world.target.setNow(NOON + 23 * HOUR);
			assert.equal((await call()).headers.get(REPLAYED), "true");
			await world.target.setNow(NOON + 24 * HOUR + 1000);
			const fresh = await call();
			assert.equal(fresh.status, 200);
			assert.equal(fresh.headers.get(REPLAYED), null);
			await waitForRecords(world, "job", 2);
		},
	},
	{
		name: "an asynchronous run with a key is accepted once, and the repeat gets the same URL",
		cites: [],
		async run(world) {
			await save(world, echo("job"));
			const headers = { ...key("k"), prefer: "respond-async" };
			const first = await trigger(world, "job", { body: {}, headers });
			const repeat = await trigger(world, "job", { body: {}, headers });
			assert.deepEqual([first.status, repeat.status], [202, 202]);
			assert.equal(repeat.headers.get(REPLAYED), "true");
			assert.deepEqual(repeat.body, first.body);
			assert.equal(repeat.headers.get("location"), first.headers.get("location"));
			await waitForRecords(world, "job", 1);
		},
	},
	{
		name: "a key is 1 to 255 visible characters",
		cites: [],
		async run(world) {
			await save(world, echo("job"));
			for (const value of ["", "a b", "x".repeat(256)]) {
				await world.executor.refuse(400, "POST", getNamedPath("job", "trigger"), { headers: key(value) });
			}
			assert.equal((await trigger(world, "job", { headers: key("x".repeat(255)) })).status, 200);
		},
	},
];
