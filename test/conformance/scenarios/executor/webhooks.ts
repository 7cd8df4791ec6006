import assert from "node:assert/strict";
import { DeletedAnswer } from "@tripline/contract/entries";
import { CreatedWebhook, WebhookList } from "@tripline/contract/executor";
import * as z from "zod";
import type { Scenario, Surface, World } from "../../scenario.ts";
import { createRow, createWebhook, ECHO, getTriggerPath, trigger } from "./token-webhook.ts";
import { withSettings } from "./with-settings.ts";

const NOON = Date.UTC(2026, 6, 1, 12);

const GRAPH = {
	id: "greeting",
	nodes: [{ id: "greet", component: "template", params: { text: "Hello {{input.name}}" } }],
	edges: [{ from: "input", to: "greet", on: "ON_SUCCESS" }],
};

/** A public address requires this too. */
const ACCESS = { SERVICE_ACCESS_TOKEN: "the-access-token-of-the-tests" };

const create = (surface: Surface, body: object) =>
	surface.expect(201, CreatedWebhook, "POST", "/webhooks", { body });

const list = (surface: Surface, query: Record<string, string | number> = {}) =>
	surface.expect(200, WebhookList, "GET", "/webhooks", { query });

const greeting = async (world: World, token: string) =>
	(await trigger(world.anyone, token, { name: "Ada" })).data;

const StoredWebhook = z.looseObject({
	graph: z.looseObject({ nodes: z.array(z.unknown()), edges: z.array(z.unknown()) }),
	description: z.string(),
	created_at: z.iso.datetime(),
});

const readStored = async (world: World, token: string) =>
	StoredWebhook.parse(JSON.parse((await world.target.kv.get(token)) ?? "null"));

