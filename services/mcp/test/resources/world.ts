import assert from "node:assert/strict";
import { after } from "node:test";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { createExecutor } from "@tripline/executor/app";
import { executorClient } from "@tripline/executor/client";
import { executorEnvironment, executorSettings } from "@tripline/executor/settings";
import { storedEntries } from "@tripline/executor/vault/stored-entries";
import { createVault } from "@tripline/executor/vault/vault";
import { nodeBackground } from "@tripline/platform/background.node";
import { nodeHttp } from "@tripline/platform/http.node";
import { kvMigrations, sqliteKv } from "@tripline/platform/kv.sqlite";
import { jsonLog } from "@tripline/platform/log";
import { createMasterKeyText, importMasterKey } from "@tripline/platform/master-key";
import { migrate } from "@tripline/platform/migrations";
import { nodeSandbox } from "@tripline/platform/sandbox.node";
import { openSqlite } from "@tripline/platform/sql.sqlite";
import { createRegistry } from "@tripline/registry/app";
import { registryClient } from "@tripline/registry/client";
import { registryEnvironment, registrySettings } from "@tripline/registry/settings";
import { createStore } from "@tripline/store/app";
import { storeClient } from "@tripline/store/client";
import { storeEnvironment, storeSettings } from "@tripline/store/settings";
import { storeMigrations } from "@tripline/store/storage/migrations";
import { heldOutputs } from "../../src/tools/held-outputs.ts";
import type { ToolContext } from "../../src/tools/tool.ts";

/** The real store and executor in this process, and a context for each tenant. */
export async function startWorld() {
	const sql = openSqlite(":memory:");
	const kvSql = openSqlite(":memory:");
	await migrate(sql, storeMigrations);
	await migrate(kvSql, kvMigrations);
	const problems: string[] = [];
	const clock = { now: () => Date.now() };
	const log = jsonLog({ level: "error", clock, write: (line) => problems.push(line) });
	const background = nodeBackground((work, error) => problems.push(`${work}: ${String(error)}`));
	const version = "test";
	const settings = { MULTI_TENANT: "false" };
	const ofExecutor = executorEnvironment.parse(settings);
	const store = createStore({
		sql,
		clock,
		log,
		version,
		background,
		settings: storeSettings(storeEnvironment.parse(settings)),
	});
	const transport = { answer: store.answer, baseUrl: "http://store" };
	const stored = storeClient(transport);
	const masterKey = await importMasterKey(createMasterKeyText());
	const sandbox = nodeSandbox({ threads: 1 });
	const http = nodeHttp({ allow: ofExecutor.ALLOW_PRIVATE_HOSTS, refuse: [] });
	const namespace = (name: string) => sqliteKv({ sql: kvSql, clock, namespace: name });
	const ready = async () => true;
	const registry = createRegistry({
		components: namespace("components"),
		submissions: namespace("submissions"),
		stats: namespace("stats"),
		sandbox,
		market: async () => [],
		clock,
		log,
		version,
		background,
		settings: registrySettings(registryEnvironment.parse(settings)),
		ready,
	});
	const executor = createExecutor({
		store: stored,
		kv: namespace("workflows"),
		vault: createVault({
			masterKeys: { load: async () => (masterKey === null ? [] : [masterKey]) },
			storage: storedEntries(transport),
			background,
			clock,
		}),
		http,
		sandbox,
		registry: registryClient({ answer: registry.answer, baseUrl: "http://registry" }),
		clock,
		log,
		version,
		background,
		settings: executorSettings(ofExecutor),
		ready,
	});
	await executor.seed();
	const client = executorClient({ answer: executor.answer, baseUrl: "http://executor" });
	const outputs = heldOutputs({ clock, maxBytes: 1_000_000, maxAgeMs: 60_000 });

	after(async () => {
		await executor.close();
		await registry.close();
		await Promise.all([sandbox.close(), http.close()]);
		store.stop();
		await background.flush();
		sql.close();
		kvSql.close();
		assert.deepEqual(problems, []);
	});

	return {
		store: stored,

		context: (tenant: string): ToolContext => ({
			namespace: tenant,
			origin: "http://mcp.example",
			executor: client.as(tenant, "http://mcp.example"),
			store: stored,
			outputs,
			signal: undefined,
			progress: async () => {},
		}),

		save: (tenant: string, document: JsonObject) => client.as(tenant).workflows.save({ json: document }),

		async note(tenant: string, page_name: string, content: string, metadata: Json = {}): Promise<string> {
			const metadata_json = JSON.stringify(metadata);
			const fields = { owner_id: tenant, entry_type: "note", page_name, content, metadata_json };
			return (await stored.entries.upsert(fields)).entry.id;
		},
	};
}

/** A workflow with one node. */
export const buildWorkflow = (name: string, more: JsonObject = {}): JsonObject => ({
	name,
	description: `what ${name} does`,
	version: "1",
	triplets: ["input >> then >> say"],
	config: { say: { component: "template", text: "Hello {{input.name}}" } },
	...more,
});
