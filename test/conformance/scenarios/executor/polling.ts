import assert from "node:assert/strict";
import { PollStatus, Validation } from "@tripline/contract/executor";
import { WriteApiRecipe } from "@tripline/contract/recipes";
import type { Scenario, World } from "../../scenario.ts";
import { putAuthRecipe, putCredential } from "./credential.ts";
import { eventually } from "./eventually.ts";
import { openHost } from "./outside-host.ts";
import {
	createWorkflow,
	fails,
	getNamedPath,
	listRecords,
	listStored,
	save,
	waitForRecords,
} from "./saving.ts";
import { ticking } from "./ticking.ts";

const NOON = Date.UTC(2026, 10, 2, 12);
const MINUTE = 60_000;

const toIso = (time: number) => new Date(time).toISOString();

const tickAt = async (world: World, time: number) => {
	await world.target.setNow(time);
	await world.target.tick();
};

const getPoll = (world: World, name = "orders") =>
	world.executor.expect(200, PollStatus, "GET", `/workflows/${name}/poll`);

/** Waits until a poll has changed what is remembered. */
const waitForPoll = (world: World, expected: Partial<Awaited<ReturnType<typeof getPoll>>>) =>
	eventually(async () => {
		const status = await getPoll(world);
		assert.deepEqual({ ...status, ...expected }, status);
		return status;
	});

const polled = (url: string, more: object = {}) => ({
	type: "schedule",
	cron: "* * * * *",
	overlap: "queue",
	poll: { operation: "http_request", params: { url: `${url}/orders` }, key: "id", ...more },
});

/** Fails with its item as the error, because a record contains no data. */
const createPolling = (trigger: object) => fails("orders", "got {{input.id}}", { trigger });

const listGot = async (world: World, count: number) => {
	const records = await waitForRecords(world, "orders", count);
	return records.map(({ error }) => error.replace("only: got ", "")).reverse();
};

const readState = async (world: World) => (await listStored(world, "poll_state"))[0]?.content;

