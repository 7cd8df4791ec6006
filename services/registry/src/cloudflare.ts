import { randomToken } from "@tripline/contract/ids";
import { wholeNumber } from "@tripline/contract/settings";
import { tracingSettings } from "@tripline/contract/tracing-settings";
import { workersBackground } from "@tripline/platform/background.workers";
import { systemClock } from "@tripline/platform/clock";
import { type KvNamespace, workersKv } from "@tripline/platform/kv.workers";
import { toErrorFields } from "@tripline/platform/log";
import { workersLog } from "@tripline/platform/log.workers";
import { workersSandbox } from "@tripline/platform/sandbox.workers";
import { tracedLog } from "@tripline/platform/traced";
import { workersTracing } from "@tripline/platform/tracing.workers";
import quickjs from "@tripline/sandbox/quickjs.wasm";
import { isolateService } from "@tripline/web/service.workers";
import type * as z from "zod";
import manifest from "../package.json" with { type: "json" };
import { createRegistry, type Registry } from "./app.ts";
import { market } from "./market/market.ts";
import { REQUIRED_KV_NAMESPACES, registryEnvironment, registrySettings } from "./settings.ts";

type Env = Readonly<Record<(typeof REQUIRED_KV_NAMESPACES)[number], KvNamespace>>;

const workersEnvironment = registryEnvironment.extend({
	// The free plan allows 1000 writes a day, and each flush takes two.
	REGISTRY_STATS_SECONDS: wholeNumber(300, 1, 86_400),
});

const { answer } = isolateService({
	environment: workersEnvironment,
	log: workersLog,
	create: createWorkerRegistry,
});

function createWorkerRegistry(env: Env, environment: z.output<typeof workersEnvironment>): Registry {
	const kv = (name: keyof Env) => workersKv({ namespace: env[name], clock: systemClock });
	const background = workersBackground((work, error) =>
		workersLog("error", "background work failed", { work, ...toErrorFields(error) }),
	);
	const tracing = workersTracing(tracingSettings(environment), {
		...{ version: manifest.version, clock: systemClock, log: workersLog, background },
	});
	const log = tracing === null ? workersLog : tracedLog(workersLog, tracing);
	return createRegistry({
		components: kv("COMPONENTS_KV"),
		submissions: kv("SUBMISSIONS_KV"),
		stats: kv("STATS_KV"),
		sandbox: workersSandbox(quickjs),
		market: async () => market,
		clock: systemClock,
		log,
		version: manifest.version,
		background,
		tracing,
		settings: registrySettings({
			...environment,
			// A worker has a public address, so without a configured token only the admin may submit.
			SERVICE_ACCESS_TOKEN: environment.SERVICE_ACCESS_TOKEN ?? randomToken(32),
		}),
		ready: async () => REQUIRED_KV_NAMESPACES.every((name) => env[name] !== undefined),
		isolatesRequests: true,
	});
}

/** @public Called by the Workers runtime. */
export default {
	fetch: (request: Request, env: Env) => answer(request, env, (registry) => registry.fetch(request)),
};
