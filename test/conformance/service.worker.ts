import { readSettings } from "@tripline/contract/settings";
import { tracingSettings } from "@tripline/contract/tracing-settings";
import { createExecutor, type Executor } from "@tripline/executor/app";
import { executorClient } from "@tripline/executor/client";
import { executorEnvironment, executorSettings, WORKERS_DEFAULTS } from "@tripline/executor/settings";
import { storedEntries } from "@tripline/executor/vault/stored-entries";
import { createVault } from "@tripline/executor/vault/vault";
import { createMcp } from "@tripline/mcp/app";
import * as sdk from "@tripline/mcp/protocol/sdk";
import { mcpEnvironment, mcpSettings } from "@tripline/mcp/settings";
import { surface } from "@tripline/mcp/surface";
import { workersBackground } from "@tripline/platform/background.workers";
import { type Bucket, bucketBlobs } from "@tripline/platform/blobs.bucket";
import { workersCipher } from "@tripline/platform/cipher.workers";
import { workersDescriptions } from "@tripline/platform/descriptions.workers";
import { httpEmbedder } from "@tripline/platform/embed.http";
import { workersHttp } from "@tripline/platform/http.workers";
import { sqlJournal } from "@tripline/platform/journal.sql";
import { limitedJournal } from "@tripline/platform/journal-limit.sql";
import { sqlKeptRuns } from "@tripline/platform/kept.sql";
import { type KvNamespace, workersKv } from "@tripline/platform/kv.workers";
import { jsonLog } from "@tripline/platform/log";
import { secretMasterKeys } from "@tripline/platform/master-key.secrets";
import { workersPdf } from "@tripline/platform/pdf.workers";
import { workersSandbox } from "@tripline/platform/sandbox.workers";
import { type D1, d1Sql } from "@tripline/platform/sql.d1";
import { tracedLog, tracedSql } from "@tripline/platform/traced";
import { workersTracing } from "@tripline/platform/tracing.workers";
import { createRegistry } from "@tripline/registry/app";
import { registryClient } from "@tripline/registry/client";
import { market } from "@tripline/registry/market/market";
import { registryEnvironment, registrySettings } from "@tripline/registry/settings";
import quickjs from "@tripline/sandbox/quickjs.wasm";
import { createStore, type Store } from "@tripline/store/app";
import { storeClient } from "@tripline/store/client";
import { embedSettings, storeEnvironment, storeSettings } from "@tripline/store/settings";
import { readWorkersAddress, toFetch } from "@tripline/web/app";
import { mount } from "@tripline/web/mount";

/** Also has the databases and namespaces of all data sets, whose names end with a number, such as STORE_DB_0. */
interface Env extends Readonly<Record<string, unknown>> {
	readonly MASTER_KEY: string;
	/** The hosts that scenarios serve. */
	readonly OUTSIDE: { fetch(url: string, init: RequestInit): Promise<Response> };
}

interface Data {
	readonly STORE_DB: D1;
	readonly EXECUTOR_DB: D1;
	readonly WORKFLOWS_KV: PlainKv;
	readonly COMPONENTS_KV: PlainKv;
	readonly SUBMISSIONS_KV: PlainKv;
	readonly STATS_KV: PlainKv;
	readonly OAUTH_KV: PlainKv;
	readonly FILES: Bucket;
}

interface PlainKv extends KvNamespace {
	get(key: string): Promise<string | null>;
}

interface KvAccess {
	readonly name: Exclude<keyof Data, "STORE_DB" | "EXECUTOR_DB" | "FILES">;
	readonly key?: string;
	readonly value?: string;
}

interface Services {
	readonly store: Store;
	readonly executor: Executor;
	atPublicAddress(request: Request): Promise<Response>;
}

let fixedNow: number | null = null;
const clock = { now: () => fixedNow ?? Date.now() };
let services: Services | undefined;
let storeAddress: string | undefined;
let isStoreAway: boolean | "refusing" = false;
let lines: string[] = [];
let data: Data | undefined;

const THIS_MACHINE: ReadonlySet<string> = new Set(["127.0.0.1", "localhost"]);

