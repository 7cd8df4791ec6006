import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { jsonLog } from "@tripline/platform/log";
import { responseToOutgoing } from "@tripline/web/http-message";
import type { Miniflare } from "miniflare";
import { startService } from "../../apps/node/src/service.ts";
import { parseSettings } from "../../apps/node/src/settings.ts";
import { splitMigrationFile, startWorker } from "../workerd.ts";
import { Outside } from "./outside.ts";

export type Environment = Readonly<Record<string, string>>;

/** A running service, however it is hosted. */
export interface Target {
	readonly publicUrl: string;
	readonly storeUrl: string;
	/** The hosts that the service's workflows call. */
	readonly outside: Outside;
	/** The executor's key-value store, as another program sees it. */
	readonly kv: KeyValues;
	/** The key-value store of the registry's statistics. */
	readonly statistics: KeyValues;
	/** The key-value store of authorization codes and access tokens. */
	readonly oauth: KeyValues;
	/** True on Workers, where a request cannot wait for the work of another one. */
	readonly isolatesRequests: boolean;
	/** Makes the store unreachable for the other services, makes it reject them all, or restores it. */
	setStoreAway(isAway: boolean | "refusing"): Promise<void>;
	/** The parsed log lines since the last call. */
	lines(): Promise<readonly { readonly level: string; readonly message: string }[]>;
	/** Stops the service's clock at a time in milliseconds; null lets it run again. */
	setNow(time: number | null): Promise<void>;
	/** Runs what the platform's timer runs. */
	tick(): Promise<void>;
	/** Stops the service and starts it on the same data with other settings. */
	restart(environment: Environment): Promise<void>;
	close(): Promise<void>;
}

export interface KeyValues {
	get(key: string): Promise<string | null>;
	put(key: string, value: string): Promise<void>;
	keys(): Promise<readonly string[]>;
}

export interface Platform {
	readonly name: string;
	start(environment: Environment): Promise<Target>;
}

const createRefusal = () => Response.json({ error: "no" }, { status: 403 });

/** All services in one process on SQLite, with real listeners. */
export const node: Platform = {
	name: "Node + SQLite",
	start: (environment) =>
		startOnNode(environment, (folder) => ({
			openKeyValues: (namespace) => sqliteKeyValues(join(folder, "kv.db"), namespace),
		})),
};

export interface NodeDatabases {
	/** Omitted: SQLite files in the data folder. */
	readonly settings?: Environment;
	openKeyValues(namespace: string): KeyValues;
	close?(): Promise<void>;
}

export async function startOnNode(
	environment: Environment,
	open: (dataFolder: string) => NodeDatabases,
): Promise<Target> {
	const folder = mkdtempSync(join(tmpdir(), "tripline-conformance-"));
	const databases = open(folder);
	const clock = settableClock();
	const lines: string[] = [];
	let isStoreAway: boolean | "refusing" = false;
	const outside = new Outside();
	const startOn = (settings: Environment) =>
		startService({
			settings: parseSettings({
				PORT: "0",
				STORE_PORT: "0",
				DATA_DIR: folder,
				...databases.settings,
				...settings,
			}),
			clock,
			log: jsonLog({ level: "info", clock, write: (line) => lines.push(line) }),
			version: "0.0.0-test",
			reachStore: (answer) => async (request) => {
				if (isStoreAway === true) throw new Error("the store is away");
				return isStoreAway === false ? answer(request) : responseToOutgoing(createRefusal());
			},
			reachOutside: (http) => outside.around(http),
		});
	let service = await startOn(environment);
	return {
		get publicUrl() {
			return service.publicUrl;
		},
		outside,
		kv: databases.openKeyValues("workflows"),
		statistics: databases.openKeyValues("registry stats"),
		oauth: databases.openKeyValues("oauth"),
		isolatesRequests: false,
		async setStoreAway(isAway) {
			isStoreAway = isAway;
		},
		async lines() {
			return lines.splice(0).map((line) => JSON.parse(line));
		},
		get storeUrl() {
			return service.storeUrl;
		},
		async setNow(time) {
			clock.set(time);
		},
		tick: () => service.tick(),
		async restart(settings) {
			await service.close();
			service = await startOn(settings);
		},
		async close() {
			await service.close();
			await databases.close?.();
			rmSync(folder, { recursive: true });
		},
	};
}