export const webhooks: readonly Scenario[] = [
	{
		name: "POST /webhooks returns 201 with token, webhook_url, description and created_at",
		cites: [
			"EXEC-JSON-BODIES",
			"EXEC-WEBHOOK-201",
			"EXEC-WEBHOOK-RESPONSE-TOKEN",
			"EXEC-WEBHOOK-RESPONSE-URL",
			"EXEC-WEBHOOK-RESPONSE-DESCRIPTION",
			"EXEC-WEBHOOK-RESPONSE-CREATED-AT",
			"EXEC-WEBHOOK-DESCRIPTION",
			"EXEC-WEBHOOK-TOKEN-LENGTH",
			"EXEC-TENANT-HEADER-OPTIONAL",
		],
		async run(world) {
			await world.target.setNow(NOON);
			const body = { graph: GRAPH, description: "Says hello 🧵" };
			const answer = await world.anyone.call("POST", "/webhooks", { body });
			assert.equal(answer.status, 201);
			assert.match(answer.headers.get("content-type") ?? "", /^application\/json/);
			const { token, ...rest } = z
				.strictObject({
					token: z.string(),
					webhook_url: z.string(),
					description: z.string(),
					created_at: z.string(),
				})
				.parse(answer.body);
			assert.match(token, /^[A-Za-z0-9_-]{32}$/);
			assert.deepEqual(rest, {
				webhook_url: `${world.target.publicUrl}/webhooks/${token}/trigger`,
				description: "Says hello 🧵",
				created_at: "2026-07-01T12:00:00.000Z",
			});
		},
	},
	{
		name: "the returned webhook URL runs the graph",
		cites: ["EXEC-RUN-ON-WEBHOOK", "EXEC-RUN-RESULT", "EXEC-WEBHOOK-RESPONSE-URL"],
		async run(world) {
			const { webhook_url } = await create(world.anyone, { graph: GRAPH });
			const response = await fetch(webhook_url, { method: "POST", body: '{"name":"Ada"}' });
			assert.equal(response.status, 200);
			assert.equal(((await response.json()) as { data: unknown }).data, "Hello Ada");
		},
	},
	{
		name: "webhook_url begins with BASE_URL if that is set",
		cites: ["EXEC-WEBHOOK-RESPONSE-URL"],
		run: (world) =>
			withSettings(world, { BASE_URL: "https://flows.example.com/hooks", ...ACCESS }, async () => {
				const { token, webhook_url } = await world.anyone.expect(201, CreatedWebhook, "POST", "/webhooks", {
					body: { graph: GRAPH },
					headers: { authorization: `Bearer ${ACCESS.SERVICE_ACCESS_TOKEN}` },
				});
				assert.equal(webhook_url, `https://flows.example.com/hooks/webhooks/${token}/trigger`);
			}),
	},
	{
		name: "the description is empty when none is given",
		cites: ["EXEC-WEBHOOK-DESCRIPTION-DEFAULT"],
		async run(world) {
			const { token, description } = await create(world.anyone, { graph: GRAPH });
			assert.equal(description, "");
			assert.equal((await readStored(world, token)).description, "");
		},
	},
	{
		name: "a webhook can be created from a graph",
		cites: ["EXEC-WEBHOOK-FROM-GRAPH"],
		async run(world) {
			const token = await createWebhook(world.anyone, { graph: GRAPH });
			assert.equal(await greeting(world, token), "Hello Ada");
		},
	},
	{
		name: "a webhook can be created from triplets",
		cites: ["EXEC-WEBHOOK-FROM-TRIPLETS"],
		async run(world) {
			const config = { greet: { component: "template", text: "Hello {{input.name}}" } };
			const token = await createWebhook(world.anyone, { triplets: ["input >> ON_SUCCESS >> greet"], config });
			assert.equal(await greeting(world, token), "Hello Ada");
			const flow = await createWebhook(world.anyone, { flow: ["input >> 完成後 >> greet"], config });
			assert.equal(await greeting(world, flow), "Hello Ada");
		},
	},
	{
		name: "a webhook can be created from top-level nodes and edges, in either naming",
		cites: ["EXEC-WEBHOOK-FROM-NODES"],
		async run(world) {
			const { nodes, edges } = GRAPH;
			assert.equal(await greeting(world, await createWebhook(world.anyone, { nodes, edges })), "Hello Ada");
			const other = {
				nodes: [{ id: "greet", componentId: "template", data: { text: "Hello {{input.name}}" } }],
				edges: [{ source: "input", target: "greet", type: "then" }],
			};
			assert.equal(await greeting(world, await createWebhook(world.anyone, other)), "Hello Ada");
		},
	},
	{
		name: "the three input forms give the same stored graph",
		cites: ["EXEC-KEEPS-GRAPHS", "EXEC-WEBHOOK-RECORD-GRAPH"],
		async run(world) {
			const { id: _, ...graph } = GRAPH;
			const config = { greet: { component: "template", text: "Hello {{input.name}}" } };
			for (const body of [{ graph }, graph, { triplets: ["input >> then >> greet"], config }]) {
				const token = await createWebhook(world.anyone, body);
				assert.deepEqual((await readStored(world, token)).graph, graph);
			}
		},
	},
	{
		name: "the webhook record is stored under its token with graph, description and created_at",
		cites: [
			"EXEC-WEBHOOK-STORED",
			"EXEC-WEBHOOK-RECORD-GRAPH",
			"EXEC-WEBHOOK-RECORD-DESCRIPTION",
			"EXEC-WEBHOOK-RECORD-CREATED-AT",
		],
		async run(world) {
			await world.target.setNow(NOON);
			const token = await createWebhook(world.anyone, { graph: GRAPH, description: "Says hello" });
			const record = await readStored(world, token);
			assert.deepEqual(record.graph, GRAPH);
			assert.equal(record.description, "Says hello");
			assert.equal(record.created_at, "2026-07-01T12:00:00.000Z");
		},
	},
	{
		name: "no two webhooks have the same token",
		cites: ["EXEC-WEBHOOK-TOKEN-LENGTH"],
		async run(world) {
			const made = await Promise.all(Array.from({ length: 50 }, () => createWebhook(world.anyone, ECHO)));
			assert.equal(new Set(made).size, 50);
			assert.ok(made.every((token) => token.length >= 16));
		},
	},
	{
		name: "a body that is not valid JSON, or is null, gets 400 invalid json and stores nothing",
		cites: ["EXEC-WEBHOOK-INVALID-JSON", "EXEC-WEBHOOK-NULL"],
		async run(world) {
			const before = await world.target.kv.keys();
			for (const raw of ["", "{", "{'graph':1}", "undefined", '{"a":1}x', " null ", "null"]) {
				assert.deepEqual(await world.executor.refuse(400, "POST", "/webhooks", { raw }), {
					error: "invalid json",
				});
			}
			const raw = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
			assert.deepEqual(await world.executor.refuse(400, "POST", "/webhooks", { raw }), {
				error: "invalid json",
			});
			assert.deepEqual(await world.target.kv.keys(), before);
		},
	},
	{
		name: "a request without a body gets 400 invalid json",
		cites: ["EXEC-WEBHOOK-INVALID-JSON"],
		async run(world) {
			assert.deepEqual(await world.anyone.refuse(400, "POST", "/webhooks"), { error: "invalid json" });
		},
	},
	{
		name: "a JSON body that is not a workflow gets 400 with a message",
		cites: ["EXEC-WEBHOOK-UNRESOLVED"],
		async run(world) {
			for (const raw of [
				"[]",
				"5",
				'"text"',
				"true",
				"{}",
				'{"graph":5}',
				'{"nodes":{}}',
				'{"triplets":{}}',
			]) {
				const refused = await world.anyone.refuse(400, "POST", "/webhooks", { raw });
				assert.match(refused.error, /^the workflow does not compile: /);
				assert.ok((refused.diagnostics ?? []).length > 0, raw);
				assert.equal(refused.missing, undefined);
			}
		},
	},
	{
		name: "a graph that cannot be resolved gets 400 with error and diagnostics",
		cites: ["EXEC-WEBHOOK-UNRESOLVED"],
		async run(world) {
			const config = { a: { component: "set", values: {} }, b: { component: "set", values: {} } };
			for (const [code, body] of [
				["cycle", { triplets: ["a >> then >> b", "b >> then >> a"], config }],
				["unknown_relation", { triplets: ["input >> afterwards >> a", "a >> then >> b"], config }],
				["bad_triplet", { triplets: ["input >> a", "a >> then >> b"], config }],
				[
					"duplicate_node",
					{
						nodes: [
							{ id: "a", component: "set" },
							{ id: "a", component: "set" },
						],
					},
				],
				["unknown_parameter", createRow({ a: { component: "set", values: {}, colour: "red" } })],
			] as const) {
				const before = await world.target.kv.keys();
				const { error, diagnostics = [] } = await world.anyone.refuse(400, "POST", "/webhooks", { body });
				assert.ok(
					diagnostics.some((each) => each.code === code),
					`${code}: ${JSON.stringify(diagnostics)}`,
				);
				assert.match(error, /does not compile/);
				assert.deepEqual(await world.target.kv.keys(), before);
			}
		},
	},
	{
		name: "if unknown components are the only error, 422 lists the missing nodes and components",
		cites: ["EXEC-WEBHOOK-MISSING-COMPONENTS"],
		async run(world) {
			const before = await world.target.kv.keys();
			const body = createRow({
				one: { component: "no_such_thing", any: 1 },
				two: { component: "set", values: {} },
				three: { component: "no_such_thing" },
				four: {},
			});
			const refused = await world.anyone.refuse(422, "POST", "/webhooks", { body });
			assert.deepEqual(refused, {
				error: "unknown components: no_such_thing, four",
				missing: ["one", "three", "four"],
				components: ["no_such_thing", "four"],
			});
			assert.deepEqual(await world.target.kv.keys(), before);
		},
	},
	{
		name: "an unknown component together with another error gets 400",
		cites: ["EXEC-WEBHOOK-UNRESOLVED"],
		async run(world) {
			const body = createRow({ one: { component: "no_such_thing" }, two: { component: "set", values: 5 } });
			const refused = await world.anyone.refuse(400, "POST", "/webhooks", { body });
			assert.deepEqual(refused.diagnostics?.map(({ code }) => code).sort(), [
				"unknown_component",
				"wrong_type",
			]);
		},
	},
	{
		name: "a token webhook cannot have a schedule or an event trigger",
		cites: [],
		async run(world) {
			for (const trigger of [
				{ type: "schedule", cron: "@daily" },
				{ type: "event", event: "order.*" },
			]) {
				await world.anyone.refuse(400, "POST", "/webhooks", { body: { ...ECHO, trigger } });
			}
			await create(world.anyone, { ...ECHO, trigger: { type: "webhook" } });
		},
	},
	{
		name: "a document that is too large gets 413, one that is nested too deep 400",
		cites: [],
		async run(world) {
			const large = { ...ECHO, description: "x".repeat(1_048_576) };
			await world.anyone.refuse(413, "POST", "/webhooks", { body: large });
			const raw = `{"triplets":["input >> then >> set"],"context":${'{"a":'.repeat(64)}1${"}".repeat(64)}}`;
			await world.anyone.refuse(400, "POST", "/webhooks", { raw });
		},
	},
	{
		name: "a webhook from YAML runs like one from JSON",
		cites: [],
		async run(world) {
			const raw =
				"triplets:\n  - input >> then >> greet\nconfig:\n  greet: {component: set, values: {n: 1}}\n";
			for (const type of ["application/yaml", "text/yaml; charset=utf-8", "application/x-yaml"]) {
				const headers = { "content-type": type };
				const { token } = await world.anyone.expect(201, CreatedWebhook, "POST", "/webhooks", {
					raw,
					headers,
				});
				assert.deepEqual((await trigger(world.anyone, token)).data, { n: 1 });
			}
		},
	},
	{
		name: "GET /webhooks lists only the caller's webhooks, in pages",
		cites: ["EXEC-TENANT-HEADER"],
		async run(world) {
			const mine = await Promise.all(
				[1, 2, 3].map((nth) =>
					createWebhook(world.executor, { ...ECHO, name: `n${nth}`, description: `d${nth}` }),
				),
			);
			await createWebhook(world.anyone, ECHO);
			const others = { "x-service-api-key": `${world.owner}-x` };
			await world.anyone.expect(201, CreatedWebhook, "POST", "/webhooks", { body: ECHO, headers: others });
			const { webhooks, next_cursor } = await list(world.executor);
			assert.deepEqual(webhooks.map(({ token }) => token).sort(), [...mine].sort());
			assert.equal(next_cursor, null);
			const first = webhooks.find(({ token }) => token === mine[0]);
			assert.deepEqual([first?.name, first?.description], ["n1", "d1"]);
			assert.equal(first?.webhook_url, world.target.publicUrl + getTriggerPath(mine[0] ?? ""));
			const page = await list(world.executor, { limit: 2 });
			const rest = await list(world.executor, { limit: 2, cursor: page.next_cursor ?? "" });
			assert.deepEqual([page.webhooks.length, rest.webhooks.length, rest.next_cursor], [2, 1, null]);
			await world.anyone.refuse(401, "GET", "/webhooks");
			await world.executor.refuse(422, "GET", "/webhooks", { query: { limit: 101 } });
		},
	},
	{
		name: "DELETE /webhooks/{token} revokes the caller's webhook immediately",
		cites: [],
		async run(world) {
			const token = await createWebhook(world.executor, ECHO);
			await trigger(world.anyone, token);
			await world.executor.expect(200, DeletedAnswer, "DELETE", `/webhooks/${token}`);
			const gone = { error: "webhook not found" };
			assert.deepEqual(await world.anyone.refuse(404, "POST", getTriggerPath(token), { body: {} }), gone);
			assert.deepEqual(await world.executor.refuse(404, "DELETE", `/webhooks/${token}`), gone);
			assert.deepEqual((await list(world.executor)).webhooks, []);
			assert.equal(await world.target.kv.get(token), null);
		},
	},
	{
		name: "a webhook of another tenant, or an anonymous one, cannot be revoked",
		cites: ["EXEC-TENANT-HEADER"],
		async run(world) {
			const headers = { "x-service-api-key": `${world.owner}-x` };
			for (const token of [
				await createWebhook(world.executor, ECHO),
				await createWebhook(world.anyone, ECHO),
			]) {
				const refused = await world.anyone.refuse(404, "DELETE", `/webhooks/${token}`, { headers });
				assert.deepEqual(refused, { error: "webhook not found" });
				await world.anyone.refuse(401, "DELETE", `/webhooks/${token}`);
				await trigger(world.anyone, token);
			}
		},
	},
	{
		name: "a token longer than any key returns 404 for every request",
		cites: ["EXEC-TRIGGER-404"],
		async run(world) {
			const gone = { error: "webhook not found" };
			for (const token of ["a".repeat(513), "🧵".repeat(200)]) {
				const path = `/webhooks/${encodeURIComponent(token)}`;
				assert.deepEqual(await world.anyone.refuse(404, "POST", `${path}/trigger`, { body: {} }), gone);
				assert.deepEqual(await world.executor.refuse(404, "DELETE", path), gone);
			}
		},
	},
];
