import { type D1, d1Sql } from "@tripline/platform/sql.d1";
import { openVectorWorld, vectorContract } from "./contract.ts";

/**
 * Runs one case on D1; the path `/3` selects the fourth.
 * @public
 */
export default {
	async fetch(request: Request, env: Readonly<Record<string, D1>>): Promise<Response> {
		const index = Number(new URL(request.url).pathname.slice(1));
		try {
			await vectorContract[index]?.run(await openVectorWorld(d1Sql(env[`DB_${index}`] as D1)));
			return new Response("ok");
		} catch (error) {
			return new Response((error as Error).stack ?? String(error), { status: 500 });
		}
	},
};