/**
 * The services as their workers compose them, but in one worker, with a clock and a store that the tests control. They
 * answer once a data set is opened. The store has another host name at the same address.
 * @public
 */
export default {
	async fetch(request: Request, env: Env): Promise<Response> {
		const { hostname, pathname, port } = new URL(request.url);
		storeAddress ??= `localhost:${port}`;
		const [, control, action, value] = pathname.split("/");
		if (control !== "test-control") {
			const { store, atPublicAddress } = getServices();
			const answer = hostname === "localhost" ? store.fetch(request) : atPublicAddress(request);
			await answer.then(() => takeRest(request));
			return answer;
		}
		if (action === "open") {
			data = pickData(env, value ?? "");
			fixedNow = null;
			isStoreAway = false;
			lines = [];
			const migrations = (await request.json()) as Readonly<Record<"STORE_DB" | "EXECUTOR_DB", string[]>>;
			for (const name of ["STORE_DB", "EXECUTOR_DB"] as const) {
				const database = data[name];
				await database.batch(migrations[name].map((text) => database.prepare(text)));
			}
		}
		if (action === "restart") {
			services = createServices({ ...env, ...getData() }, (await request.json()) as object);
		}
		if (action === "now") fixedNow = value ? Number(value) : null;
		if (action === "tick") {
			await getServices().executor.tick();
			await getServices().store.tick();
			await getServices().executor.sweepFiles();
			await getServices().executor.sweepKept();
		}
		if (action === "away") isStoreAway = value === "refusing" ? value : value === "true";
		if (action === "lines") return Response.json(lines.splice(0));
		if (action === "kv") return Response.json(await accessKv((await request.json()) as KvAccess));
		return new Response("ok");
	},
};

function getServices(): Services {
	if (services === undefined) throw new Error("the services have not been started");
	return services;
}

function getData(): Data {
	if (data === undefined) throw new Error("no data set is open");
	return data;
}

const pickData = (env: Env, number: string): Data => ({
	STORE_DB: env[`STORE_DB_${number}`] as D1,
	EXECUTOR_DB: env[`EXECUTOR_DB_${number}`] as D1,
	WORKFLOWS_KV: env[`WORKFLOWS_KV_${number}`] as PlainKv,
	COMPONENTS_KV: env[`COMPONENTS_KV_${number}`] as PlainKv,
	SUBMISSIONS_KV: env[`SUBMISSIONS_KV_${number}`] as PlainKv,
	STATS_KV: env[`STATS_KV_${number}`] as PlainKv,
	OAUTH_KV: env[`OAUTH_KV_${number}`] as PlainKv,
	FILES: env[`FILES_${number}`] as Bucket,
});

/** Without a key it lists all keys; with a value it first writes it. */
async function accessKv({ name, key, value }: KvAccess): Promise<unknown> {
	const namespace = getData()[name];
	if (key === undefined) {
		const { keys } = await namespace.list({ prefix: "", limit: 1000 });
		return keys.map((each) => each.name);
	}
	if (value !== undefined) await namespace.put(key, value);
	return namespace.get(key);
}

/** Reads the rest of the body as the provider's servers do; the runtime alone would disconnect the sender. */
async function takeRest({ body, bodyUsed, headers }: Request): Promise<void> {
	if (body === null || bodyUsed || body.locked || !headers.has("content-length")) return;
	await body.pipeTo(new WritableStream());
}

