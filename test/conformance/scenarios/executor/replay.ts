import assert from "node:assert/strict";
import {
	AcceptedRun,
	ExecutionDetail,
	type ReplayedExecution,
	ReplayedExecutions,
} from "@tripline/contract/executor";
import type { Scenario, World } from "../../scenario.ts";
import { eventually } from "./eventually.ts";
import { createWorkflow, echo, otherTenant, run, save, trigger } from "./saving.ts";
import { withSettings } from "./with-settings.ts";

const PREFER = { prefer: "respond-async" };
const UNKNOWN = "0199aaaa-bbbb-7ccc-8ddd-00000000ffff";
const HOST = "shop.example";

async function accept(world: World, name: string, body: object = {}): Promise<string> {
	const answer = await trigger(world, name, { body, headers: PREFER });
	assert.equal(answer.status, 202, JSON.stringify(answer.body));
	return AcceptedRun.parse(answer.body).execution_id;
}

const waitForEnd = (world: World, id: string) =>
	eventually(async () => {
		const detail = await world.executor.expect(200, ExecutionDetail, "GET", `/executions/${id}`);
		assert.notEqual(detail.status, "accepted");
		assert.notEqual(detail.record, null);
		return detail;
	});

async function replay(world: World, id: string, body: object): Promise<string> {
	const answer = await world.executor.call("POST", `/executions/${id}/replay`, { body });
	assert.equal(answer.status, 202, JSON.stringify(answer.body));
	const { execution_id } = AcceptedRun.strict().parse(answer.body);
	assert.equal(answer.headers.get("location"), `/executions/${execution_id}`);
	assert.notEqual(execution_id, id);
	return execution_id;
}

/** All answers together. */
async function replayAll(world: World, body: object, headers = {}): Promise<ReplayedExecution[]> {
	const done: ReplayedExecution[] = [];
	let cursor: string | null | undefined;
	while (cursor !== null) {
		const page = await world.executor.expect(200, ReplayedExecutions.strict(), "POST", "/executions/replay", {
			body: { ...body, ...(cursor !== undefined && { cursor }) },
			headers,
		});
		done.push(...page.executions);
		cursor = page.next_cursor;
	}
	return done;
}

const post = (path: string, fields: object = {}) => ({
	component: "http_request",
	method: "POST",
	url: `https://${HOST}/${path}`,
	headers: { "Idempotency-Key": "{{execution.step_key}}" },
	json: { who: "{{input.who}}" },
	...fields,
});

/** Two orders, a called workflow that fails at its second node, and a last node. */
const documents = [
	{
		...createWorkflow("inner", {}),
		triplets: ["input >> then >> reserve", "reserve >> then >> charge"],
		config: { reserve: post("reserve"), charge: post("charge") },
	},
	{
		...createWorkflow("outer", {}, { options: { keep: "failed" } }),
		triplets: [
			"input >> then >> list",
			"list >> FOREACH n >> order",
			"list >> then >> pay",
			"pay >> then >> last",
		],
		config: {
			list: { component: "foreach", items: [1, 2] },
			order: post("order/{{n}}"),
			pay: { component: "workflow", name: "inner", input: { who: "{{input.who}}" } },
			last: post("last"),
		},
	},
];

interface Shop {
	readonly calls: string[];
	readonly keys: string[];
	isOpen: boolean;
}

function serveShop(world: World): Shop {
	const shop: Shop = { calls: [], keys: [], isOpen: false };
	world.target.outside.serve(HOST, ({ url, headers, body }) => {
		const path = new URL(url).pathname.slice(1);
		shop.calls.push(`${path} ${JSON.parse(body).who}`);
		shop.keys.push(headers["idempotency-key"] ?? "");
		return path === "charge" && !shop.isOpen ? { status: 402, json: {} } : { json: { path } };
	});
	return shop;
}

