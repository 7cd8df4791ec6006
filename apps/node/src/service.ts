import { SYSTEM_OWNER } from "@tripline/contract/names";
import { tracingSettings } from "@tripline/contract/tracing-settings";
import { createExecutor } from "@tripline/executor/app";
import { executorClient } from "@tripline/executor/client";
import {
	NAMED_RUN_PATH,
	TOKEN_TRIGGER_PATH,
	TRIGGER_PATH,
} from "@tripline/executor/http/trigger-description";
import { executorSettings } from "@tripline/executor/settings";
import { storedEntries } from "@tripline/executor/vault/stored-entries";
import { createMcp } from "@tripline/mcp/app";
import type { ConsoleFiles } from "@tripline/mcp/http/console-files";
import { mcpSettings } from "@tripline/mcp/settings";
import { nodeBackground } from "@tripline/platform/background.node";
import { nodeCipher } from "@tripline/platform/cipher.node";
import { type Clock, type FollowingClock, unixSeconds } from "@tripline/platform/clock";
import { nodeDatabases } from "@tripline/platform/databases.node";
import { nodeDescriptions } from "@tripline/platform/descriptions.node";
import { executorMigrations } from "@tripline/platform/executor-database";
import type { OutboundHttp } from "@tripline/platform/http";
import { nodeHttp } from "@tripline/platform/http.node";
import { sqlJournal } from "@tripline/platform/journal.sql";
import { limitedJournal } from "@tripline/platform/journal-limit.sql";
import { sqlKeptRuns } from "@tripline/platform/kept.sql";
import { kvMigrations, sqliteKv, sweepExpired } from "@tripline/platform/kv.sqlite";
import { type Log, toErrorFields } from "@tripline/platform/log";
import { nodeMail } from "@tripline/platform/mail.node";
import { nodeMailboxes } from "@tripline/platform/mailboxes.node";
import { measureHttp, measureJournal, measureSandbox, measureSql } from "@tripline/platform/measured";
import { createMetrics, type Metrics } from "@tripline/platform/metrics";
import { isMigrated } from "@tripline/platform/migrations";
import { nodePdf } from "@tripline/platform/pdf.node";
import { signalPeers } from "@tripline/platform/peers";
import { nodeSandbox } from "@tripline/platform/sandbox.node";
import type { Sql } from "@tripline/platform/sql";
import { tracedLog, tracedSql } from "@tripline/platform/traced";
import type { Tracing } from "@tripline/platform/tracing";
import { nodeTurns } from "@tripline/platform/turns.node";
import { createRegistry } from "@tripline/registry/app";
import { registryClient } from "@tripline/registry/client";
import { registrySettings } from "@tripline/registry/settings";
import { createStore } from "@tripline/store/app";
import { storeClient } from "@tripline/store/client";
import { embedSettings, storeSettings } from "@tripline/store/settings";
import { storeMigrations } from "@tripline/store/storage/migrations";
import { createMetricsApp } from "@tripline/web/metrics-app";
import { mount } from "@tripline/web/mount";
import { requestCounter } from "@tripline/web/request-metrics";
import { lockDataFolder } from "./data-lock.ts";
import { type DatabaseName, openDatabase, prepareDataFolder, recordVersion } from "./databases.ts";
import { deploymentFacts } from "./deployment-facts.ts";
import type { ReadDisk } from "./diagnosis/disk.ts";
import { createEmbedder } from "./embedder.ts";
import { openFolders } from "./folders.ts";
import { guardBrowsers } from "./guard.ts";
import { listen } from "./listen.ts";
import { masterKeyPath } from "./master-key.ts";
import { refuseMovedDatabase, refuseMovedFolder } from "./move-marks.ts";
import type { Answer } from "./node-message.ts";
import { openBlobs } from "./open-blobs.ts";
import { followMasterKeys, openVault, readMasterKeys } from "./open-vault.ts";
import { openOwnerSecret, ownerSecretPath } from "./owner-secret.ts";
import { readProcess, readSizes } from "./process-metrics.ts";
import { collectMetrics, type Siblings } from "./relay-metrics.ts";
import { joinDeployment } from "./replica.ts";
import { readSeedsFingerprint } from "./seeds-fingerprint.ts";
import { isLoopback, type Settings } from "./settings.ts";

const REGISTRY_PATH = "/registry";
/** Browser clients call these from other origins; the MCP server checks the origin itself. */
const OWN_ORIGIN_CHECK = /^\/(?:mcp|register|token|revoke)$/;

export interface Service {
	readonly publicUrl: string;
	readonly storeUrl: string;
	readonly dataFolder: string;
	/** The file with the owner secret. Null if a setting provides or disables it. */
	readonly ownerSecretFile: string | null;
	readonly metrics: Metrics;
	/** To be called every minute. */
	tick(): Promise<void>;
	/** Finishes requests and runs, flushes background work, closes the databases. */
	close(): Promise<void>;
}

