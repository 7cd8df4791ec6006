import assert from "node:assert/strict";
import { AcceptedRun, ExecutionDetail, RaisedEvents } from "@tripline/contract/executor";
import type { Json } from "@tripline/contract/json";
import type { Scenario, World } from "../../scenario.ts";
import { eventually } from "./eventually.ts";
import { openHost } from "./outside-host.ts";
import { createWorkflow, getNamedPath, otherTenant, save, trigger } from "./saving.ts";

const NOON = Date.UTC(2026, 10, 3, 12);
const DAY = 24 * 60 * 60_000;

/** Waits for the payment of the order in its input, and calls the host with it. */
const shop = (url: string, settings: object = {}, more: object = {}) => ({
	...createWorkflow("shop", {}, more),
	triplets: ["input >> then >> payment", "payment >> then >> ship", "payment >> on error >> remind"],
	config: {
		payment: {
			component: "wait_for",
			event: "payment.received",
			where: "item.data.order == input.order",
			...settings,
		},
		ship: { component: "http_request", method: "POST", url: `${url}/ship`, json: "{{payment}}" },
		remind: { component: "http_request", method: "POST", url: `${url}/remind`, json: {} },
	},
});

async function accept(world: World, name: string, body: object = {}): Promise<string> {
	const answer = await trigger(world, name, { body, headers: { prefer: "respond-async" } });
	assert.equal(answer.status, 202, JSON.stringify(answer.body));
	return AcceptedRun.parse(answer.body).execution_id;
}

/** Starts it, and returns once it waits for an event. */
async function start(world: World, name: string, body: object = {}): Promise<string> {
	const id = await accept(world, name, body);
	await eventually(async () => {
		const { unfinished } = await readDetail(world, id);
		assert.deepEqual([unfinished?.status, unfinished?.waits_for], ["waiting", "event"]);
	});
	return id;
}

const raise = (world: World, type: string, data: Json, more: object = {}) =>
	world.executor.expect(202, RaisedEvents, "POST", "/events", { body: { type, data, ...more } });

const countWoken = async (world: World, type: string, data: Json, more: object = {}) =>
	(await raise(world, type, data, more)).woken;

const readDetail = (world: World, id: string) =>
	world.executor.expect(200, ExecutionDetail, "GET", `/executions/${id}`);

const waitForEnd = (world: World, id: string) =>
	eventually(async () => {
		const detail = await readDetail(world, id);
		assert.notEqual(detail.status, "accepted");
		assert.notEqual(detail.record, null);
		return detail;
	});

const readBodies = ({ seen }: ReturnType<typeof openHost>, path: string) =>
	seen.filter(({ url }) => new URL(url).pathname === path).map(({ body }) => JSON.parse(body));

