import type { D1 } from "@tripline/platform/sql.d1";
import worker from "@tripline/store/cloudflare";

type Env = Parameters<typeof worker.fetch>[1];

let statements = 0;

/**
 * The store's worker, which also reports at `/counted` the number of statements since the last report.
 * @public
 */
export default {
	async fetch(request: Request, env: Env): Promise<Response> {
		if (new URL(request.url).pathname !== "/counted")
			return worker.fetch(request, { ...env, STORE_DB: countStatements(env.STORE_DB) });
		const answer = Response.json({ statements });
		statements = 0;
		return answer;
	},
};

const countStatements = (database: D1): D1 => ({
	prepare(text) {
		statements++;
		return database.prepare(text);
	},
	batch: (all) => database.batch(all),
});
