import { WorkerEntrypoint, waitUntil } from "cloudflare:workers";
import type { StoreEvent } from "@tripline/contract/events";
import { Failed } from "@tripline/contract/failures";
import { randomToken } from "@tripline/contract/ids";
import { tracingSettings } from "@tripline/contract/tracing-settings";
import { workersBackground } from "@tripline/platform/background.workers";
import { type Bucket, bucketBlobs } from "@tripline/platform/blobs.bucket";
import { workersCipher } from "@tripline/platform/cipher.workers";
import { systemClock } from "@tripline/platform/clock";
import { workersDescriptions } from "@tripline/platform/descriptions.workers";
import { workersHttp } from "@tripline/platform/http.workers";
import { sqlJournal } from "@tripline/platform/journal.sql";
import { limitedJournal } from "@tripline/platform/journal-limit.sql";
import { sqlKeptRuns } from "@tripline/platform/kept.sql";
import { type KvNamespace, workersKv } from "@tripline/platform/kv.workers";
import { toErrorFields } from "@tripline/platform/log";
import { workersLog } from "@tripline/platform/log.workers";
import type { MasterKeys } from "@tripline/platform/master-key";
import { secretMasterKeys } from "@tripline/platform/master-key.secrets";
import { workersPdf } from "@tripline/platform/pdf.workers";
import { workersSandbox } from "@tripline/platform/sandbox.workers";
import { type D1, d1Sql } from "@tripline/platform/sql.d1";
import { tracedLog, tracedSql } from "@tripline/platform/traced";
import type { Tracing } from "@tripline/platform/tracing";
import { workersTracing } from "@tripline/platform/tracing.workers";
import { registryClient } from "@tripline/registry/client";
import quickjs from "@tripline/sandbox/quickjs.wasm";
import { storeClient } from "@tripline/store/client";
import { isolateService } from "@tripline/web/service.workers";
import type * as z from "zod";
import manifest from "../package.json" with { type: "json" };
import { createExecutor, type Executor } from "./app.ts";
import type { DueRun } from "./runs/due-run.ts";
import type { StartedDue } from "./runs/schedule.ts";
import { executorEnvironment, executorSettings, WORKERS_DEFAULTS } from "./settings.ts";
import { vaultOperations } from "./vault/operations.ts";
import { storedEntries } from "./vault/stored-entries.ts";
import { createVault } from "./vault/vault.ts";

interface Env {
	/** The store's worker. */
	readonly STORE: { fetch(request: Request, init?: { readonly signal: AbortSignal }): Promise<Response> };
	/** The registry's worker. */
	readonly REGISTRY: { fetch(request: Request, init?: { readonly signal: AbortSignal }): Promise<Response> };
	/** Token webhooks and legacy workflows. */
	readonly WORKFLOWS_KV: KvNamespace;
	/** The bytes of files. Without it files cannot be used. */
	readonly FILES?: Bucket;
	/** The executor's own database. Without it a run that is interrupted starts again, and no data of runs is kept. */
	readonly EXECUTOR_DB?: D1;
	/** The vault's key: 32 bytes in base64. */
	readonly MASTER_KEY?: string;
	readonly MASTER_KEY_NEXT?: string;
	/** This worker's own `Runs`: each call is a new invocation with its own limits. */
	readonly RUNS: Pick<
		Runs,
		"runDue" | "runDuePart" | "raise" | "followMasterKeys" | "sweepFiles" | "sweepKept"
	>;
}

/**
 * The free plan allows 50 subrequests per invocation and 32 invocations per request through bindings. We assume that
 * the 32 limit the calls of one invocation and the depth of such calls, not the whole tree. If that is wrong, the refused
 * runs have not been claimed and stay due. The tick needs further calls for the due runs and the master keys.
 */
const CALLS_PER_INVOCATION = 28;
/** An event needs about three subrequests for each workflow that it starts. */
const EVENTS_PER_INVOCATION = 5;
/** Each needs at least two subrequests, in addition to about twelve to begin and end a run. */
const EFFECTS_PER_INVOCATION = 15;
/** Each needs about eight subrequests to read the run and to start the new one. */
const REPLAYS_PER_INVOCATION = 4;
/** In addition to about eight subrequests to read and check. */
const KEYS_PER_INVOCATION = 20;

interface Service {
	readonly executor: Executor;
	followMasterKeys(): Promise<void>;
}

const { getService, answer } = isolateService({
	environment: executorEnvironment,
	log: workersLog,
	create: createService,
});