/** Runs that wait until an event arrives. */
export const waitingForEvents: readonly Scenario[] = [
	{
		name: "a run waits for the first event that fits, which is the node's output, also after a restart",
		cites: [],
		async run(world) {
			const host = openHost(world);
			await save(world, shop(host.url));
			const id = await start(world, "shop", { order: 7 });
			await world.target.restart({});
			assert.equal(await countWoken(world, "payment.received", { order: 8 }), 0);
			assert.equal(await countWoken(world, "payment.refused", { order: 7 }), 0);
			assert.equal(await countWoken(world, "payment.received", null), 0, "its condition fails");
			const raised = await raise(world, "payment.received", { order: 7, amount: 250 });
			assert.deepEqual(raised, { matched: 0, woken: 1, executions: [] });
			assert.equal((await waitForEnd(world, id)).status, "success");
			const event = { type: "payment.received", data: { order: 7, amount: 250 } };
			assert.deepEqual(readBodies(host, "/ship"), [event]);
			assert.equal(await countWoken(world, "payment.received", { order: 7 }), 0);
		},
	},
	{
		name: "every run that waits for an event gets it, and workflows that listen start as well",
		cites: [],
		async run(world) {
			const host = openHost(world);
			await save(world, shop(host.url, { event: "payment.*" }));
			await save(world, {
				...createWorkflow("ledger", { component: "set", values: { ok: true } }),
				trigger: { type: "event", event: "payment.received" },
			});
			const ids = [
				await start(world, "shop", { order: 7 }),
				await start(world, "shop", { order: 7 }),
				await start(world, "shop", { order: 9 }),
			];
			const { matched, woken } = await raise(world, "payment.received", { order: 7 });
			assert.deepEqual([matched, woken], [1, 2]);
			for (const id of ids.slice(0, 2)) assert.equal((await waitForEnd(world, id)).status, "success");
			assert.equal((await readDetail(world, ids[2] ?? "")).status, "accepted");
		},
	},
	{
		name: "a condition reads other nodes and the elements of loops, and each element waits for its own event",
		cites: [],
		async run(world) {
			const host = openHost(world);
			await save(world, {
				...createWorkflow("parts", {}),
				triplets: [
					"input >> then >> order",
					"order >> then >> each",
					"each >> FOREACH part >> arrival",
					"arrival >> then >> tell",
				],
				config: {
					order: { component: "set", values: { id: "{{input.order.id}}", other: "x" } },
					each: { component: "foreach", items: ["wheel", "frame"], concurrency: 2 },
					arrival: {
						component: "wait_for",
						event: "*.arrived",
						where:
							'item.data.part == part && item.data.order == nodes["order"].id && size(input.order.tags) == 2',
					},
					tell: {
						component: "http_request",
						method: "POST",
						url: `${host.url}/{{part}}`,
						json: "{{arrival.data}}",
					},
				},
			});
			const id = await start(world, "parts", { order: { id: 5, tags: ["a", "b"] } });
			for (const part of ["frame", "wheel"]) {
				assert.equal(await countWoken(world, "part.arrived", { part, order: 6 }), 0);
				assert.equal(await countWoken(world, "part.arrived", { part, order: 5 }), 1);
				await eventually(async () => assert.deepEqual(readBodies(host, `/${part}`), [{ part, order: 5 }]));
			}
			assert.equal((await waitForEnd(world, id)).status, "success");
		},
	},
	{
		name: "a wait for which no event comes in time fails its node, and nodes behind ON_WAIT know until when",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const host = openHost(world);
			const workflow = shop(host.url, { expires: "14 days" });
			await save(world, {
				...workflow,
				triplets: [...workflow.triplets, "payment >> while waiting >> told"],
				config: {
					...workflow.config,
					told: {
						component: "http_request",
						method: "POST",
						url: `${host.url}/told`,
						json: "{{payment}}",
					},
				},
			});
			const id = await start(world, "shop", { order: 7 });
			const expires_at = new Date(NOON + 14 * DAY).toISOString();
			assert.deepEqual(readBodies(host, "/told"), [{ url: null, expires_at }]);
			await world.target.setNow(NOON + 14 * DAY);
			await world.target.tick();
			const { nodes } = await waitForEnd(world, id);
			const payment = nodes?.find(({ id: node }) => node === "payment");
			assert.equal(payment?.error, `no such event has come by ${expires_at}`);
			assert.equal(readBodies(host, "/remind").length, 1);
			assert.equal(await countWoken(world, "payment.received", { order: 7 }), 0);
		},
	},
	{
		name: "a run that was cancelled, or whose workflow was deleted, gets no event, nor one of another tenant",
		cites: [],
		async run(world) {
			const host = openHost(world);
			await save(world, shop(host.url));
			const ids = [await start(world, "shop", { order: 7 }), await start(world, "shop", { order: 7 })];
			const other = await world.executor.expect(202, RaisedEvents, "POST", "/events", {
				body: { type: "payment.received", data: { order: 7 } },
				headers: otherTenant(world),
			});
			assert.equal(other.woken, 0);
			await world.executor.call("POST", `/executions/${ids[0]}/cancel`);
			await waitForEnd(world, ids[0] ?? "");
			await world.executor.call("DELETE", getNamedPath("shop"));
			await waitForEnd(world, ids[1] ?? "");
			assert.equal(await countWoken(world, "payment.received", { order: 7 }), 0);
			assert.deepEqual(host.seen, []);
		},
	},
	{
		name: "a run is woken by what another workflow emits and by what is written to the store, in a called workflow too",
		cites: [],
		async run(world) {
			const host = openHost(world);
			await save(world, shop(host.url));
			await save(
				world,
				createWorkflow("caller", { component: "workflow", name: "shop", input: { order: 7 } }),
			);
			await save(world, {
				...createWorkflow("page", { component: "wait_for", event: "entry.upserted" }),
			});
			await save(
				world,
				createWorkflow("bank", { component: "emit_event", type: "payment.received", data: { order: 7 } }),
			);
			const id = await start(world, "caller");
			assert.equal((await trigger(world, "bank", { body: {} })).status, 200);
			assert.equal((await waitForEnd(world, id)).status, "success");
			assert.equal(readBodies(host, "/ship").length, 1);
			const page = await start(world, "page");
			const entry = { owner_id: world.owner, entry_type: "note", page_name: "tea", content: "green" };
			assert.equal((await world.call("PUT", "/entries", { body: entry })).status, 201);
			assert.equal((await waitForEnd(world, page)).status, "success");
		},
	},
	{
		name: "an event of more than 64 KiB fails the node that waits for it, and so do large values in its condition",
		cites: [],
		async run(world) {
			const host = openHost(world);
			await save(world, shop(host.url));
			const id = await start(world, "shop", { order: 7, note: "x".repeat(100_000) });
			const text = "x".repeat(70_000);
			assert.equal(await countWoken(world, "payment.received", { order: 7, text }), 1);
			const [payment] = (await waitForEnd(world, id)).nodes ?? [];
			assert.equal(payment?.error, "the event that it waited for has more than 64 KiB");
			await save(world, shop(host.url, { where: "item.data == input.note" }));
			const failed = await waitForEnd(world, await accept(world, "shop", { order: 7, note: text }));
			assert.match(failed.nodes?.[0]?.error ?? "", /^where reads more than 64 KiB of values/);
		},
	},
	{
		name: "an event that is sent again is not given to a run that waits by then",
		cites: [],
		async run(world) {
			const host = openHost(world);
			await save(world, shop(host.url));
			const first = await start(world, "shop", { order: 7 });
			const source = { id: "p1", source: "bank" };
			const sent = { specversion: "1.0", ...source };
			assert.equal(await countWoken(world, "payment.received", { order: 7 }, sent), 1);
			await waitForEnd(world, first);
			const second = await start(world, "shop", { order: 7 });
			assert.equal(await countWoken(world, "payment.received", { order: 7 }, sent), 0);
			assert.equal((await readDetail(world, second)).status, "accepted");
			assert.deepEqual(readBodies(host, "/ship"), [
				{ type: "payment.received", data: { order: 7 }, ...source },
			]);
		},
	},
	{
		name: "patterns and conditions are checked when the workflow is saved",
		cites: [],
		async run(world) {
			const refused = async (settings: object) => {
				const body = createWorkflow("bad", { component: "wait_for", ...settings });
				const answer = await world.executor.call("POST", "/workflows", { body });
				assert.equal(answer.status, 400, JSON.stringify(answer.body));
				return JSON.stringify(answer.body);
			};
			assert.match(await refused({ event: "pay ment" }), /words joined by dots/);
			assert.match(await refused({}), /event/);
			assert.match(await refused({ event: "a", where: "item.data +" }), /ends too early/);
			assert.match(await refused({ event: "a", where: "item.type" }), /must be true or false/);
			assert.match(await refused({ event: "a", where: "orders.id == 1" }), /orders/);
			assert.match(await refused({ event: "a", expires: "31 days" }), /30 days/);
		},
	},
];
