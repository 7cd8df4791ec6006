import { WorkerEntrypoint } from "cloudflare:workers";
import { workersBackground } from "@tripline/platform/background.workers";
import { systemClock } from "@tripline/platform/clock";
import { type KvNamespace, workersKv } from "@tripline/platform/kv.workers";
import { errorFields, jsonLog } from "@tripline/platform/log";
import { workersMasterKeys } from "@tripline/platform/master-key.workers";
import { storeClient } from "@tripline/store/client";
import manifest from "../package.json" with { type: "json" };
import { createExecutor, type Executor } from "./app.ts";
import type { DueRun } from "./runs/schedule.ts";
import { executorEnvironment, executorSettings } from "./settings.ts";
import { storedEntries } from "./vault/stored-entries.ts";
import { createVault } from "./vault/vault.ts";

interface Env {
	/** The store's worker. */
	readonly STORE: { fetch(request: Request): Promise<Response> };
	readonly STORE_INTERNAL_TOKEN?: string;
	/** Token webhooks and legacy workflows. */
	readonly WORKFLOWS_KV: KvNamespace;
	/** The vault's key: 32 bytes in base64. */
	readonly MASTER_KEY?: string;
	readonly MASTER_KEY_NEXT?: string;
	/** This worker's own `Runs`: an invocation for each run that is due. */
	readonly RUNS: { runDue(due: DueRun): Promise<boolean> };
}

/** An invocation may make 50 requests on the free plan; the due query and the log take some. */
const DUE_PER_TICK = 40;

let executor: Executor | undefined;

function executorOf(env: Env): Executor {
	// One app per isolate; its environment does not change.
	executor ??= createdExecutor(env);
	return executor;
}

function createdExecutor(env: Env): Executor {
	// biome-ignore lint/suspicious/noConsole: the runtime collects the console as its log.
	const write = (line: string) => console.log(line.trimEnd());
	const log = jsonLog({ level: "info", clock: systemClock, write });
	const background = workersBackground((work, error) =>
		log("error", "background work failed", { work, ...errorFields(error) }),
	);
	const transport = {
		fetch: (request: Request) => env.STORE.fetch(request),
		baseUrl: "http://store",
		token: env.STORE_INTERNAL_TOKEN,
	};
	const vault = createVault({
		masterKeys: workersMasterKeys(env),
		storage: storedEntries(transport),
		background,
		clock: systemClock,
	});
	return createExecutor({
		store: storeClient(transport),
		kv: workersKv({ namespace: env.WORKFLOWS_KV, clock: systemClock }),
		vault,
		clock: systemClock,
		log,
		version: manifest.version,
		background,
		settings: executorSettings(executorEnvironment.parse(env)),
		async ready() {
			await vault.checkKey();
			return true;
		},
		sendRecordsAtOnce: true,
		fanOut: { start: (due) => env.RUNS.runDue(due), mostPerTick: DUE_PER_TICK },
	});
}

/**
 * What only this account's own workers can call.
 * @public
 */
export class Runs extends WorkerEntrypoint<Env> {
	runDue(due: DueRun): Promise<boolean> {
		return executorOf(this.env).runDue(due);
	}

	raise(event: Parameters<Executor["raise"]>[0]): Promise<void> {
		return executorOf(this.env).raise(event);
	}
}

/** @public What the Workers runtime calls. */
export default {
	fetch: (request: Request, env: Env) => executorOf(env).fetch(request),
	scheduled: (_: unknown, env: Env) => executorOf(env).tick(),
};