function createService(env: Env, environment: z.output<typeof executorEnvironment>): Service {
	const background = workersBackground((work, error) =>
		workersLog("error", "background work failed", { work, ...toErrorFields(error) }),
	);
	const tracing = workersTracing(tracingSettings(environment), {
		...{ version: manifest.version, clock: systemClock, log: workersLog, background },
	});
	const log = tracing === null ? workersLog : tracedLog(workersLog, tracing);
	const buildTraceHeaders = tracing === null ? undefined : () => tracing.buildInternalHeaders();
	const transport = {
		fetch: (request: Request, init?: { readonly signal: AbortSignal }) => env.STORE.fetch(request, init),
		buildTraceHeaders,
		baseUrl: STORE_URL,
		token: environment.STORE_INTERNAL_TOKEN,
	};
	const masterKeys = explainKeyErrors(secretMasterKeys(env));
	const storage = storedEntries(transport);
	const vault = createVault({ masterKeys, storage, background, clock: systemClock });
	const operations = vaultOperations({ masterKeys, storage, clock: systemClock });
	const settings = toSettings(environment);
	const executor = createExecutor({
		store: storeClient(transport),
		kv: workersKv({ namespace: env.WORKFLOWS_KV, clock: systemClock }),
		blobs: env.FILES === undefined ? null : bucketBlobs(env.FILES),
		...openOwnDatabase(env.EXECUTOR_DB, settings.durableDailyRows, tracing),
		vault,
		http: workersHttp({ allow: environment.ALLOW_PRIVATE_HOSTS }),
		sandbox: workersSandbox(quickjs),
		pdf: workersPdf(),
		descriptions: workersDescriptions(),
		registry: registryClient({
			fetch: (request, init) => env.REGISTRY.fetch(request, init),
			buildTraceHeaders,
			baseUrl: "http://registry",
		}),
		clock: systemClock,
		log,
		version: manifest.version,
		background,
		settings,
		ready,
		isolatesRequests: true,
		tracing,
		fanOut: {
			start: (due, since) => env.RUNS.runDue(due, since),
			startPart: (due, since) => env.RUNS.runDuePart(due, since),
			callsPerInvocation: CALLS_PER_INVOCATION,
			effectsPerInvocation: EFFECTS_PER_INVOCATION,
			replaysPerInvocation: REPLAYS_PER_INVOCATION,
		},
	});
	return { executor, followMasterKeys };

	async function ready(): Promise<boolean> {
		try {
			const store = await env.STORE.fetch(new Request(`${STORE_URL}/readyz`, { method: "HEAD" }));
			if (!store.ok) throw new Error("the store is not ready");
			await vault.checkKey();
			return true;
		} catch (error) {
			log("warn", "not ready", toErrorFields(error));
			return false;
		}
	}

	async function followMasterKeys(): Promise<void> {
		try {
			const result = await operations.followMasterKeys(KEYS_PER_INVOCATION);
			if (result !== "unchanged") log("info", `master keys: ${result}`);
		} catch (error) {
			log("error", "master keys cannot be used", toErrorFields(error));
		}
	}
}

const STORE_URL = "http://store";

function openOwnDatabase(database: D1 | undefined, dailyRows: number, tracing: Tracing | null) {
	if (database === undefined) return { steps: null, keptRuns: null };
	const sql = tracedSql(d1Sql(database), tracing, "executor");
	const journal = limitedJournal(sqlJournal(sql), { sql, clock: systemClock, dailyRows });
	return {
		steps: { journal, createCipher: workersCipher },
		keptRuns: sqlKeptRuns({ sql, clock: systemClock }),
	};
}

function toSettings(environment: z.output<typeof executorEnvironment>) {
	const settings = executorSettings(environment, WORKERS_DEFAULTS);
	if (settings.multiTenant || settings.accessToken !== undefined) return settings;
	// A worker has a public address and a namespace is not a secret: without a configured token, management is closed.
	return { ...settings, accessToken: randomToken(32) };
}

/** Workers cannot refuse to start, so requests that need a credential fail with the reason. */
const explainKeyErrors = ({ load }: MasterKeys): MasterKeys => ({
	async load() {
		try {
			return await load();
		} catch (error) {
			const message = `credentials cannot be used: ${(error as Error).message}`;
			throw new Failed({ kind: "unavailable", message, retryAfterSeconds: 60 });
		}
	},
});

/**
 * Entry point for this account's own workers only.
 * @public
 */
export class Runs extends WorkerEntrypoint<Env> {
	async runDue(due: DueRun, since: number): Promise<StartedDue> {
		return getService(this.env).executor.runDue(due, since);
	}

	runDuePart(due: readonly DueRun[], since: number): Promise<number> {
		return getService(this.env).executor.runDuePart(due, since);
	}

	/** Splits the events over further invocations when there are too many for one. */
	async raise(events: readonly StoreEvent[]): Promise<void> {
		if (events.length <= EVENTS_PER_INVOCATION) return getService(this.env).executor.raise(events);
		const size = Math.max(EVENTS_PER_INVOCATION, Math.ceil(events.length / CALLS_PER_INVOCATION));
		const parts: Promise<void>[] = [];
		for (let from = 0; from < events.length; from += size) {
			parts.push(this.env.RUNS.raise(events.slice(from, from + size)));
		}
		// Wait for all parts before failing: the other invocations end when this one does.
		const failed = (await Promise.allSettled(parts)).find(({ status }) => status === "rejected");
		if (failed !== undefined) throw (failed as PromiseRejectedResult).reason;
	}

	async followMasterKeys(): Promise<void> {
		return getService(this.env).followMasterKeys();
	}

	async sweepFiles(): Promise<void> {
		return getService(this.env).executor.sweepFiles();
	}

	async sweepKept(): Promise<void> {
		return getService(this.env).executor.sweepKept();
	}
}

/**
 * The same API for this account's other workers, which name the namespace that they act for.
 * @public
 */
export class Internal extends WorkerEntrypoint<Env> {
	fetch(request: Request): Promise<Response> {
		return keepAlive(answer(request, this.env, ({ executor }) => executor.fetchInternal(request)));
	}
}

/**
 * The runtime cancels the work for a caller that disconnects, and a cancelled run would leave no record and never free
 * its place. A disconnect of an assistant still cancels its run through the request's signal, if the worker has the
 * compatibility flag `enable_request_signal`.
 */
function keepAlive(response: Promise<Response>): Promise<Response> {
	waitUntil(response);
	return response;
}

/** @public The handlers that the Workers runtime calls. */
export default {
	fetch: (request: Request, env: Env) =>
		keepAlive(answer(request, env, ({ executor }) => executor.fetch(request))),
	async scheduled(_: unknown, env: Env): Promise<void> {
		await getService(env).executor.tick();
		await env.RUNS.followMasterKeys();
		if (env.FILES !== undefined) await env.RUNS.sweepFiles();
		if (env.EXECUTOR_DB !== undefined) await env.RUNS.sweepKept();
	},
};