/** The same services in real workerd on D1 and KV, with the schema from the migration files. */
export const workerd: Platform = {
	name: "workerd + D1 + KV",
	async start(environment) {
		const runtime = idleRuntimes.pop() ?? (await startRuntime());
		const { url, outside } = runtime;
		outside.current = new Outside();
		const control = async (path: string, body?: object): Promise<string> => {
			const response = await fetch(`${url}/test-control/${path}`, {
				method: "POST",
				...(body === undefined ? {} : { body: JSON.stringify(body) }),
			});
			const text = await response.text();
			if (!response.ok) throw new Error(`${path}: ${text}`);
			return text;
		};
		const restart = async (settings: Environment) =>
			void (await control("restart", { MULTI_TENANT: "false", ...settings }));
		const namespace = (name: string): KeyValues => {
			const access = async (options: object) => JSON.parse(await control("kv", { name, ...options }));
			return {
				get: (key) => access({ key }),
				put: (key, value) => access({ key, value }),
				keys: () => access({}),
			};
		};
		await control(`open/${runtime.usedDataSets++}`, {
			STORE_DB: readMigrations("store"),
			EXECUTOR_DB: readMigrations("executor"),
		});
		await restart(environment);
		return {
			publicUrl: url,
			// The worker distinguishes its services by host name.
			storeUrl: url.replace("127.0.0.1", "localhost"),
			outside: outside.current,
			kv: namespace("WORKFLOWS_KV"),
			statistics: namespace("STATS_KV"),
			oauth: namespace("OAUTH_KV"),
			isolatesRequests: true,
			setStoreAway: async (isAway) => void (await control(`away/${isAway}`)),
			lines: async () => (JSON.parse(await control("lines")) as string[]).map((line) => JSON.parse(line)),
			setNow: async (time) => void (await control(`now/${time ?? ""}`)),
			tick: async () => void (await control("tick")),
			restart,
			async close() {
				if (runtime.usedDataSets < DATA_SETS) idleRuntimes.push(runtime);
			},
		};
	},
};

interface Runtime {
	readonly url: string;
	/** The hosts of the service that is running. */
	readonly outside: { current: Outside };
	usedDataSets: number;
}

/** Starting workerd is slow, so a runtime is reused for the next service, on a data set that is still empty. */
const idleRuntimes: Runtime[] = [];
const DATA_SETS = 32;

async function startRuntime(): Promise<Runtime> {
	const outside = { current: new Outside() };
	const numberAll = (...names: string[]) =>
		names.flatMap((name) => Array.from({ length: DATA_SETS }, (_, number) => `${name}_${number}`));
	const { miniflare, url } = await startWorker({
		entry: fileURLToPath(new URL("service.worker.ts", import.meta.url)),
		bindings: { MASTER_KEY: randomBytes(32).toString("base64") },
		d1: numberAll("STORE_DB", "EXECUTOR_DB"),
		kv: numberAll("WORKFLOWS_KV", "COMPONENTS_KV", "SUBMISSIONS_KV", "STATS_KV", "OAUTH_KV"),
		r2: numberAll("FILES"),
		answers: { OUTSIDE: (request) => outside.current.fetch(request) },
	});
	runtimes.push(miniflare);
	return { url, outside, usedDataSets: 0 };
}

const runtimes: Miniflare[] = [];
after(() => Promise.all(runtimes.map((runtime) => runtime.dispose())));

function readMigrations(service: "store" | "executor"): readonly string[] {
	const folder = fileURLToPath(new URL(`../../services/${service}/migrations/`, import.meta.url));
	return readdirSync(folder)
		.sort()
		.flatMap((file) => splitMigrationFile(readFileSync(join(folder, file), "utf8")));
}

/** Both platforms, unless TEST_PLATFORM selects one. */
export const platforms: readonly Platform[] = Object.entries({ node, workerd })
	.filter(([name]) => (process.env.TEST_PLATFORM ?? name) === name)
	.map(([, platform]) => platform);

function sqliteKeyValues(path: string, namespace: string): KeyValues {
	const withDatabase = <T>(use: (database: DatabaseSync) => T): T => {
		const database = new DatabaseSync(path, { timeout: 1000 });
		try {
			return use(database);
		} finally {
			database.close();
		}
	};
	return {
		get: async (key) =>
			withDatabase((database) => {
				const row = database
					.prepare("select value from kv where namespace = ? and key = ?")
					.get(namespace, key);
				return (row?.value as string | undefined) ?? null;
			}),
		put: async (key, value) =>
			withDatabase((database) => {
				database
					.prepare("insert or replace into kv (namespace, key, value) values (?, ?, ?)")
					.run(namespace, key, value);
			}),
		keys: async () =>
			withDatabase((database) =>
				database
					.prepare("select key from kv where namespace = ? order by key")
					.all(namespace)
					.map((row) => row.key as string),
			),
	};
}

function settableClock() {
	let fixed: number | null = null;
	return {
		now: () => fixed ?? Date.now(),
		set(time: number | null) {
			fixed = time;
		},
	};
}