export const replaying: readonly Scenario[] = [
	{
		name: "a run is repeated from where it failed: completed steps are taken over, in called workflows too",
		cites: [],
		async run(world) {
			const shop = serveShop(world);
			for (const document of documents) await save(world, document);
			const id = await accept(world, "outer", { who: "Ada" });
			assert.equal((await waitForEnd(world, id)).record?.failed_node, "pay");
			const before = shop.calls.length;
			const key = shop.keys.at(-1);
			const failed = await replay(world, id, { from: "failed" });
			assert.equal((await waitForEnd(world, failed)).status, "failed");
			shop.isOpen = true;
			const again = await replay(world, failed, { from: "failed" });
			const { record } = await waitForEnd(world, again);
			assert.deepEqual([record?.verdict, record?.trigger], ["success", "replay"]);
			assert.equal(record?.replay_of, failed);
			assert.deepEqual(shop.calls.slice(before), ["charge Ada", "charge Ada", "last Ada"]);
			assert.equal(shop.keys.at(-2), key, "the key of a repeated step stays the same");
			await world.executor.refuse(409, "POST", `/executions/${again}/replay`, { body: { from: "failed" } });
			assert.equal((await world.executor.call("DELETE", `/executions/${id}/data`)).status, 204);
			for (const from of ["start", "failed"])
				await world.executor.refuse(409, "POST", `/executions/${id}/replay`, { body: { from } });
		},
	},
	{
		name: "a run that waits to be repeated fails if the steps are deleted meanwhile, rather than repeating them",
		cites: [],
		async run(world) {
			const shop = serveShop(world);
			const document = {
				...createWorkflow("line", {}, { options: { keep: "failed", concurrency: 1 } }),
				triplets: ["input >> then >> reserve", "reserve >> then >> pause", "pause >> then >> charge"],
				config: {
					reserve: post("reserve"),
					pause: { component: "wait", ms: "{{input.ms}}" },
					charge: post("charge"),
				},
			};
			await save(world, document);
			const id = await accept(world, "line", { who: "Ada", ms: 0 });
			await waitForEnd(world, id);
			const busy = await accept(world, "line", { who: "Bob", ms: 1_000 });
			const again = await replay(world, id, { from: "failed" });
			const { unfinished } = await world.executor.expect(200, ExecutionDetail, "GET", `/executions/${again}`);
			assert.deepEqual(
				[unfinished?.status, unfinished?.waits_for, unfinished?.replay_of],
				["waiting", "start", id],
			);
			// It takes its turn in the background.
			const detail = await eventually(async () => {
				const found = await world.executor.expect(
					200,
					ExecutionDetail.strict(),
					"GET",
					`/executions/${busy}`,
				);
				assert.equal(found.unfinished?.status, "running");
				return found;
			});
			assert.deepEqual([detail.status, detail.unfinished?.waits_for], ["accepted", null]);
			assert.ok((detail.unfinished?.since ?? "") >= (detail.unfinished?.time ?? "?"));
			assert.equal((await world.executor.call("DELETE", `/executions/${id}/data`)).status, 204);
			await waitForEnd(world, busy);
			const { record } = await waitForEnd(world, again);
			assert.equal(record?.error, "the steps of the run that it repeats are no longer kept");
			assert.equal(shop.calls.filter((call) => call.endsWith("Ada")).length, 2);
		},
	},
	{
		name: "past DURABLE_DAILY_ROWS new runs end as they did, but cannot be repeated from where they failed",
		cites: [],
		async run(world) {
			const shop = serveShop(world);
			for (const document of documents) await save(world, document);
			const durable = await accept(world, "outer", { who: "Ada" });
			await waitForEnd(world, durable);
			await withSettings(world, { DURABLE_DAILY_ROWS: "1" }, async () => {
				// The first may still be durable, because on Node nothing was counted before.
				for (const who of ["Bob", "Eve"]) {
					const id = await accept(world, "outer", { who });
					assert.equal((await waitForEnd(world, id)).record?.failed_node, "pay");
					const body = { from: "failed" };
					if (who === "Eve") await world.executor.refuse(409, "POST", `/executions/${id}/replay`, { body });
				}
				const before = shop.calls.length;
				const again = await waitForEnd(world, await replay(world, durable, { from: "failed" }));
				assert.equal(
					again.record?.error,
					"no further run can be repeated from where it failed today: DURABLE_DAILY_ROWS is reached",
				);
				assert.equal(shop.calls.length, before);
			});
			shop.isOpen = true;
			const again = await waitForEnd(world, await replay(world, durable, { from: "failed" }));
			assert.equal(again.status, "success");
		},
	},
	{
		name: "a run is repeated from the start with its input or another one, and with its version or the current one",
		cites: [],
		async run(world) {
			const shop = serveShop(world);
			shop.isOpen = true;
			const document = createWorkflow("job", post("first"), { options: { keep: "all" } });
			await save(world, document);
			const id = await accept(world, "job", { who: "Ada" });
			const { record } = await waitForEnd(world, id);
			assert.equal(record?.version_number, 1);
			await save(world, { ...document, config: { only: post("second") } });
			for (const [body, call, version] of [
				[{}, "first Ada", 1],
				[{ version: "current" }, "second Ada", 2],
				[{ input: { who: "Bob" } }, "first Bob", 1],
			] as const) {
				const ended = await waitForEnd(world, await replay(world, id, body));
				assert.equal(shop.calls.at(-1), call);
				assert.equal(ended.record?.version_number, version);
				assert.equal(ended.record?.replay_of, id);
				assert.equal(ended.unfinished, null);
			}
			const keys = new Set(shop.keys);
			assert.equal(keys.size, 4, "a run from the start has its own keys");
		},
	},
	{
		name: "a run of which nothing is kept is repeated with another input",
		cites: [],
		async run(world) {
			await save(world, echo("forgotten", { options: { keep: "none" } }));
			const { execution_id: id } = await run(world, "forgotten", { who: "Ada" });
			await waitForEnd(world, id);
			const again = await replay(world, id, { input: { who: "Bob" } });
			const { record } = await waitForEnd(world, again);
			assert.deepEqual(
				[record?.workflow, record?.verdict, record?.trigger],
				["forgotten", "success", "replay"],
			);
		},
	},
	{
		name: "a run of which nothing is kept, that is unknown or another tenant's cannot be repeated",
		cites: [],
		async run(world) {
			await save(world, echo("forgotten", { options: { keep: "none" } }));
			const { execution_id: id } = await run(world, "forgotten", { who: "Ada" });
			const path = `/executions/${id}/replay`;
			await eventually(async () => {
				const detail = await world.executor.expect(200, ExecutionDetail, "GET", `/executions/${id}`);
				assert.notEqual(detail.record, null);
			});
			for (const from of ["start", "failed"])
				await world.executor.refuse(409, "POST", path, { body: { from } });
			await world.executor.refuse(404, "POST", `/executions/${UNKNOWN}/replay`, { body: {} });
			await world.executor.refuse(404, "POST", path, { body: {}, headers: otherTenant(world) });
			for (const body of [
				{ from: "end" },
				{ version: 1 },
				{ input: [] },
				{ from: "failed", input: {} },
				{ more: 1 },
			])
				await world.executor.refuse(422, "POST", path, { body });
		},
	},
	{
		name: "failed runs are repeated by a filter, the oldest first, and what cannot be repeated is refused with a reason",
		cites: [],
		async run(world) {
			const shop = serveShop(world);
			const document = (name: string, keep: string) =>
				createWorkflow(name, post("charge"), { options: { keep } });
			await save(world, document("job", "failed"));
			await save(world, document("unkept", "none"));
			const began = Date.now();
			const since = new Date(began - 60_000).toISOString();
			const fail = async (name: string, who: string) => {
				const id = await accept(world, name, { who });
				assert.equal((await waitForEnd(world, id)).status, "failed");
				return id;
			};
			const people = ["Ada", "Bob", "Cy", "Di", "Eve", "Flo"];
			const ids: string[] = [];
			for (const who of people) ids.push(await fail("job", who));
			const unkept = await fail("unkept", "Gil");
			const repeated = await replay(world, ids[0] as string, {});
			assert.equal((await waitForEnd(world, repeated)).status, "failed");

			const planned = await replayAll(world, { since, dry_run: true });
			assert.deepEqual(
				planned.map(({ id, result }) => [id, result]),
				[...ids, unkept].map((id) => [id, "listed"]),
			);
			shop.isOpen = true;
			shop.calls.length = 0;
			const done = await replayAll(world, { since, from: "failed" });
			assert.deepEqual(
				done.map(({ id, result }) => [id, result]),
				[...ids.map((id) => [id, "started"]), [unkept, "refused"]],
			);
			assert.match(done.at(-1)?.error ?? "", /the steps of this run are not kept/);
			for (const { execution_id } of done.slice(0, -1)) {
				const { status, record } = await waitForEnd(world, execution_id as string);
				assert.deepEqual([status, record?.trigger], ["success", "replay"]);
			}
			assert.deepEqual(shop.calls.sort(), people.map((who) => `charge ${who}`).sort());

			const few = await replayAll(world, { since, workflow: "job", limit: 5, dry_run: true });
			assert.deepEqual(
				few.map(({ id }) => id),
				ids.slice(0, 5),
			);
			assert.deepEqual(await replayAll(world, { since, until: since }), []);
			assert.deepEqual(await replayAll(world, { since, workflow: "no such" }), []);
			assert.deepEqual(await replayAll(world, { since }, otherTenant(world)), []);
			for (const body of [
				{},
				{ since: "soon" },
				{ since, limit: 0 },
				{ since, limit: 1_001 },
				{ since, limit: "5" },
				{ since, verdict: "success" },
				{ since, input: {} },
				{ since, from: "end" },
				{ since, cursor: "5.nonsense!" },
				{ since, cursor: "0" },
			])
				await world.executor.refuse(422, "POST", "/executions/replay", { body });
			await world.anyone.refuse(401, "POST", "/executions/replay", { body: { since } });
		},
	},
];