/** Starts the whole service in one process, with a public listener and one for the store. */
export async function startService(deps: {
	settings: Settings;
	/** One that can follow another is set to that of the database, if several processes share it. */
	clock: Clock & Partial<FollowingClock>;
	log: Log;
	version: string;
	/** The web console. Omitted: none is served. */
	console?: ConsoleFiles;
	/** Wraps the executor's access to the store, so that a test can make the store unreachable. */
	reachStore?: (answer: Answer) => Answer;
	/** Wraps outbound calls, so that a test can serve hosts itself. */
	reachOutside?: (http: OutboundHttp) => OutboundHttp;
	/** Instead of the real disk, for tests. */
	readDisk?: ReadDisk;
	/** False only where a benchmark measures what answering together saves. */
	answersTogether?: boolean;
	/** The other processes of the same supervisor. Omitted: there are none. */
	siblings?: Siblings | undefined;
}): Promise<Service> {
	const { settings, clock, version } = deps;
	const dataFolder = prepareDataFolder(settings.DATA_DIR);
	// Resources are closed in reverse order, also if a later one cannot be opened.
	await using opening = new AsyncDisposableStack();
	const tracing = await openTracing(opening, deps);
	const log = tracing === null ? deps.log : tracedLog(deps.log, tracing);
	if (settings.DATABASE_URL === undefined) {
		opening.adopt(lockDataFolder(dataFolder), (lock) => lock.release());
		refuseMovedFolder(dataFolder);
	}
	const metrics = createMetrics({ namesNamespaces: settings.METRICS_NAMESPACES });
	readProcess(metrics, { version });
	const open = async (name: DatabaseName): Promise<Sql> =>
		tracedSql(
			measureSql(opening.use(await openDatabase(name, settings, dataFolder, log)), metrics, name),
			tracing,
			name,
		);
	const sql = await open("store");
	await refuseMovedDatabase(
		sql,
		settings.DATABASE_URL === undefined ? dataFolder : "the database of DATABASE_URL",
	);
	const kvSql = await open("kv");
	const executorSql = await open("executor");
	recordVersion(dataFolder, version);
	readSizes(metrics, { store: sql, kv: kvSql, executor: executorSql });
	const background = nodeBackground((work, error) =>
		log("error", "background work failed", { work, ...toErrorFields(error) }),
	);
	opening.defer(() => background.flush());
	const onError = (error: unknown) => log("error", "no answer could be made", toErrorFields(error));
	const sandbox = opening.adopt(measureSandbox(nodeSandbox(), metrics), (threads) => threads.close());
	const pdf = opening.adopt(nodePdf(), (threads) => threads.close());
	const descriptions = opening.adopt(nodeDescriptions(), (threads) => threads.close());
	const store = opening.adopt(
		createStore({
			sql,
			clock,
			log,
			version,
			settings: storeSettings(settings),
			background,
			embedder: createEmbedder(embedSettings(settings)),
			hasUncheckedSchedules: true,
			notify: (events) => executor.raise(events),
			metrics,
			tracing,
		}),
		(opened) => opened.stop(),
	);
	const buildTraceHeaders = tracing === null ? undefined : () => tracing.buildInternalHeaders();
	// A remote store, or the store in this process without a network.
	const ownStore = deps.reachStore?.(store.answer) ?? store.answer;
	const transport = {
		...(settings.STORE_BASE_URL === undefined
			? { answer: ownStore, baseUrl: "http://store" }
			: {
					fetch: (request: Request, init?: { readonly signal: AbortSignal }) => fetch(request, init),
					baseUrl: settings.STORE_BASE_URL,
					buildTraceHeaders,
				}),
		token: settings.STORE_INTERNAL_TOKEN,
	};
	const storeAccess = storeClient(transport);
	const replica = await joinDeployment({ settings, processes: storeAccess.processes, clock, log });
	if (replica !== null) opening.defer(() => replica.leave());
	const vaultStorage = storedEntries(transport);
	const masterKeys = await readMasterKeys(settings);
	const vault = await openVault({
		...{ file: masterKeyPath(settings, dataFolder), masterKeys, storage: vaultStorage, background, clock },
	});
	const openListener = async (listener: Parameters<typeof listen>[0]) =>
		opening.adopt(await listen(listener), (opened) => opened.close());
	const collect = () => collectMetrics(metrics, deps.siblings);
	deps.siblings?.answer(() => metrics.collect("own"));
	const countRequest = requestCounter(metrics, "operations");
	const createScraped = (tokens: readonly (string | undefined)[]) =>
		createMetricsApp({
			...{ collect, clock, log, version, countRequest },
			tokens: tokens.filter((token) => token !== undefined),
		});
	const storeApps = mount(
		store,
		[{ app: createScraped([settings.METRICS_TOKEN, settings.STORE_INTERNAL_TOKEN]) }],
		{ clock, log, countRequest },
	);
	const storeListener = await openListener({
		answer: guardBrowsers(storeApps.answer, {
			host: settings.STORE_HOST,
			// A public store requires a token, and other machines reach it by its IP address.
			anyAddress: !isLoopback(settings.STORE_HOST),
			clock,
			log,
		}),
		host: settings.STORE_HOST,
		port: settings.STORE_PORT,
		portSetting: "STORE_PORT",
		onError,
	});
	const guard = {
		allow: settings.ALLOW_PRIVATE_HOSTS,
		refuse: [storeListener.url, settings.STORE_BASE_URL ?? []].flat().map(toHostAndPort),
	};
	const guarded = nodeHttp(guard);
	const databases = opening.adopt(nodeDatabases(guard), (opened) => opened.close());
	const mail = opening.adopt(nodeMail(guard), (opened) => opened.close());
	const mailboxes = opening.adopt(nodeMailboxes(guard), (opened) => opened.close());
	const http = opening.adopt(
		measureHttp(deps.reachOutside?.(guarded) ?? guarded, metrics, settings.ALLOW_PRIVATE_HOSTS),
		(client) => client.close(),
	);
	const namespace = (name: string) => sqliteKv({ sql: kvSql, clock, namespace: name });
	const peers =
		replica === null
			? undefined
			: signalPeers({
					...replica,
					kv: namespace("answers between processes"),
					sealer: () => vault.runSealer(SYSTEM_OWNER),
					background,
					count: replica.countOthers,
				});
	const registry = opening.adopt(
		createRegistry({
			components: namespace("registry components"),
			submissions: namespace("registry submissions"),
			stats: namespace("registry stats"),
			sandbox,
			market: async () => (await import("@tripline/registry/market/market")).market,
			clock,
			log,
			version,
			background,
			settings: registrySettings(settings),
			inTurn: replica?.inTurn,
			metrics,
			tracing,
			ready: async () => isMigrated(kvSql, kvMigrations),
		}),
		(opened) => opened.close(),
	);
	const registryAccess = registryClient(
		settings.REGISTRY_BASE_URL === undefined
			? { answer: registry.answer, baseUrl: "http://registry" }
			: {
					fetch: (request, init) => fetch(request, init),
					baseUrl: settings.REGISTRY_BASE_URL,
					buildTraceHeaders,
				},
	);
	const ready = async () =>
		(await isMigrated(sql, storeMigrations)) && (await isMigrated(kvSql, kvMigrations));
	// In self-hosted mode one owner has all namespaces, so they need no protection from each other.
	const isShared = settings.MULTI_TENANT;
	const bind = tracing?.bind;
	const turns = nodeTurns({ isShared, bind });
	const executorOptions = executorSettings(settings);
	const files = openBlobs(settings, dataFolder);
	const executor = opening.adopt(
		createExecutor({
			store: storeAccess,
			kv: namespace("workflows"),
			blobs: files.blobs,
			steps: {
				journal: measureJournal(
					limitedJournal(sqlJournal(executorSql), {
						...{ sql: executorSql, clock, dailyRows: executorOptions.durableDailyRows },
					}),
					metrics,
				),
				createCipher: nodeCipher,
			},
			keptRuns: sqlKeptRuns({ sql: executorSql, clock }),
			folders: openFolders(settings.ALLOW_FOLDERS, [
				{ path: dataFolder, setting: "DATA_DIR" },
				{ path: masterKeyPath(settings, dataFolder), setting: "MASTER_KEY_FILE" },
				...files.own,
			]),
			databases,
			mail,
			mailboxes,
			vault,
			http,
			sandbox,
			pdf,
			descriptions,
			registry: registryAccess,
			clock,
			log,
			version,
			background,
			settings: executorOptions,
			startedAt: unixSeconds(clock),
			deployment: deploymentFacts({
				databases: [sql, kvSql, executorSql],
				dataFolder,
				readDisk: deps.readDisk,
			}),
			holder: replica?.holder,
			signals: replica?.signals,
			peers,
			metrics,
			getOwnUrl: () => publicListener.url,
			turns,
			tracing,
			async ready() {
				await vault.checkKey();
				return (await ready()) && isMigrated(executorSql, executorMigrations);
			},
		}),
		(opened) => opened.close(),
	);
	const mcp = opening.adopt(
		createMcp({
			store: storeAccess,
			executor: executorClient(
				settings.EXECUTOR_BASE_URL === undefined
					? { answer: executor.answer, baseUrl: "http://executor" }
					: {
							fetch: (request, init) => fetch(request, init),
							baseUrl: settings.EXECUTOR_BASE_URL,
							buildTraceHeaders,
							token: settings.STORE_INTERNAL_TOKEN ?? settings.SERVICE_ACCESS_TOKEN,
						},
			),
			registry: registryAccess,
			sdk: () => import("@tripline/mcp/protocol/sdk"),
			surface: async () => (await import("@tripline/mcp/surface")).surface,
			oauthKv: settings.OAUTH_KV === "on" ? namespace("oauth") : null,
			http,
			clock,
			log,
			version,
			background,
			settings: mcpSettings({
				...settings,
				// The executor and the MCP server share one address here.
				MCP_URL: settings.MCP_URL ?? toRootUrl(settings.BASE_URL),
				MCP_OWNER_SECRET: settings.MCP_OWNER_SECRET ?? openOwnerSecret(dataFolder),
			}),
			ready,
			console: deps.console,
			signals: replica?.signals,
			peers,
			metrics,
			sharesAddress: settings.EXECUTOR_BASE_URL === undefined,
			tracing,
		}),
		(opened) => opened.close(),
	);
	const apps = mount(
		executor,
		[
			{ app: registry, under: REGISTRY_PATH },
			{ app: mcp },
			// Without a token of its own it is on the store's listener only.
			...(settings.METRICS_TOKEN === undefined ? [] : [{ app: createScraped([settings.METRICS_TOKEN]) }]),
		],
		{ clock, log, countRequest, tracing },
	);
	const publicListener = await openListener({
		answer: guardBrowsers(apps.answer, {
			host: settings.HOST,
			urls: [settings.BASE_URL, settings.MCP_URL, settings.PAGES_ORIGIN],
			allowsOrigin: executor.allowsOrigin,
			...(settings.BASE_URL === undefined
				? // Otherwise any web page that the owner visits could run a workflow by guessing its name.
					{ anyOrigin: [TOKEN_TRIGGER_PATH, OWN_ORIGIN_CHECK], sameOriginOnly: NAMED_RUN_PATH }
				: { anyOrigin: [TRIGGER_PATH, OWN_ORIGIN_CHECK] }),
			clock,
			log,
		}),
		host: settings.HOST,
		port: settings.PORT,
		portSetting: "PORT",
		trustProxy: settings.TRUST_PROXY,
		// Separate from the namespaces' turns, because the sender is not authenticated yet.
		turns: nodeTurns({ isShared, bind }),
		answersTogether: deps.answersTogether,
		onError,
	});
	background.run("seed", () => executor.seed(readSeedsFingerprint));
	const recovery = recover();
	background.run("recovery", () => recovery);
	const { tick: startDue } = executor;
	const tick = () => {
		// Recovery and the tick both restart accepted runs; concurrently they could start one twice.
		const work = recovery
			.catch(() => {})
			.then(startDue)
			.then(() => store.tick())
			.then(() => sweepExpired(kvSql, clock))
			.then(() => executor.sweepFiles())
			.then(() => executor.sweepKept())
			.then(async () => {
				if (masterKeys !== null) await followMasterKeys({ masterKeys, storage: vaultStorage, clock, log });
			});
		// As background work, so that a failure is logged and a stop waits for it.
		background.run("tick", () => work);
		return work;
	};
	async function recover(): Promise<void> {
		if (replica !== null) await replica.watch(executor.takeOver);
		// No other process uses this store, so every unfinished run in it was interrupted.
		else if (settings.STORE_BASE_URL === undefined) await executor.recover();
	}

	const opened = opening.move();
	return {
		publicUrl: publicListener.url,
		storeUrl: storeListener.url,
		dataFolder,
		ownerSecretFile: settings.MCP_OWNER_SECRET === undefined ? ownerSecretPath(dataFolder) : null,
		metrics,
		tick,
		close: () => opened.disposeAsync(),
	};
}

/** Null if tracing is off. It is loaded only where it is on. Its spans are sent last, after all others have ended theirs. */
async function openTracing(
	opening: AsyncDisposableStack,
	{ settings, clock, log, version }: { settings: Settings; clock: Clock; log: Log; version: string },
): Promise<Tracing | null> {
	const wanted = tracingSettings(settings);
	if (wanted === null) return null;
	const { nodeTracing } = await import("@tripline/platform/tracing.node");
	const { tracing, close } = nodeTracing(wanted, { clock, log, version });
	opening.defer(close);
	return tracing;
}

/** The address if it is a bare origin, without a path. */
function toRootUrl(address: string | undefined): string | undefined {
	return address !== undefined && new URL(address).pathname === "/" ? address : undefined;
}

function toHostAndPort(address: string): string {
	const { protocol, hostname, port } = new URL(address);
	return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}
