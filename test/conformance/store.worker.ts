import { workersBackground } from "@tripline/platform/background.workers";
import { httpEmbedder } from "@tripline/platform/embed.http";
import { jsonLog } from "@tripline/platform/log";
import { type D1, d1Sql } from "@tripline/platform/sql.d1";
import { createStore, type Store } from "@tripline/store/app";
import { embedSettings, storeEnvironment, storeSettings } from "@tripline/store/settings";

interface Env {
	readonly STORE_DB: D1;
}

let fixedNow: number | null = null;
const clock = { now: () => fixedNow ?? Date.now() };
let store: Store | undefined;

/**
 * The store as its worker composes it, but for a clock that the tests move.
 * @public
 */
export default {
	async fetch(request: Request, env: Env): Promise<Response> {
		store ??= created(env.STORE_DB, env);
		const [, control, action, value] = new URL(request.url).pathname.split("/");
		if (control !== "test-control") return store.fetch(request);
		if (action === "now") fixedNow = value ? Number(value) : null;
		if (action === "tick") await store.tick();
		if (action === "restart") store = created(env.STORE_DB, await request.json());
		return new Response("ok");
	},
};

function created(database: D1, settings: unknown): Store {
	const environment = storeEnvironment.parse(settings);
	const embedding = embedSettings(environment);
	// biome-ignore lint/suspicious/noConsole: an unexpected error shows in the output of the tests.
	const log = jsonLog({ level: "error", clock, write: (line) => console.error(line) });
	return createStore({
		sql: d1Sql(database),
		clock,
		log,
		version: "0.0.0-test",
		settings: storeSettings(environment),
		background: workersBackground((work, error) => log("error", work, { error: String(error) })),
		embedder:
			embedding.kind === "http"
				? httpEmbedder({ ...embedding, fetch: (url, init) => fetch(url, init) })
				: null,
		embedRounds: 4,
	});
}
