import type { StoreEvent } from "@tripline/contract/events";
import { randomToken } from "@tripline/contract/ids";
import { tracingSettings } from "@tripline/contract/tracing-settings";
import { workersBackground } from "@tripline/platform/background.workers";
import { systemClock } from "@tripline/platform/clock";
import type { Embedder } from "@tripline/platform/embed";
import { httpEmbedder } from "@tripline/platform/embed.http";
import { type WorkersAi, workersAiEmbedder } from "@tripline/platform/embed.workers-ai";
import { toErrorFields } from "@tripline/platform/log";
import { workersLog } from "@tripline/platform/log.workers";
import { type D1, d1Sql } from "@tripline/platform/sql.d1";
import { tracedLog, tracedSql } from "@tripline/platform/traced";
import { workersTracing } from "@tripline/platform/tracing.workers";
import { type Vectorize, vectorizeIndex } from "@tripline/platform/vectors.vectorize";
import { isolateService } from "@tripline/web/service.workers";
import type * as z from "zod";
import manifest from "../package.json" with { type: "json" };
import { createStore, type Store } from "./app.ts";
import {
	checkEmbedding,
	type EmbedSettings,
	embedSettings,
	storeEnvironment,
	storeSettings,
} from "./settings.ts";

interface Env {
	readonly STORE_DB: D1;
	/** Workers AI creates the vectors unless EMBED_URL names a server. */
	readonly AI?: WorkersAi;
	/** A Vectorize index for the Workers AI vectors; without it the database is searched. */
	readonly VECTORIZE?: Vectorize;
	/** The executor's `Runs` entrypoint, which receives the events that workflows listen for. */
	readonly EXECUTOR?: { raise(events: readonly StoreEvent[]): Promise<void> };
}

/** The free plan allows 50 database queries per request, and a batch takes about ten. */
const EMBED_ROUNDS = 4;

const { getService, answer } = isolateService({
	environment: storeEnvironment,
	log: workersLog,
	create: createWorkerStore,
});

function createWorkerStore(env: Env, environment: z.output<typeof storeEnvironment>): Store {
	checkEmbedding(environment);
	const embedder = createEmbedder(env, embedSettings(environment));
	const { EXECUTOR: executor } = env;
	const background = workersBackground((work, error) =>
		workersLog("error", "background work failed", { work, ...toErrorFields(error) }),
	);
	const tracing = workersTracing(tracingSettings(environment), {
		...{ version: manifest.version, clock: systemClock, log: workersLog, background },
	});
	const log = tracing === null ? workersLog : tracedLog(workersLog, tracing);
	return createStore({
		sql: tracedSql(d1Sql(env.STORE_DB), tracing, "store"),
		clock: systemClock,
		log,
		version: manifest.version,
		settings: storeSettings({
			...environment,
			// A worker may have a public address, so without a configured token no caller is internal.
			STORE_INTERNAL_TOKEN: environment.STORE_INTERNAL_TOKEN ?? randomToken(32),
		}),
		background,
		tracing,
		embedder,
		// The index is created with the dimensions of the Workers AI model.
		vectorIndex:
			env.VECTORIZE !== undefined && embedder?.provider === "workers-ai"
				? vectorizeIndex(env.VECTORIZE)
				: null,
		embedRounds: EMBED_ROUNDS,
		...(executor !== undefined && { notify: (events) => executor.raise(events) }),
	});
}

function createEmbedder(env: Env, settings: EmbedSettings): Embedder | null {
	if (settings.kind === "http") return httpEmbedder({ ...settings, fetch: (url, init) => fetch(url, init) });
	return settings.kind === "built-in" && env.AI !== undefined ? workersAiEmbedder(env.AI) : null;
}

/** @public Called by the Workers runtime. */
export default {
	fetch: (request: Request, env: Env) => answer(request, env, (store) => store.fetch(request)),
	scheduled: async (_: unknown, env: Env) => getService(env).tick(),
};
