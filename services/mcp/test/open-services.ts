import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Manifest } from "@tripline/contract/registry";
import { createExecutor } from "@tripline/executor/app";
import { executorClient } from "@tripline/executor/client";
import { executorEnvironment, executorSettings } from "@tripline/executor/settings";
import { storedEntries } from "@tripline/executor/vault/stored-entries";
import { createVault } from "@tripline/executor/vault/vault";
import type { ReportFailure } from "@tripline/platform/background";
import { nodeBackground } from "@tripline/platform/background.node";
import { folderBlobs } from "@tripline/platform/blobs.folder";
import type { Clock } from "@tripline/platform/clock";
import { nodeDescriptions } from "@tripline/platform/descriptions.node";
import { nodeHttp } from "@tripline/platform/http.node";
import { kvMigrations, sqliteKv } from "@tripline/platform/kv.sqlite";
import type { Log } from "@tripline/platform/log";
import { createMasterKeyText, importMasterKey } from "@tripline/platform/master-key";
import { nodePdf } from "@tripline/platform/pdf.node";
import { nodeSandbox } from "@tripline/platform/sandbox.node";
import { createRegistry } from "@tripline/registry/app";
import { registryClient } from "@tripline/registry/client";
import { registryEnvironment, registrySettings } from "@tripline/registry/settings";
import { createStore } from "@tripline/store/app";
import { storeClient } from "@tripline/store/client";
import { storeEnvironment, storeSettings } from "@tripline/store/settings";
import { storeMigrations } from "@tripline/store/storage/migrations";
import type { Incoming, Outgoing } from "@tripline/web/http-message";
import { openMigrated } from "../../../packages/platform/test/open-migrated.ts";

export type Service = "store" | "executor" | "registry";

const VERSION = "1.2.3";
const SELF_HOSTED = { MULTI_TENANT: "false" };

/** The real store, executor and registry on in-memory SQLite in this process, and clients of them. */
export async function openServices({
	clock,
	log,
	report,
	market = [],
}: {
	readonly clock: Clock;
	readonly log: Log;
	readonly report: ReportFailure;
	readonly market?: readonly Manifest[];
}) {
	const folder = mkdtempSync(join(tmpdir(), "tripline-mcp-"));
	const sql = await openMigrated(storeMigrations);
	const kvSql = await openMigrated(kvMigrations);
	const background = nodeBackground(report);
	const common = { clock, log, version: VERSION, background, ready: async () => true };
	const away = new Set<Service>();
	const kv = (namespace: string) => sqliteKv({ sql: kvSql, clock, namespace });

	const store = createStore({ ...common, sql, settings: storeSettings(storeEnvironment.parse(SELF_HOSTED)) });
	const storeTransport = reach("store", store.answer);
	const sandbox = nodeSandbox({ threads: 1 });
	const pdf = nodePdf();
	const descriptions = nodeDescriptions();
	const registry = createRegistry({
		...common,
		components: kv("components"),
		submissions: kv("submissions"),
		stats: kv("stats"),
		sandbox,
		market: async () => market,
		settings: registrySettings(registryEnvironment.parse(SELF_HOSTED)),
	});
	const masterKey = await importMasterKey(createMasterKeyText());
	const environment = executorEnvironment.parse(SELF_HOSTED);
	const http = nodeHttp({ allow: environment.ALLOW_PRIVATE_HOSTS });
	const clients = {
		store: storeClient(storeTransport),
		registry: registryClient(reach("registry", registry.answer)),
	};
	const executor = createExecutor({
		...common,
		...clients,
		kv: kv("workflows"),
		blobs: folderBlobs(folder),
		steps: null,
		vault: createVault({
			masterKeys: { load: async () => (masterKey === null ? [] : [masterKey]) },
			storage: storedEntries(storeTransport),
			background,
			clock,
		}),
		http,
		sandbox,
		pdf,
		descriptions,
		settings: executorSettings(environment),
	});

	return {
		...clients,
		executor: executorClient(reach("executor", executor.answer)),
		seed: executor.seed,
		kv,
		version: VERSION,
		/** Services that do not answer. */
		away,
		async close(): Promise<void> {
			away.clear();
			await executor.close();
			await registry.close();
			await Promise.all([sandbox.close(), pdf.close(), descriptions.close(), http.close()]);
			store.stop();
			await background.flush();
			sql.close();
			kvSql.close();
			rmSync(folder, { recursive: true });
		},
	};

	function reach(name: Service, answer: (request: Incoming) => Promise<Outgoing>) {
		return {
			baseUrl: `http://${name}`,
			answer: async (request: Incoming) => {
				if (away.has(name)) throw new Error(`${name} is away`);
				return answer(request);
			},
		};
	}
}