const scenarios: readonly Scenario[] = [
	{
		name: "the first poll starts nothing, then each new item starts one run, oldest first",
		cites: [],
		async run(world) {
			let ids = ["b", "a"];
			const { url } = openHost(world, () => ({ json: ids.map((id) => ({ id })) }));
			await world.target.setNow(NOON);
			await save(world, createPolling(polled(url)));
			assert.deepEqual(await getPoll(world), {
				since: null,
				remembered: 0,
				failures: 0,
				error: null,
				retry_at: null,
			});
			await tickAt(world, NOON + MINUTE);
			await waitForPoll(world, { since: toIso(NOON + MINUTE), remembered: 2 });
			ids = ["d", "c", "b", "a"];
			await tickAt(world, NOON + 2 * MINUTE);
			assert.deepEqual(await listGot(world, 2), ["c", "d"]);
			await waitForPoll(world, { since: toIso(NOON + MINUTE), remembered: 4 });
			// Gone from the list and back in it, an item is no new one.
			ids = ["e"];
			await tickAt(world, NOON + 3 * MINUTE);
			assert.deepEqual(await listGot(world, 3), ["c", "d", "e"]);
			ids = ["a", "e", "b"];
			const before = await readState(world);
			await tickAt(world, NOON + 4 * MINUTE);
			await eventually(async () => assert.notEqual(await readState(world), before));
			ids = ["f"];
			await tickAt(world, NOON + 5 * MINUTE);
			assert.deepEqual(await listGot(world, 4), ["c", "d", "e", "f"]);
			assert.ok((await listRecords(world)).every(({ trigger }) => trigger === "schedule"));
		},
	},
	{
		name: "an item whose process died before it was remembered starts no second run",
		cites: [],
		async run(world) {
			let ids = ["a"];
			const { url } = openHost(world, () => ({ json: ids.map((id) => ({ id })) }));
			await world.target.setNow(NOON);
			await save(world, createPolling(polled(url, { order: "oldest_first" })));
			await tickAt(world, NOON + MINUTE);
			await waitForPoll(world, { remembered: 1 });
			const [first] = await listStored(world, "poll_state");
			ids = ["a", "b"];
			await tickAt(world, NOON + 2 * MINUTE);
			await listGot(world, 1);
			await waitForPoll(world, { remembered: 2 });
			const { owner_id, entry_type, page_name, content } = first ?? assert.fail();
			const forgotten = { owner_id, entry_type, page_name, content };
			assert.equal((await world.call("PUT", "/entries", { body: forgotten })).status, 200);
			await waitForPoll(world, { remembered: 1 });
			ids = ["a", "b", "c"];
			await tickAt(world, NOON + 3 * MINUTE);
			assert.deepEqual(await listGot(world, 2), ["b", "c"]);
			await waitForPoll(world, { remembered: 3 });
		},
	},
	{
		name: "a poll that fails leaves a record, is repeated less and less often, and loses nothing",
		cites: [],
		async run(world) {
			let ids: string[] | null = ["a"];
			const { url, seen } = openHost(world, () =>
				ids === null ? { status: 403, body: "no" } : { json: ids.map((id) => ({ id })) },
			);
			await world.target.setNow(NOON);
			await save(world, createPolling(polled(url)));
			await tickAt(world, NOON + MINUTE);
			await waitForPoll(world, { remembered: 1 });
			ids = null;
			const error = "poll: the response was 403 Forbidden: no";
			for (const [minute, failures, retry] of [
				[2, 1, 3],
				[3, 2, 5],
			] as const) {
				await tickAt(world, NOON + minute * MINUTE);
				const [record] = await waitForRecords(world, "orders", failures);
				assert.deepEqual([record?.verdict, record?.error], ["failed", error]);
				await waitForPoll(world, { failures, error, retry_at: toIso(NOON + retry * MINUTE) });
			}
			const before = seen.length;
			await tickAt(world, NOON + 4 * MINUTE);
			ids = ["b", "a"];
			await tickAt(world, NOON + 5 * MINUTE);
			assert.deepEqual(await listGot(world, 3), [error, error, "b"]);
			assert.equal(seen.length, before + 1);
			await waitForPoll(world, { failures: 0, error: null, retry_at: null, remembered: 2 });
		},
	},
	{
		name: "what is no list of items with a key fails the poll, which says why",
		cites: [],
		async run(world) {
			let json: unknown = { rows: 1 };
			const { url } = openHost(world, () => ({ json }));
			await world.target.setNow(NOON);
			await save(world, createPolling(polled(url, { items: "data.rows" })));
			const errors: [unknown, string][] = [
				[{ rows: 1 }, "poll: data.rows must be a list, but is a number: set items to the path of the list"],
				[
					{ lines: [] },
					'poll: the output has no "data.rows"; "data" has lines: set items to the path of the list',
				],
				[{ rows: ["a"] }, "poll: item 0 must be an object, but is text"],
				[{ rows: [{ nr: 1 }] }, 'poll: item 0 has no "id"; it has nr'],
			];
			let time = NOON;
			for (const [index, [answer, expected]] of errors.entries()) {
				json = answer;
				time += 2 ** index * MINUTE;
				await tickAt(world, time);
				const [record] = await waitForRecords(world, "orders", index + 1);
				assert.equal(record?.error, expected);
				await waitForPoll(world, { failures: index + 1 });
			}
		},
	},
	{
		name: "a poll of a recipe's operation reads all pages with its credential",
		cites: [],
		async run(world) {
			let last = 2;
			const { host, url, seen } = openHost(world, (request) =>
				new URL(request.url).searchParams.has("after")
					? { json: { rows: [{ id: 1 }], next: null } }
					: { json: { rows: [{ id: last }], next: "x" } },
			);
			await world.target.setNow(NOON);
			await putAuthRecipe(world, "shop-key", { type: "bearer", fields: ["token"], hosts: [host] });
			await putCredential(world, "mine", "shop-key", { token: "shop-token" });
			const operation = {
				title: "List",
				method: "GET",
				path: "/rows",
				params: { type: "object", properties: {} },
				paginate: { by: "cursor", cursor: "next", param: "after", items: "rows" },
				output: { schema: {} },
			};
			const recipe = {
				title: "Shop",
				description: "A shop",
				auth: "shop-key",
				base_url: url,
				operations: { list: operation },
			};
			await world.executor.expect(201, WriteApiRecipe, "PUT", "/recipes/shop", { body: recipe });
			const poll = { operation: "shop.list", credential: "mine", params: { paginate: "all" }, key: "id" };
			await save(world, createPolling({ type: "schedule", cron: "* * * * *", poll }));
			await tickAt(world, NOON + MINUTE);
			await waitForPoll(world, { remembered: 2 });
			assert.deepEqual(
				seen.map((sent) => [sent.url, sent.headers.authorization]),
				[
					[`${url}/rows`, "Bearer shop-token"],
					[`${url}/rows?after=x`, "Bearer shop-token"],
				],
			);
			last = 3;
			await tickAt(world, NOON + 2 * MINUTE);
			assert.deepEqual(await listGot(world, 1), ["3"]);
		},
	},
	{
		name: "a changed poll, and a workflow that is created again, start from now",
		cites: [],
		async run(world) {
			let ids = ["a"];
			const { url } = openHost(world, () => ({ json: ids.map((id) => ({ id })) }));
			await world.target.setNow(NOON);
			await save(world, createPolling(polled(url)));
			await tickAt(world, NOON + MINUTE);
			await waitForPoll(world, { remembered: 1 });
			ids = ["c", "b"];
			await save(world, createPolling(polled(url, { params: { url: `${url}/others` } })));
			await tickAt(world, NOON + 2 * MINUTE);
			await waitForPoll(world, { since: toIso(NOON + 2 * MINUTE), remembered: 2 });
			await world.executor.call("DELETE", getNamedPath("orders"));
			assert.deepEqual(await listStored(world, "poll_state"), []);
			ids = ["d"];
			await save(world, createPolling(polled(url)));
			await tickAt(world, NOON + 3 * MINUTE);
			await waitForPoll(world, { since: toIso(NOON + 3 * MINUTE), remembered: 1 });
			assert.deepEqual(await listRecords(world, { workflow: "orders" }), []);
			await world.executor.refuse(404, "GET", "/workflows/nothing/poll");
		},
	},
	{
		name: "a poll is checked when its workflow is saved",
		cites: [],
		async run(world) {
			const validate = async (trigger: object) => {
				const body = createWorkflow("orders", { component: "set", values: {} }, { trigger });
				const answer = await world.executor.expect(200, Validation, "POST", "/workflows/validate", { body });
				return answer.diagnostics.map(({ code, path }) => `${code} ${path}`);
			};
			const poll = { operation: "http_request", params: { url: "https://shop.example.com" }, key: "id" };
			const schedule = { type: "schedule", cron: "@hourly" };
			assert.deepEqual(await validate({ ...schedule, poll }), []);
			assert.deepEqual(await validate({ type: "webhook", poll }), ["bad_poll trigger.poll"]);
			assert.deepEqual(await validate({ ...schedule, overlap: "skip", poll }), ["bad_poll trigger.overlap"]);
			for (const [change, expected] of [
				[{ operation: "set", params: { values: {} } }, "bad_poll trigger.poll.operation"],
				[{ operation: "shop.list" }, "unknown_component trigger.poll.operation"],
				[{ params: {} }, "missing_parameter trigger.poll.params.url"],
				[{ credential: "none" }, "missing_credential trigger.poll.credential"],
				[{ key: "a b" }, "bad_poll trigger.poll.key"],
				[{ items: "a |" }, "bad_poll trigger.poll.items"],
				[{ every: 5 }, "unknown_field trigger.poll.every"],
			] as const)
				assert.deepEqual(await validate({ ...schedule, poll: { ...poll, ...change } }), [expected]);
		},
	},
];

export const polling: readonly Scenario[] = scenarios.map(ticking);
