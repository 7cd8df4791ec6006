import { waitUntil } from "cloudflare:workers";
import { tracingSettings } from "@tripline/contract/tracing-settings";
import { executorClient } from "@tripline/executor/client";
import { parseAllowedHosts } from "@tripline/platform/addresses";
import { workersBackground } from "@tripline/platform/background.workers";
import { systemClock } from "@tripline/platform/clock";
import { workersHttp } from "@tripline/platform/http.workers";
import { type KvNamespace, workersKv } from "@tripline/platform/kv.workers";
import { toErrorFields } from "@tripline/platform/log";
import { workersLog } from "@tripline/platform/log.workers";
import { tracedLog } from "@tripline/platform/traced";
import { workersTracing } from "@tripline/platform/tracing.workers";
import { registryClient } from "@tripline/registry/client";
import { storeClient } from "@tripline/store/client";
import { isolateService } from "@tripline/web/service.workers";
import type * as z from "zod";
import manifest from "../package.json" with { type: "json" };
import { createMcp, type Mcp } from "./app.ts";
import { assetFiles } from "./http/console-files.ts";
import * as sdk from "./protocol/sdk.ts";
import { mcpEnvironment, mcpSettings } from "./settings.ts";
import { surface } from "./surface.ts";

interface Binding {
	fetch(request: Request, init?: { readonly signal: AbortSignal }): Promise<Response>;
}

interface Env {
	/** The store's worker. */
	readonly STORE: Binding;
	/** The executor's worker, its entrypoint `Internal`. */
	readonly EXECUTOR: Binding;
	/** The registry's worker. */
	readonly REGISTRY: Binding;
	/** Authorization codes and access tokens. */
	readonly OAUTH_KV?: KvNamespace;
	/** The console's files. */
	readonly ASSETS?: Binding;
}

const isolate = isolateService({
	environment: mcpEnvironment,
	log: workersLog,
	create: createFromEnvironment,
});

function createFromEnvironment(env: Env, environment: z.output<typeof mcpEnvironment>): Mcp {
	const settings = mcpSettings(environment);
	const background = workersBackground((work, error) =>
		workersLog("error", "background work failed", { work, ...toErrorFields(error) }),
	);
	const tracing = workersTracing(tracingSettings(environment), {
		...{ version: manifest.version, clock: systemClock, log: workersLog, background },
	});
	const log = tracing === null ? workersLog : tracedLog(workersLog, tracing);
	const buildTraceHeaders = tracing === null ? undefined : () => tracing.buildInternalHeaders();
	const over = (binding: Binding, baseUrl: string) => ({
		buildTraceHeaders,
		fetch: (request: Request, init?: { readonly signal: AbortSignal }) => binding.fetch(request, init),
		baseUrl,
	});
	return createMcp({
		store: storeClient({ ...over(env.STORE, "http://store"), token: environment.STORE_INTERNAL_TOKEN }),
		// Without a BASE_URL, the executor builds webhook URLs from the address at which it is called.
		executor: executorClient(over(env.EXECUTOR, settings.otherUrls[0] ?? "http://executor")),
		registry: registryClient(over(env.REGISTRY, "http://registry")),
		oauthKv: env.OAUTH_KV === undefined ? null : workersKv({ namespace: env.OAUTH_KV, clock: systemClock }),
		sdk: async () => sdk,
		surface: async () => surface,
		http: workersHttp({ allow: parseAllowedHosts("") }),
		clock: systemClock,
		log,
		version: manifest.version,
		background,
		tracing,
		settings,
		ready: async () => (await env.STORE.fetch(new Request("http://store/readyz", { method: "HEAD" }))).ok,
		console: env.ASSETS === undefined ? undefined : assetFiles(env.ASSETS),
		isolatesRequests: true,
	});
}

/**
 * The Workers entry point. Without `waitUntil` the runtime drops the work for a client that disconnects, and the calls
 * to other workers with it. A disconnect still cancels the run that a tool waits for, if this worker and the executor's
 * have the compatibility flag `enable_request_signal`.
 * @public
 */
export default {
	fetch(request: Request, env: Env): Promise<Response> {
		const answer = isolate.answer(request, env, (mcp) => mcp.fetch(request));
		waitUntil(answer);
		return answer;
	},
};
