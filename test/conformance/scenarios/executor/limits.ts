import assert from "node:assert/strict";
import { CreatedWebhook } from "@tripline/contract/executor";
import { CreatedPartnerKey } from "@tripline/contract/partner-keys";
import type { Scenario } from "../../scenario.ts";
import {
	createWorkflow,
	echo,
	getNamedPath,
	listRecords,
	otherTenant,
	save,
	trigger,
	waitForRecords,
} from "./saving.ts";
import { withSettings } from "./with-settings.ts";

const NOON = Date.UTC(2026, 10, 10, 12);
const MULTI_TENANT = { MULTI_TENANT: "true", STORE_INTERNAL_TOKEN: "internal-token-of-the-tests" };
const SLOW = { component: "wait", ms: 800 };

export const limits: readonly Scenario[] = [
	{
		name: "a trigger over the rate limit gets 429 with Retry-After and runs once that time has passed",
		cites: [],
		run: (world) =>
			withSettings(world, { RATE_LIMIT_PER_MINUTE: "3" }, async () => {
				await world.target.setNow(NOON);
				await save(world, echo("job"));
				await save(world, echo("another"));
				for (let nth = 0; nth < 3; nth++) assert.equal((await trigger(world, "job")).status, 200);
				for (const [method, path] of [
					["POST", getNamedPath("job", "trigger")],
					["POST", getNamedPath("another", "trigger")],
					["POST", getNamedPath("job", "query")],
					["POST", `/webhooks/named/${world.owner}/job/trigger`],
				] as const) {
					const { status, headers, body } = await world.executor.call(method, path);
					assert.equal(status, 429, path);
					assert.match((body as { error: string }).error, /too many/);
					const seconds = Number(headers.get("retry-after"));
					assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 120, String(seconds));
				}
				const { headers } = await trigger(world, "job");
				await world.target.setNow(NOON + Number(headers.get("retry-after")) * 1000);
				assert.equal((await trigger(world, "job")).status, 200);
				await waitForRecords(world, "job", 4);
			}),
	},
	{
		name: "the rate limit applies to each namespace and each token separately",
		cites: [],
		run: (world) =>
			withSettings(world, { RATE_LIMIT_PER_MINUTE: "3" }, async () => {
				await world.target.setNow(NOON);
				const headers = otherTenant(world);
				await save(world, echo("job"));
				await world.executor.call("POST", "/webhooks/named", { body: echo("job"), headers });
				const tokens = await Promise.all(
					[1, 2].map(() =>
						world.executor.expect(201, CreatedWebhook, "POST", "/webhooks", { body: echo("t") }),
					),
				);
				for (const call of [
					() => trigger(world, "job"),
					() => trigger(world, "job", { headers }),
					...tokens.map(
						({ token }) =>
							() =>
								world.anyone.call("POST", `/webhooks/${token}/trigger`),
					),
				]) {
					for (let nth = 0; nth < 3; nth++) assert.equal((await call()).status, 200);
					assert.equal((await call()).status, 429);
				}
				assert.equal((await world.executor.call("GET", "/webhooks/named")).status, 200);
			}),
	},
	{
		name: "a trigger over the limit of concurrent runs gets 503 with Retry-After and runs once there is room",
		cites: [],
		run: (world) =>
			withSettings(world, { MAX_CONCURRENT_RUNS: "1", MAX_QUEUED_RUNS: "0" }, async () => {
				await save(world, createWorkflow("slow", SLOW));
				const answers = await Promise.all(Array.from({ length: 3 }, () => trigger(world, "slow")));
				assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 503, 503]);
				for (const { headers, body } of answers.filter(({ status }) => status === 503)) {
					assert.match(headers.get("retry-after") ?? "", /^[1-9]\d*$/);
					assert.match((body as { error: string }).error, /too many runs/);
				}
				assert.equal((await trigger(world, "slow")).status, 200);
				await waitForRecords(world, "slow", 2);
			}),
	},
	{
		name: "a trigger waits in the queue for room, and gets 503 if the queue is full",
		cites: [],
		run: (world) =>
			withSettings(world, { MAX_CONCURRENT_RUNS: "1", MAX_QUEUED_RUNS: "1" }, async () => {
				await save(world, createWorkflow("slow", SLOW));
				const answers = await Promise.all(Array.from({ length: 3 }, () => trigger(world, "slow")));
				const bodies = JSON.stringify(answers.map(({ body }) => body));
				assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 503], bodies);
				await waitForRecords(world, "slow", 2);
			}),
	},
	{
		name: "an accepted run waits for room however long the queue is",
		cites: [],
		run: (world) =>
			withSettings(world, { MAX_CONCURRENT_RUNS: "1", MAX_QUEUED_RUNS: "0" }, async () => {
				await save(world, createWorkflow("slow", { component: "wait", ms: 150 }));
				const headers = { prefer: "respond-async" };
				const answers = await Promise.all(
					Array.from({ length: 4 }, () => trigger(world, "slow", { headers })),
				);
				assert.deepEqual(
					answers.map(({ status }) => status),
					[202, 202, 202, 202],
				);
				await waitForRecords(world, "slow", 4);
			}),
	},
	{
		name: "a tenant's accepted run does not wait for all those of a tenant with many",
		cites: [],
		run: (world) =>
			withSettings(world, { MAX_CONCURRENT_RUNS: "1", MAX_QUEUED_RUNS: "0" }, async () => {
				const other = otherTenant(world);
				const slow = createWorkflow("slow", { component: "wait", ms: 100 });
				await save(world, slow);
				await world.executor.call("POST", "/webhooks/named", { body: slow, headers: other });
				const accept = (headers: object = {}) =>
					trigger(world, "slow", { headers: { prefer: "respond-async", ...headers } });
				const many = await Promise.all(Array.from({ length: 12 }, () => accept()));
				assert.ok(many.every(({ status }) => status === 202));
				const since = Date.now();
				assert.equal((await accept(other)).status, 202);
				const [run] = await waitForRecords({ ...world, owner: `${world.owner}-other` }, "slow", 1);
				const before = (await listRecords(world)).filter(
					({ time }) => Date.parse(time) > since && time < (run?.time ?? ""),
				);
				assert.ok(before.length <= 3, `${before.length} runs of the other tenant came first`);
				await waitForRecords(world, "slow", many.length);
			}),
	},
	{
		name: "in multi-tenant mode one tenant can take neither all places nor the whole queue",
		isLong: true,
		cites: [],
		run: (world) =>
			withSettings(
				world,
				{ ...MULTI_TENANT, MAX_CONCURRENT_RUNS: "4", MAX_QUEUED_RUNS: "8", RATE_LIMIT_PER_MINUTE: "0" },
				async () => {
					const createCall = async (namespace: string, ms: number) => {
						const { key } = await world.expect(201, CreatedPartnerKey, "POST", "/partner-keys", {
							body: { namespace },
							headers: { authorization: `Bearer ${MULTI_TENANT.STORE_INTERNAL_TOKEN}` },
						});
						const { token } = await world.anyone.expect(201, CreatedWebhook, "POST", "/webhooks", {
							body: createWorkflow("slow", { component: "wait", ms }),
							headers: { "x-service-api-key": key },
						});
						return () => world.anyone.call("POST", `/webhooks/${token}/trigger`);
					};
					const greedy = await createCall(`${world.owner}-greedy`, 2_000);
					const modest = await createCall(`${world.owner}-other`, 1);
					const calls = Array.from({ length: 20 }, greedy);
					// Once some are rejected, the others have their places.
					assert.equal((await Promise.race(calls)).status, 503);
					const began = Date.now();
					assert.equal((await modest()).status, 200);
					assert.ok(Date.now() - began < 1_500, "it waited for the other tenant's runs");
					const statuses = (await Promise.all(calls)).map(({ status }) => status);
					assert.equal(statuses.filter((status) => status === 200).length, 2 + 4);
				},
			),
	},
	{
		name: "in multi-tenant mode the rate limit is 600 per minute by default",
		isLong: true,
		cites: [],
		run: (world) =>
			withSettings(world, MULTI_TENANT, async () => {
				await world.target.setNow(NOON);
				const { token } = await world.anyone.expect(201, CreatedWebhook, "POST", "/webhooks", {
					body: echo("t"),
				});
				const call = () =>
					world.anyone.call("POST", `/webhooks/${token}/trigger`, { query: { trace: "false" } });
				for (let nth = 0; nth < 60; nth++) {
					const answers = await Promise.all(Array.from({ length: 10 }, call));
					assert.ok(answers.every(({ status }) => status === 200));
				}
				assert.equal((await call()).status, 429);
			}),
	},
];