function createServices(env: Env & Data, settings: object): Services {
	// The work of services on an earlier data set may still end and log.
	const written = lines;
	const plainLog = jsonLog({
		level: "info",
		clock,
		write(line) {
			written.push(line);
			// biome-ignore lint/suspicious/noConsole: an unexpected error shows in the output of the tests.
			if (line.includes('"level":"error"') && !isStoreAway) console.error(line);
		},
	});
	const background = workersBackground((work, error) => plainLog("error", work, { error: String(error) }));
	const storeVariables = readSettings(storeEnvironment, settings);
	const tracing = workersTracing(tracingSettings(storeVariables), {
		...{ version: "0.0.0-test", clock, log: plainLog, background },
	});
	const log = tracing === null ? plainLog : tracedLog(plainLog, tracing);
	const embedding = embedSettings(storeVariables);
	const store = createStore({
		sql: tracedSql(d1Sql(env.STORE_DB), tracing, "store"),
		clock,
		log,
		version: "0.0.0-test",
		settings: storeSettings(storeVariables),
		background,
		embedder:
			embedding.kind === "http"
				? httpEmbedder({ ...embedding, fetch: (url, init) => fetch(url, init) })
				: null,
		embedRounds: 4,
		notify: (events) => executor.raise(events),
		tracing,
	});
	const transport = {
		fetch: async (request: Request) => {
			if (isStoreAway === true) throw new Error("the store is away");
			return isStoreAway === false ? store.fetch(request) : Response.json({ error: "no" }, { status: 403 });
		},
		baseUrl: "http://store",
		buildTraceHeaders: tracing === null ? undefined : () => tracing.buildInternalHeaders(),
		token: storeVariables.STORE_INTERNAL_TOKEN,
	};
	const sandbox = workersSandbox(quickjs);
	const registry = createRegistry({
		components: workersKv({ namespace: env.COMPONENTS_KV, clock }),
		submissions: workersKv({ namespace: env.SUBMISSIONS_KV, clock }),
		stats: workersKv({ namespace: env.STATS_KV, clock }),
		sandbox,
		market: async () => market,
		clock,
		log,
		version: "0.0.0-test",
		background,
		settings: registrySettings(readSettings(registryEnvironment, settings)),
		ready: async () => true,
		isolatesRequests: true,
		tracing,
	});
	const executorVariables = readSettings(executorEnvironment, settings);
	const http = workersHttp({
		allow: executorVariables.ALLOW_PRIVATE_HOSTS,
		refuse: storeAddress === undefined ? [] : [storeAddress],
		fetch: (url, init) =>
			THIS_MACHINE.has(new URL(url).hostname) ? fetch(url, init) : env.OUTSIDE.fetch(url, init),
	});
	const registryReached = registryClient({ answer: registry.answer, baseUrl: "http://registry" });
	const mcp = createMcp({
		store: storeClient(transport),
		executor: executorClient({ answer: (request) => executor.answer(request), baseUrl: "http://executor" }),
		registry: registryReached,
		sdk: async () => sdk,
		surface: async () => surface,
		// The binding always exists; the settings decide whether it is used, as on Node.
		oauthKv: isOff(settings) ? null : workersKv({ namespace: env.OAUTH_KV, clock }),
		http,
		clock,
		log,
		version: "0.0.0-test",
		background,
		settings: mcpSettings(readSettings(mcpEnvironment, settings)),
		ready: async () => true,
		sharesAddress: true,
		isolatesRequests: true,
		tracing,
	});
	const executorSql = tracedSql(d1Sql(env.EXECUTOR_DB), tracing, "executor");
	const ownSettings = executorSettings(executorVariables, WORKERS_DEFAULTS);
	const executor = createExecutor({
		store: storeClient(transport),
		kv: workersKv({ namespace: env.WORKFLOWS_KV, clock }),
		blobs: bucketBlobs(env.FILES),
		steps: {
			journal: limitedJournal(sqlJournal(executorSql), {
				...{ sql: executorSql, clock, dailyRows: ownSettings.durableDailyRows },
			}),
			createCipher: workersCipher,
		},
		keptRuns: sqlKeptRuns({ sql: executorSql, clock }),
		vault: createVault({
			masterKeys: secretMasterKeys(env),
			storage: storedEntries(transport),
			background,
			clock,
		}),
		http,
		sandbox,
		pdf: workersPdf(),
		descriptions: workersDescriptions(),
		registry: registryReached,
		clock,
		log,
		version: "0.0.0-test",
		background,
		settings: ownSettings,
		ready: async () => true,
		isolatesRequests: true,
		tracing,
	});
	// Executor, registry and MCP server share one address, as in the Node process.
	const together = mount(executor, [{ app: registry, under: "/registry" }, { app: mcp }], {
		...{ clock, log, tracing },
	});
	return { store, executor, atPublicAddress: toFetch(together.answer, readWorkersAddress) };
}

const isOff = (settings: object): boolean => (settings as { OAUTH_KV?: unknown }).OAUTH_KV === "off";
