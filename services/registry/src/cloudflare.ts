import { randomToken } from "@tripline/contract/ids";
import { workersBackground } from "@tripline/platform/background.workers";
import { systemClock } from "@tripline/platform/clock";
import { type KvNamespace, workersKv } from "@tripline/platform/kv.workers";
import { errorFields, jsonLog } from "@tripline/platform/log";
import { workersSandbox } from "@tripline/platform/sandbox.workers";
import quickjs from "@tripline/sandbox/quickjs.wasm";
import manifest from "../package.json" with { type: "json" };
import { createRegistry, type Registry } from "./app.ts";
import { market } from "./market/market.ts";
import { REQUIRED_KV_NAMESPACES, registryEnvironment, registrySettings } from "./settings.ts";

type Env = Readonly<Record<(typeof REQUIRED_KV_NAMESPACES)[number], KvNamespace>>;

/** A day has 1000 writes on the free plan, and each time takes two. */
const STATISTICS_SECONDS = "300";

let registry: Registry | undefined;

function registryOf(env: Env): Registry {
	// One app per isolate; its environment does not change.
	registry ??= createdRegistry(env);
	return registry;
}

function createdRegistry(env: Env): Registry {
	// biome-ignore lint/suspicious/noConsole: the runtime collects the console as its log.
	const write = (line: string) => console.log(line.trimEnd());
	const log = jsonLog({ level: "info", clock: systemClock, write });
	const environment = registryEnvironment.parse({
		// A worker has a public address: without a token nobody but the admin submits.
		SERVICE_ACCESS_TOKEN: randomToken(32),
		REGISTRY_STATS_SECONDS: STATISTICS_SECONDS,
		...env,
	});
	const kv = (name: keyof Env) => workersKv({ namespace: env[name], clock: systemClock });
	return createRegistry({
		components: kv("COMPONENTS_KV"),
		submissions: kv("SUBMISSIONS_KV"),
		stats: kv("STATS_KV"),
		sandbox: workersSandbox(quickjs),
		market: async () => market,
		clock: systemClock,
		log,
		version: manifest.version,
		background: workersBackground((work, error) =>
			log("error", "background work failed", { work, ...errorFields(error) }),
		),
		settings: registrySettings(environment),
		ready: async () => REQUIRED_KV_NAMESPACES.every((name) => env[name] !== undefined),
		isolatesRequests: true,
	});
}

/** @public What the Workers runtime calls. */
export default {
	fetch: (request: Request, env: Env) => registryOf(env).fetch(request),
};
