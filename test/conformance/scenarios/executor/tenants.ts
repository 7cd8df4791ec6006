import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EntryPage } from "@tripline/contract/entries";
import { CreatedWebhook, SavedWorkflow, WebhookList, WorkflowList } from "@tripline/contract/executor";
import { CreatedPartnerKey } from "@tripline/contract/partner-keys";
import { RunResult } from "@tripline/contract/workflows";
import type { Scenario, World } from "../../scenario.ts";
import { nodeProcess } from "./node-process.ts";
import { withOwnExecutor } from "./own-executor.ts";
import { createRow, createWebhook, ECHO, getTriggerPath, trigger, waitForRecords } from "./token-webhook.ts";
import { withSettings } from "./with-settings.ts";

const TOKEN = "internal-token-of-the-tests";
const ACCESS = "access-token-of-the-tests";
const MULTI_TENANT = { MULTI_TENANT: "true", STORE_INTERNAL_TOKEN: TOKEN };

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const tenant = (key: string) => ({ "x-service-api-key": key });

const WRITE = createRow({ note: { component: "kb_upsert", page_name: "page", content: "yes" } });

/** All routes that require a tenant. */
const MANAGED = [
	["GET", "/webhooks"],
	["DELETE", `/webhooks/${"a".repeat(32)}`],
	["POST", "/webhooks/named"],
	["GET", "/webhooks/named"],
	["GET", "/webhooks/named/w"],
	["DELETE", "/webhooks/named/w"],
	["POST", "/webhooks/named/w/trigger"],
	["POST", "/webhooks/named/w/query"],
	["POST", "/workflows"],
	["POST", "/workflows/validate"],
	["POST", "/workflows/backfill-search-entries"],
	["GET", "/workflows/w/executions"],
	["GET", "/executions/01890000-0000-7000-8000-000000000000"],
	["GET", "/portal/data/workflows"],
	["POST", "/events"],
	["GET", "/credentials"],
	["PUT", "/credentials/c"],
	["DELETE", "/credentials/c"],
] as const;

async function createKey(world: World, namespace = world.owner) {
	const made = await world.expect(201, CreatedPartnerKey, "POST", "/partner-keys", {
		body: { namespace },
		headers: bearer(TOKEN),
	});
	return made;
}

async function listPages(world: World, owner_id: string) {
	const query = { owner_id, entry_type: "note" };
	const page = await world.expect(200, EntryPage, "GET", "/entries", { query, headers: bearer(TOKEN) });
	return page.entries.map(({ page_name }) => page_name);
}

/** Asserts that a partner key is a tenant and a plain namespace is not. */
async function assertMultiTenant(world: World): Promise<void> {
	const { key } = await createKey(world);
	for (const header of [world.owner, "default", `tlk_${"A".repeat(32)}`, key.slice(0, -1), `${key}A`]) {
		const refused = await world.anyone.refuse(401, "GET", "/webhooks/named", { headers: tenant(header) });
		assert.equal(refused.error, "the header X-Service-API-Key is not a valid partner key");
		assert.ok(!JSON.stringify(refused).includes(header));
	}
	await world.anyone.refuse(401, "GET", "/webhooks/named");
	const headers = tenant(key);
	const body = { name: "mine", description: "", ...ECHO };
	const saved = await world.anyone.expect(201, SavedWorkflow, "POST", "/webhooks/named", { body, headers });
	assert.ok(saved.webhook_url.endsWith(`/webhooks/named/${world.owner}/mine/trigger`));
	const list = await world.anyone.expect(200, WorkflowList, "GET", "/webhooks/named", { headers });
	assert.deepEqual(
		list.workflows.map(({ name }) => name),
		["mine"],
	);
}

