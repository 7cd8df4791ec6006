import assert from "node:assert/strict";
import { ExecutionDetail, RaisedEvents } from "@tripline/contract/executor";
import type { Scenario, World } from "../../scenario.ts";
import { eventually } from "./eventually.ts";
import {
	createWorkflow,
	fails,
	listRecords,
	listStored,
	otherTenant,
	run,
	save,
	says,
	waitForRecords,
} from "./saving.ts";
import { ticking } from "./ticking.ts";

const HOUR = 60 * 60_000;

/** Fails with its trigger context as the error, because a record contains no data. */
const listener = (name: string, event: string, message = "{{input | json}}") =>
	fails(name, message, { trigger: { type: "event", event } });

/** A listener that does not fail, because the pattern * would match the failure event too. */
const quiet = (name: string, event: string) => says(name, "x", { trigger: { type: "event", event } });

const raise = (world: World, body: object, headers: Record<string, string> = {}) =>
	world.executor.expect(202, RaisedEvents.strict(), "POST", "/events", { body, headers });

/** The trigger contexts of a workflow's runs, latest first. */
async function listInputs(world: World, name: string, count: number) {
	const found = await waitForRecords(world, name, count);
	assert.ok(found.every(({ trigger }) => trigger === "event"));
	return found.map(({ error }) => JSON.parse(error.replace(/^only: /, "")));
}

const getSource = (world: World) => `/shops/${world.owner}`;

const cloudEvent = (world: World, fields: object = {}) => ({
	specversion: "1.0",
	id: "a-1",
	source: getSource(world),
	type: "order.paid",
	...fields,
});

