import assert from "node:assert/strict";
import { EntryPage, UpsertedEntry } from "@tripline/contract/entries";
import { ExecutionPage } from "@tripline/contract/execution-log";
import { Refreshed } from "@tripline/contract/graph";
import { CreatedPartnerKey, PartnerKeyList, VerifiedPartnerKey } from "@tripline/contract/partner-keys";
import { EnsuredTemplate } from "@tripline/contract/templates";
import * as z from "zod";
import type { Scenario, World } from "../../scenario.ts";

const TOKEN = "internal-token-of-the-tests";
const TOKENED = { STORE_INTERNAL_TOKEN: TOKEN };
const MULTI_TENANT = { ...TOKENED, MULTI_TENANT: "true" };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function createKey(world: World, headers: Record<string, string> = {}, namespace = world.owner) {
	return world.expect(201, CreatedPartnerKey, "POST", "/partner-keys", { body: { namespace }, headers });
}

const verifyKey = (world: World, key: string, headers: Record<string, string> = {}) =>
	world.expect(200, VerifiedPartnerKey, "POST", "/partner-keys/verify", { body: { key }, headers });

const note = (owner_id?: string) => ({ entry_type: "note", owner_id, page_name: "p", content: "c" });

export const access: readonly Scenario[] = [
	{
		name: "empty settings count as unset, and an empty owner secret is not a secret",
		cites: ["KNOW-REFRESH-UNSET", "MCP-CONFIG-OWNER-SECRET"],
		environment: {
			STORE_INTERNAL_TOKEN: "",
			SERVICE_ACCESS_TOKEN: "",
			NAMESPACE: "",
			STORE_INGEST_URL: "",
			EMBED: "",
			EMBED_URL: "",
			EMBED_MODEL: "",
			MAX_BODY_BYTES: "",
			REGISTRY_ADMIN_TOKEN: "",
			MCP_STATIC_TOKEN: "",
			MCP_TOKEN_TTL: "",
			MCP_OWNER_SECRET: "",
		},
		async run(world) {
			await world.expect(200, EntryPage, "GET", "/entries", { query: { owner_id: world.owner } });
			await world.expect(200, Refreshed, "POST", "/graph/refresh", { body: {} });
			assert.equal((await world.executor.call("GET", "/credentials")).status, 200);
			for (const headers of [{}, { authorization: "Bearer " }, bearer("undefined")])
				await world.anyone.refuse(401, "POST", "/mcp", { body: {}, headers });
			const review = "/registry/submissions/0192f0c1-0000-7000-8000-000000000000/review";
			await world.anyone.refuse(503, "POST", review, { body: { decision: "approve" } });
			assert.equal((await world.anyone.call("GET", "/authorize")).status, 503);
		},
	},
	{
		name: "if a token is set, a request without it or with a wrong one gets 401 and changes nothing",
		cites: [],
		environment: TOKENED,
		async run(world) {
			const attempts: Record<string, string>[] = [
				{},
				bearer("wrong"),
				bearer(`${TOKEN}x`),
				bearer(TOKEN.slice(0, -1)),
				bearer("null"),
				{ authorization: TOKEN },
				{ authorization: "Bearer " },
				{ authorization: `Basic ${btoa(`x:${TOKEN}`)}` },
				bearer(`tlk_${"A".repeat(32)}`),
			];
			for (const headers of attempts) {
				await world.refuse(401, "PUT", "/entries", { body: note(world.owner), headers });
				await world.refuse(401, "GET", "/entries", { headers });
			}
			const page = await world.expect(200, EntryPage, "GET", "/entries", {
				query: { owner_id: world.owner },
				headers: bearer(TOKEN),
			});
			assert.deepEqual(page.entries, []);
		},
	},
	{
		name: "if a token is set, health and the OpenAPI document do not need it",
		cites: [],
		environment: TOKENED,
		async run(world) {
			for (const path of ["/healthz", "/readyz", "/openapi.json", "/docs"]) {
				assert.equal((await world.call("GET", path)).status, 200);
			}
		},
	},
	{
		name: "a partner key is shown once, verified by the store, and can be revoked",
		cites: ["STORE-PARTNER-KEY-CHECK"],
		environment: { MULTI_TENANT: "true" },
		async run(world) {
			const made = await createKey(world);
			assert.match(made.key, /^tlk_[A-Za-z0-9_-]{32}$/);
			const verify = (key: string) => verifyKey(world, key);
			assert.deepEqual(await verify(made.key), { valid: true, namespace: world.owner });
			for (const key of ["", "tlk_", made.key.slice(0, -1), `${made.key}A`, `tlk_${"A".repeat(32)}`]) {
				assert.deepEqual(await verify(key), { valid: false, namespace: null });
			}
			const query = { namespace: world.owner };
			const list = await world.call("GET", "/partner-keys", { query });
			assert.deepEqual(
				PartnerKeyList.parse(list.body).keys.map((key) => key.id),
				[made.id],
			);
			assert.doesNotMatch(JSON.stringify(list.body), /tlk_/);
			assert.equal((await world.call("DELETE", `/partner-keys/${made.id}`)).status, 200);
			assert.deepEqual(await verify(made.key), { valid: false, namespace: null });
			await world.refuse(401, "GET", "/entries", { headers: bearer(made.key) });
			await world.refuse(404, "DELETE", `/partner-keys/${made.id}`);
		},
	},
	{
		name: "in self-hosted mode no partner key is issued, and the response says what to do instead",
		cites: ["EXEC-TENANT-NO-KEY-ISSUED"],
		environment: TOKENED,
		async run(world) {
			const headers = bearer(TOKEN);
			const body = { namespace: world.owner };
			const { error } = await world.refuse(409, "POST", "/partner-keys", { body, headers });
			assert.match(error, /X-Service-API-Key is the plain namespace/);
			assert.match(error, /MULTI_TENANT=true/);
			await world.refuse(401, "POST", "/partner-keys", { body });
			await world.refuse(401, "POST", "/partner-keys", { body, headers: bearer("wrong") });
			await world.refuse(422, "POST", "/partner-keys", { body: { namespace: "" }, headers });
			const list = await world.call("GET", "/partner-keys", { query: body, headers });
			assert.deepEqual(list.body, { keys: [] });
		},
	},
	{
		name: "a partner key from multi-tenant mode has no access in self-hosted mode, and can be revoked there",
		cites: ["EXEC-TENANT-NO-KEY-ISSUED", "STORE-PARTNER-KEY-CHECK"],
		environment: MULTI_TENANT,
		async run(world) {
			const internal = bearer(TOKEN);
			const { id, key } = await createKey(world, internal);
			const query = { namespace: world.owner };
			try {
				for (const [settings, headers] of [
					[TOKENED, internal],
					[{}, {}],
				] as const) {
					await world.target.restart(settings);
					assert.deepEqual(await verifyKey(world, key, headers), { valid: false, namespace: null });
					await world.refuse(401, "GET", "/entries", { headers: bearer(key) });
					await world.refuse(401, "POST", "/partner-keys", { body: query, headers: bearer(key) });
					const list = await world.call("GET", "/partner-keys", { query, headers });
					assert.deepEqual(
						PartnerKeyList.parse(list.body).keys.map((kept) => kept.id),
						[id],
					);
				}
				await world.target.restart(MULTI_TENANT);
				assert.deepEqual(await verifyKey(world, key, internal), { valid: true, namespace: world.owner });
				await world.target.restart({});
				assert.equal((await world.call("DELETE", `/partner-keys/${id}`)).status, 200);
			} finally {
				await world.target.restart(MULTI_TENANT);
			}
			assert.deepEqual(await verifyKey(world, key, internal), { valid: false, namespace: null });
		},
	},
	{
		name: "a partner key implies its namespace and cannot name another",
		cites: ["STORE-ENTRY-ISOLATION"],
		environment: MULTI_TENANT,
		async run(world) {
			const { key } = await createKey(world, bearer(TOKEN));
			const headers = bearer(key);
			const put = await world.expect(201, UpsertedEntry, "PUT", "/entries", { body: note(), headers });
			assert.equal(put.entry.owner_id, world.owner);
			await world.expect(200, UpsertedEntry, "PUT", "/entries", { body: note(world.owner), headers });
			await world.refuse(403, "PUT", "/entries", { body: note("other"), headers });
			await world.refuse(403, "GET", "/entries", { query: { owner_id: "other" }, headers });
			const page = await world.expect(200, EntryPage, "GET", "/entries", { headers });
			assert.equal(page.entries.length, 1);
			await world.expect(200, z.unknown(), "DELETE", `/entries/${put.entry.id}`, { headers });
		},
	},
	{
		name: "a partner key cannot see, change or delete anything of another namespace",
		cites: ["STORE-ENTRY-ISOLATION"],
		environment: MULTI_TENANT,
		async run(world) {
			const internal = bearer(TOKEN);
			const victim = `${world.owner}-victim`;
			const call = async <S extends z.ZodType>(schema: S, method: string, path: string, body: object) =>
				schema.parse((await world.call(method, path, { body, headers: internal })).body);
			const { entry } = await call(UpsertedEntry, "PUT", "/entries", note(victim));
			const { template } = await call(EnsuredTemplate, "POST", "/templates", {
				owner_id: victim,
				name: "secret",
				slots: [{ name: "s", type: "string" }],
			});
			const shared = await call(EnsuredTemplate, "POST", "/templates", { name: `s-${victim}`, slots: [] });
			const { record } = await call(z.object({ record: z.object({ id: z.string() }) }), "POST", "/records", {
				owner_id: victim,
				template: "secret",
				values: { s: "hidden" },
			});
			await call(z.unknown(), "POST", "/execution-log", {
				owner_id: victim,
				workflow: "w",
				verdict: "failed",
				duration_ms: 1,
				error: "hidden",
			});
			const headers = bearer((await createKey(world, internal)).key);
			const attempts: [number, string, string, object?][] = [
				[404, "GET", `/entries/${entry.id}`],
				[404, "DELETE", `/entries/${entry.id}`],
				[403, "GET", `/entries/${entry.id}?owner_id=${victim}`],
				[403, "DELETE", `/entries/${entry.id}?owner_id=${victim}`],
				[404, "GET", `/templates/${template.id}`],
				[404, "PATCH", `/templates/${template.id}`, { slots: [{ name: "x", type: "any" }] }],
				[403, "PATCH", `/templates/${shared.template.id}`, { slots: [{ name: "x", type: "any" }] }],
				[404, "GET", `/records/${record.id}`],
				[404, "PATCH", `/records/${record.id}`, { values: { s: "mine" } }],
				[404, "DELETE", `/records/${record.id}`],
				[422, "POST", "/records", { template: template.id, values: { s: "x" } }],
				[403, "GET", `/execution-log?owner_id=${victim}`],
				[403, "GET", `/execution-log/latest?owner_id=${victim}&workflow=w`],
				[
					403,
					"POST",
					"/execution-log",
					{ owner_id: victim, workflow: "w", verdict: "failed", duration_ms: 1 },
				],
				[403, "POST", "/partner-keys", { namespace: victim }],
				[403, "GET", `/partner-keys?namespace=${victim}`],
				[403, "POST", "/partner-keys/verify", { key: "x" }],
				[403, "DELETE", `/partner-keys/${entry.id}`],
			];
			for (const [status, method, path, body] of attempts) {
				const refused = await world.refuse(status, method, path, { headers, ...(body ? { body } : {}) });
				assert.doesNotMatch(JSON.stringify(refused), /hidden/);
			}
			const log = await world.expect(200, ExecutionPage, "GET", "/execution-log", { headers });
			assert.deepEqual(log.executions, []);
			const still = await world.expect(200, EntryPage, "GET", "/entries", {
				query: { owner_id: victim },
				headers: internal,
			});
			assert.equal(still.entries.length, 3);
		},
	},
	{
		name: "a partner key cannot write the reserved types as entries",
		cites: ["STORE-INTERNAL-TYPES"],
		environment: MULTI_TENANT,
		async run(world) {
			const headers = bearer((await createKey(world, bearer(TOKEN))).key);
			for (const entry_type of ["value", "execution_log", "execution_log_usage", "partner_key"]) {
				for (const method of ["PUT", "POST"]) {
					await world.refuse(403, method, "/entries", { body: { ...note(), entry_type }, headers });
				}
			}
			const body = { ...note(), entry_type: "workflow" };
			await world.expect(201, UpsertedEntry, "PUT", "/entries", { body, headers });
		},
	},
];