export const tenancy: readonly Scenario[] = [
	{
		name: "every management route of a tenant needs the tenant header, else 401",
		cites: ["EXEC-TENANT-HEADER"],
		async run(world) {
			for (const [method, path] of MANAGED) {
				const body = method === "GET" || method === "DELETE" ? {} : { raw: "not json" };
				const refused = await world.anyone.refuse(401, method, path, body);
				assert.match(refused.error, /X-Service-API-Key/, path);
				const headers = tenant("");
				await world.anyone.refuse(401, method, path, { ...body, headers });
			}
		},
	},
	{
		name: "routes that need no tenant work without the header",
		cites: ["EXEC-TENANT-HEADER-OPTIONAL", "EXEC-TENANT-TOKEN-NO-HEADER"],
		async run(world) {
			const token = await createWebhook(world.anyone, ECHO);
			await trigger(world.anyone, token);
			for (const path of [
				"/components",
				"/components/set",
				"/healthz",
				"/readyz",
				"/openapi.json",
				"/docs",
			]) {
				assert.equal((await world.anyone.call("GET", path)).status, 200, path);
			}
		},
	},
	{
		name: "with MULTI_TENANT=false the header is the namespace itself, and no key is issued",
		cites: ["EXEC-MODE-FALSE", "EXEC-TENANT-SELF-HOSTED", "EXEC-TENANT-NO-KEY-ISSUED", "EXEC-TENANT-HEADER"],
		run: (world) =>
			withSettings(world, { MULTI_TENANT: "false", STORE_INTERNAL_TOKEN: TOKEN }, async () => {
				const [one, other] = [`${world.owner}-one`, `${world.owner}_Other-2`];
				for (const namespace of [one, other]) {
					const body = { ...WRITE, name: namespace };
					const headers = tenant(namespace);
					const { token } = await world.anyone.expect(201, CreatedWebhook, "POST", "/webhooks", {
						body,
						headers,
					});
					await trigger(world.anyone, token);
					assert.deepEqual(await listPages(world, namespace), ["page"]);
					const { webhooks } = await world.anyone.expect(200, WebhookList, "GET", "/webhooks", { headers });
					assert.deepEqual(
						webhooks.map(({ name }) => name),
						[namespace],
					);
				}
				const keys = await world.call("GET", "/partner-keys", {
					query: { namespace: one },
					headers: bearer(TOKEN),
				});
				assert.deepEqual(keys.body, { keys: [] });
				await world.executor.refuse(404, "POST", "/partner-keys", { body: { namespace: one } });
				const body = { namespace: one };
				const { error } = await world.refuse(409, "POST", "/partner-keys", { body, headers: bearer(TOKEN) });
				assert.match(error, /self-hosted/);
			}),
	},
	{
		name: "a header that is not a valid namespace gets 401 in self-hosted mode",
		cites: ["EXEC-TENANT-SELF-HOSTED"],
		async run(world) {
			for (const value of ["a b", "-a", "_system", "a/b", "a:b", "a".repeat(65), "a,b"]) {
				const headers = tenant(value);
				const refused = await world.anyone.refuse(401, "GET", "/webhooks", { headers });
				assert.match(refused.error, /not a namespace/, value);
				await world.anyone.refuse(401, "POST", "/webhooks", { headers, body: ECHO });
			}
		},
	},
	{
		name: "with MULTI_TENANT=true the header is a partner key, and a plain namespace is rejected",
		cites: ["EXEC-MODE-TRUE", "EXEC-TENANT-HEADER"],
		run: (world) => withSettings(world, MULTI_TENANT, () => assertMultiTenant(world)),
	},
	{
		name: "in multi-tenant mode a partner key's webhook runs and is recorded in its namespace",
		cites: ["EXEC-MODE-TRUE", "EXEC-RECORD-API-KEY"],
		run: (world) =>
			withSettings(world, MULTI_TENANT, async () => {
				const { key } = await createKey(world);
				const { token } = await world.anyone.expect(201, CreatedWebhook, "POST", "/webhooks", {
					body: WRITE,
					headers: tenant(key),
				});
				await trigger(world.anyone, token);
				const open = await createWebhook(world.anyone, WRITE);
				await world.anyone.expect(200, RunResult, "POST", getTriggerPath(open), { headers: tenant(key) });
				const headers = tenant(world.owner);
				const nobody = await world.anyone.expect(500, RunResult, "POST", getTriggerPath(open), { headers });
				assert.match(nobody.error ?? "", /belongs to no namespace/);
				assert.deepEqual(await listPages(world, world.owner), ["page"]);
				const records = await waitForRecords(world, 2, world.owner, bearer(TOKEN));
				assert.equal(records.length, 2);
				assert.ok(!JSON.stringify(records).includes(key));
				const lines = JSON.stringify(await world.target.lines());
				assert.ok(!lines.includes(key) && !lines.includes(token) && !lines.includes(TOKEN));
			}),
	},
	{
		name: "a revoked partner key is rejected within five seconds",
		cites: [],
		run: (world) =>
			withSettings(world, MULTI_TENANT, async () => {
				const noon = Date.UTC(2026, 6, 1, 12);
				await world.target.setNow(noon);
				const { id, key } = await createKey(world);
				const list = () => world.anyone.call("GET", "/webhooks", { headers: tenant(key) });
				assert.equal((await list()).status, 200);
				const revoked = await world.call("DELETE", `/partner-keys/${id}`, { headers: bearer(TOKEN) });
				assert.equal(revoked.status, 200);
				await world.target.setNow(noon + 5_000);
				assert.equal((await list()).status, 401);
			}),
	},
	{
		name: "in multi-tenant mode a tenant gets 503 while the store is unreachable; token triggers still run",
		cites: [],
		run: (world) =>
			withSettings(world, MULTI_TENANT, async () => {
				const { key } = await createKey(world);
				const { token } = await world.anyone.expect(201, CreatedWebhook, "POST", "/webhooks", {
					body: ECHO,
					headers: tenant(key),
				});
				// Moves past the five seconds for which a key check is cached.
				await world.target.setNow(Date.now() + 6_000);
				await world.target.setStoreAway(true);
				try {
					const answer = await world.anyone.call("GET", "/webhooks", { headers: tenant(key) });
					assert.deepEqual([answer.status, answer.headers.get("retry-after")], [503, "1"]);
					assert.deepEqual((await trigger(world.anyone, token, { a: 1 })).data, { a: 1 });
				} finally {
					await world.target.setStoreAway(false);
				}
			}),
	},
	{
		name: "the executor is in multi-tenant mode if MULTI_TENANT is unset",
		cites: ["EXEC-MODE-UNSET"],
		run: (world) =>
			withSettings(world, MULTI_TENANT, () =>
				withOwnExecutor(world, { token: TOKEN, environment: {} }, assertMultiTenant),
			),
	},
	{
		name: "with SERVICE_ACCESS_TOKEN, management also needs that token; triggers and health do not",
		cites: ["EXEC-TENANT-TOKEN-NO-HEADER"],
		run: (world) =>
			withSettings(world, { SERVICE_ACCESS_TOKEN: ACCESS }, async () => {
				const open = [
					["POST", "/webhooks"],
					["GET", "/components"],
					["GET", "/components/set"],
				] as const;
				for (const [method, path] of [...MANAGED, ...open]) {
					for (const headers of [{}, bearer("wrong"), bearer(`${ACCESS}x`), { authorization: ACCESS }]) {
						const body = method === "GET" || method === "DELETE" ? {} : { raw: "not json" };
						const answer = await world.executor.call(method, path, { ...body, headers });
						assert.equal(answer.status, 401, `${method} ${path}`);
						assert.equal(answer.headers.get("www-authenticate"), "Bearer");
					}
				}
				const headers = bearer(ACCESS);
				const made = await world.executor.expect(201, CreatedWebhook, "POST", "/webhooks", {
					body: ECHO,
					headers,
				});
				await trigger(world.anyone, made.token);
				const body = { name: "named", description: "", ...ECHO };
				await world.executor.expect(201, SavedWorkflow, "POST", "/webhooks/named", { body, headers });
				const path = `/webhooks/named/${world.owner}/named/trigger`;
				await world.anyone.expect(200, RunResult, "POST", path);
				await world.anyone.refuse(401, "GET", "/webhooks", { headers });
				for (const each of ["/healthz", "/readyz", "/openapi.json", "/docs"]) {
					assert.equal((await world.anyone.call("GET", each)).status, 200);
				}
			}),
	},
	{
		name: "the namespace of a self-hosted project is NAMESPACE in its .env file",
		cites: ["EXEC-TENANT-NAMESPACE-ENV"],
		isOnlyOnNode: true,
		async run() {
			const folder = mkdtempSync(join(tmpdir(), "tripline-project-"));
			writeFileSync(join(folder, ".env"), "NAMESPACE=home-of-the-project\nMULTI_TENANT=false\n");
			const service = await nodeProcess(folder);
			try {
				const headers = { ...tenant("home-of-the-project"), "content-type": "application/json" };
				const ingest = createRow({
					fact: {
						component: "kb_ingest_triplet",
						subject: "Ada",
						predicate: "wrote",
						object: "notes",
						source: { uri: "doc:1", hash: "1" },
					},
				});
				const made = await fetch(`${service.publicUrl}/webhooks`, {
					method: "POST",
					headers,
					body: JSON.stringify(ingest),
				});
				const { webhook_url } = CreatedWebhook.parse(await made.json());
				assert.equal((await fetch(webhook_url, { method: "POST" })).status, 200);
				// Without an owner the store uses the project's namespace.
				const neighbors = await (await fetch(`${service.storeUrl}/graph/neighbors/Ada`)).text();
				assert.match(neighbors, /notes/);
			} finally {
				await service.stop();
				rmSync(folder, { recursive: true });
			}
		},
	},
];
