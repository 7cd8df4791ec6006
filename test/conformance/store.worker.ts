import { jsonLog } from "@tripline/platform/log";
import { type D1, d1Sql } from "@tripline/platform/sql.d1";
import { createStore, type Store } from "@tripline/store/app";
import { storeEnvironment, storeSettings } from "@tripline/store/settings";

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
		store ??= createStore({
			sql: d1Sql(env.STORE_DB),
			clock,
			// biome-ignore lint/suspicious/noConsole: an unexpected error shows in the output of the tests.
			log: jsonLog({ level: "error", clock, write: (line) => console.error(line) }),
			version: "0.0.0-test",
			settings: storeSettings(storeEnvironment.parse(env)),
		});
		const [, control, action, value] = new URL(request.url).pathname.split("/");
		if (control !== "test-control") return store.fetch(request);
		if (action === "now") fixedNow = value ? Number(value) : null;
		if (action === "tick") await store.tick();
		return new Response("ok");
	},
};
