import { randomToken } from "@tripline/contract/ids";
import { systemClock } from "@tripline/platform/clock";
import { jsonLog } from "@tripline/platform/log";
import { type D1, d1Sql } from "@tripline/platform/sql.d1";
import manifest from "../package.json" with { type: "json" };
import { createStore, type Store } from "./app.ts";
import { storeEnvironment, storeSettings } from "./settings.ts";

interface Env {
	readonly STORE_DB: D1;
}

let store: Store | undefined;

function storeOf(env: Env): Store {
	// One app per isolate; its environment does not change.
	store ??= createStore({
		sql: d1Sql(env.STORE_DB),
		clock: systemClock,
		// biome-ignore lint/suspicious/noConsole: the runtime collects the console as its log.
		log: jsonLog({ level: "info", clock: systemClock, write: (line) => console.log(line.trimEnd()) }),
		version: manifest.version,
		settings: storeSettings(
			storeEnvironment.parse({
				// A worker may have a public address: without a token nobody is internal.
				STORE_INTERNAL_TOKEN: randomToken(32),
				...env,
			}),
		),
	});
	return store;
}

/** @public What the Workers runtime calls. */
export default {
	fetch: (request: Request, env: Env) => storeOf(env).fetch(request),
	scheduled: (_: unknown, env: Env) => storeOf(env).tick(),
};