export const events: readonly Scenario[] = [
	{
		name: "an event in the short form starts the workflows that listen to it, and 202 lists the runs",
		cites: [],
		async run(world) {
			await save(world, listener("paid", "order.paid"));
			await save(world, listener("every order", "order.*"));
			await save(world, listener("others", "invoice.*"));
			await save(world, says("no listener", "x"));
			const raised = await raise(world, { type: "order.paid", data: { id: 7, 品: ["茶"] } });
			assert.equal(raised.matched, 2);
			assert.equal(new Set(raised.executions).size, 2);
			for (const name of ["paid", "every order"]) {
				assert.deepEqual(await listInputs(world, name, 1), [
					{ type: "order.paid", data: { id: 7, 品: ["茶"] } },
				]);
				const [record] = await waitForRecords(world, name, 1);
				assert.ok(raised.executions.includes(record?.id ?? ""));
			}
			assert.deepEqual(await raise(world, { type: "order" }), { matched: 0, woken: 0, executions: [] });
			assert.equal((await listRecords(world)).length, 2);
		},
	},
	{
		name: "* in a pattern matches one word, at the end one or more",
		cites: [],
		async run(world) {
			for (const pattern of ["*", "order.*", "order.*.paid", "*.paid", "order.paid"]) {
				await save(world, quiet(pattern, pattern));
			}
			const listStarted = async (type: string) => {
				const before = new Set((await listRecords(world)).map(({ id }) => id));
				const { executions } = await raise(world, { type });
				return eventually(async () => {
					const fresh = (await listRecords(world)).filter(({ id }) => !before.has(id));
					assert.equal(fresh.length, executions.length);
					return fresh.map(({ workflow }) => workflow).sort();
				});
			};
			assert.deepEqual(await listStarted("order"), ["*"]);
			assert.deepEqual(await listStarted("order.paid"), ["*", "*.paid", "order.*", "order.paid"]);
			assert.deepEqual(await listStarted("order.eu.paid"), ["*", "order.*", "order.*.paid"]);
			assert.deepEqual(await listStarted("orders.paid"), ["*", "*.paid"]);
		},
	},
	{
		name: "a CloudEvent in structured mode passes on its attributes and extensions",
		cites: [],
		async run(world) {
			await save(world, listener("paid", "order.paid"));
			const event = cloudEvent(world, {
				time: "2026-11-02T12:00:00Z",
				subject: "7",
				partner: "x",
				data: { total: 5 },
			});
			const headers = { "content-type": "application/cloudevents+json; charset=utf-8" };
			const { executions } = await raise(world, event, headers);
			assert.equal(executions.length, 1);
			const expected = {
				type: "order.paid",
				source: getSource(world),
				id: "a-1",
				time: "2026-11-02T12:00:00Z",
				subject: "7",
				partner: "x",
				data: { total: 5 },
			};
			assert.deepEqual((await listInputs(world, "paid", 1))[0], expected);
			const path = `/executions/${executions[0]}`;
			const { status, workflow } = await world.executor.expect(200, ExecutionDetail, "GET", path);
			assert.deepEqual([status, workflow], ["failed", "paid"]);
			assert.equal((await raise(world, cloudEvent(world, { id: "a-2", data: 1 }))).matched, 1);
			assert.equal((await listInputs(world, "paid", 2)).find(({ id }) => id === "a-2")?.data, 1);
		},
	},
	{
		name: "a CloudEvent in binary mode has its attributes in headers and its data in the body",
		cites: [],
		async run(world) {
			await save(world, listener("paid", "order.paid"));
			const headers = {
				"ce-specversion": "1.0",
				"ce-id": "b-1",
				"ce-source": "/shop/%E8%8C%B6",
				"ce-type": "order.paid",
				"ce-region": "eu",
			};
			await raise(world, { total: 5 }, headers);
			assert.deepEqual((await listInputs(world, "paid", 1))[0], {
				type: "order.paid",
				source: "/shop/茶",
				id: "b-1",
				region: "eu",
				data: { total: 5 },
			});
			await world.executor.expect(202, RaisedEvents, "POST", "/events", {
				raw: "plain words",
				headers: { ...headers, "ce-id": "b-2", "content-type": "text/plain" },
			});
			assert.equal((await listInputs(world, "paid", 2)).find(({ id }) => id === "b-2")?.data, "plain words");
		},
	},
	{
		name: "the same source and id within 24 hours starts nothing, whatever the event's form",
		cites: [],
		async run(world) {
			await save(world, listener("paid", "order.paid"));
			const answers = await Promise.all(Array.from({ length: 6 }, () => raise(world, cloudEvent(world))));
			assert.equal(
				answers.reduce((sum, { matched }) => sum + matched, 0),
				1,
			);
			const binary = {
				"ce-specversion": "1.0",
				"ce-id": "a-1",
				"ce-source": getSource(world),
				"ce-type": "order.paid",
			};
			assert.equal((await raise(world, {}, binary)).matched, 0);
			assert.equal((await raise(world, cloudEvent(world, { data: "other" }))).matched, 0);
			assert.equal((await raise(world, cloudEvent(world, { source: "/shop/2" }))).matched, 1);
			assert.equal((await raise(world, cloudEvent(world, { id: "a-2" }))).matched, 1);
			for (let nth = 0; nth < 2; nth++) assert.equal((await raise(world, { type: "order.paid" })).matched, 1);
			await waitForRecords(world, "paid", 5);
		},
	},
	ticking({
		name: "an event that is repeated after 24 hours runs again with a record of its own",
		cites: [],
		async run(world) {
			const start = Date.UTC(2026, 10, 4, 12);
			await world.target.setNow(start);
			await save(world, listener("paid", "order.paid"));
			assert.equal((await raise(world, cloudEvent(world))).matched, 1);
			await waitForRecords(world, "paid", 1);
			await world.target.setNow(start + 23 * HOUR);
			await world.target.tick();
			assert.equal((await raise(world, cloudEvent(world))).matched, 0);
			await world.target.setNow(start + 25 * HOUR);
			await world.target.tick();
			assert.equal((await raise(world, cloudEvent(world))).matched, 1);
			await waitForRecords(world, "paid", 2);
		},
	}),
	{
		name: "the same event of two tenants starts the workflows of both, each with its own record",
		cites: [],
		async run(world) {
			const headers = otherTenant(world);
			await save(world, listener("paid", "order.paid"));
			await world.executor.call("POST", "/webhooks/named", { body: listener("paid", "order.paid"), headers });
			assert.equal((await raise(world, cloudEvent(world))).matched, 1);
			await waitForRecords(world, "paid", 1);
			assert.equal((await raise(world, cloudEvent(world), headers)).matched, 1);
			await waitForRecords({ ...world, owner: `${world.owner}-other` }, "paid", 1);
		},
	},
	{
		name: "an event starts only its own tenant's workflows",
		cites: [],
		async run(world) {
			await save(world, quiet("mine", "*"));
			assert.equal((await raise(world, { type: "order.paid" }, otherTenant(world))).matched, 0);
			assert.equal((await raise(world, { type: "order.paid" })).matched, 1);
			await waitForRecords(world, "mine", 1);
		},
	},
	{
		name: "an invalid event is rejected",
		cites: [],
		async run(world) {
			for (const body of [
				{},
				{ type: "" },
				{ type: "order.*" },
				{ type: "a..b" },
				{ type: "a b" },
				{ type: "a".repeat(129) },
				{ type: "a", more: 1 },
				cloudEvent(world, { specversion: "0.3" }),
				cloudEvent(world, { id: "" }),
				cloudEvent(world, { source: undefined }),
				cloudEvent(world, { "Bad-Name": 1 }),
				cloudEvent(world, { nested: {} }),
				cloudEvent(world, { data: 1, data_base64: "AA==" }),
			]) {
				await world.executor.refuse(422, "POST", "/events", { body });
			}
			await world.executor.refuse(400, "POST", "/events", { raw: "{" });
			await world.executor.refuse(400, "POST", "/events", {
				body: [cloudEvent(world)],
				headers: { "content-type": "application/cloudevents-batch+json" },
			});
			await world.anyone.refuse(401, "POST", "/events", { body: { type: "a" } });
		},
	},
	{
		name: "trigger.event must be a valid event name, and belongs only to event triggers",
		cites: [],
		async run(world) {
			for (const trigger of [
				{ type: "event", event: "" },
				{ type: "event", event: "order paid" },
				{ type: "webhook", event: "order.paid" },
			]) {
				const { diagnostics } = await world.executor.refuse(400, "POST", "/webhooks/named", {
					body: says("bad", "x", { trigger }),
				});
				assert.equal(diagnostics?.[0]?.path, "trigger.event");
			}
		},
	},
	{
		name: "emit_event starts listeners of the same namespace and outputs their number",
		cites: [],
		async run(world) {
			await save(world, listener("a", "order.*"));
			await save(world, listener("b", "order.paid"));
			const data = { id: "{{input.id}}" };
			await save(world, createWorkflow("shop", { component: "emit_event", type: "order.paid", data }));
			assert.equal((await run(world, "shop", { id: 7 })).data, 2);
			assert.deepEqual(await listInputs(world, "a", 1), [{ type: "order.paid", data: { id: 7 } }]);
			await listInputs(world, "b", 1);
		},
	},
	{
		name: "a chain of events stops at depth 4",
		cites: [],
		async run(world) {
			await save(world, {
				...createWorkflow("loop", {}),
				trigger: { type: "event", event: "ping" },
				triplets: ["input >> then >> again", "again >> then >> tell"],
				config: {
					again: { component: "emit_event", type: "ping" },
					tell: { component: "fail", message: "started {{again}}" },
				},
			});
			assert.equal((await raise(world, { type: "ping" })).matched, 1);
			const found = await eventually(async () => {
				const all = await listRecords(world);
				assert.ok(all.some(({ error }) => error === "tell: started 0"));
				assert.equal(all.length, 4);
				return all;
			});
			assert.deepEqual(found.map(({ error }) => error).sort(), [
				"tell: started 0",
				"tell: started 1",
				"tell: started 1",
				"tell: started 1",
			]);
		},
	},
	{
		name: "a failed run raises execution.failed for the workflows that listen to it",
		cites: [],
		async run(world) {
			await save(world, listener("watch", "execution.failed"));
			await save(world, fails("job", "no paper"));
			await save(world, says("fine", "x"));
			await world.executor.call("POST", "/webhooks/named", {
				body: quiet("not mine", "*"),
				headers: otherTenant(world),
			});
			await run(world, "fine");
			const { execution_id } = await run(world, "job", {}, 500);
			const first = await eventually(async () => {
				const found = (await listRecords(world, { workflow: "watch" })).at(-1);
				assert.ok(found);
				return JSON.parse(found.error.replace(/^only: /, ""));
			});
			assert.deepEqual(first, {
				type: "execution.failed",
				data: { workflow: "job", execution_id, error: "only: no paper" },
			});
			assert.deepEqual(await listRecords({ ...world, owner: `${world.owner}-other` }), []);
		},
	},
	{
		name: "a workflow that listens to failures and fails itself does not loop forever",
		cites: [],
		async run(world) {
			await save(world, listener("watch", "execution.failed", "again"));
			await save(world, fails("job", "no"));
			await run(world, "job", {}, 500);
			await waitForRecords(world, "watch", 4);
			// A chain that continued would have shown by the time another chain of the same length has ended.
			await save(world, quiet("watch", "execution.failed"));
			await save(world, listener("after", "ping"));
			await raise(world, { type: "ping" });
			await waitForRecords(world, "after", 1);
			assert.equal((await listRecords(world, { workflow: "watch", verdict: "failed" })).length, 4);
		},
	},
	{
		name: "a written entry raises entry.upserted, and a triplet triplet.ingested, if a workflow listens",
		cites: [],
		async run(world) {
			await save(world, listener("entries", "entry.upserted"));
			await save(world, listener("triplets", "triplet.ingested"));
			const entry = { owner_id: world.owner, entry_type: "note", page_name: "茶", content: "green" };
			await world.call("PUT", "/entries", { body: entry });
			const [upserted] = await listInputs(world, "entries", 1);
			assert.equal(upserted.type, "entry.upserted");
			const [written] = await listStored(world, "note");
			assert.deepEqual(upserted.data, {
				id: written?.id,
				entry_type: "note",
				page_name: "茶",
				created: true,
			});
			await world.call("PUT", "/entries", { body: { ...entry, content: "black" } });
			assert.equal((await listInputs(world, "entries", 2))[0].data.created, false);
			const source = { uri: "doc:1", hash: "h1" };
			await world.call("POST", "/triplets/ingest", {
				body: { owner_id: world.owner, subject: "tea", predicate: "is", object: "a drink", source },
			});
			const [ingested] = await listInputs(world, "triplets", 1);
			assert.equal(ingested.type, "triplet.ingested");
			assert.equal(ingested.data.subject ?? ingested.data.triplet?.subject, "tea");
		},
	},
	{
		name: "without a listener, a write or a failure creates no event",
		cites: [],
		async run(world) {
			await save(world, fails("job", "no"));
			await run(world, "job", {}, 500);
			await world.call("PUT", "/entries", {
				body: { owner_id: world.owner, entry_type: "note", page_name: "n", content: "" },
			});
			await waitForRecords(world, "job", 1);
			assert.deepEqual(await listStored(world, "accepted_run"), []);
			assert.deepEqual(await listStored(world, "event_seen"), []);
			assert.equal((await listRecords(world)).length, 1);
		},
	},
	ticking({
		name: "a workflow that writes the entries it listens to does not loop forever",
		cites: [],
		async run(world) {
			const page = { entry_type: "note", page_name: "n" };
			await save(world, {
				...createWorkflow("loop", {}),
				trigger: { type: "event", event: "entry.upserted" },
				triplets: ["input >> then >> read", "read >> then >> check", "check >> if true >> write"],
				config: {
					read: { component: "kb_get", ...page },
					// Makes the scenario fail instead of running forever if nothing else ends the chain.
					check: { component: "if", condition: "size(read.content) < 12" },
					write: { component: "kb_upsert", ...page, content: "{{read.content}}x" },
				},
			});
			await world.call("PUT", "/entries", { body: { owner_id: world.owner, ...page, content: "x" } });
			const ended = await eventually(async () => {
				const found = await listRecords(world, { workflow: "loop" });
				assert.ok(found.length >= 4);
				return found;
			});
			assert.ok(ended.every(({ verdict }) => verdict === "success"));
			await save(world, listener("after", "ping"));
			for (let nth = 1; nth <= 3; nth++) {
				await raise(world, { type: "ping" });
				await waitForRecords(world, "after", nth);
			}
			assert.equal((await listRecords(world, { workflow: "loop" })).length, 4);
			assert.equal((await listStored(world, "note"))[0]?.content, "xxxxx");
		},
	}),
];
