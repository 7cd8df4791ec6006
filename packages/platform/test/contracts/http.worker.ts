import { parseAllowedHosts } from "../../src/addresses.ts";
import { workersHttp } from "../../src/http.workers.ts";
import { httpContract } from "./http.ts";
import { httpStreamContract } from "./http-streams.ts";

/**
 * Runs one case inside workerd: `/3?web=…&raw=…` is the fourth case, with the servers' addresses.
 * @public
 */
export default {
	async fetch(request: Request): Promise<Response> {
		const { pathname, searchParams } = new URL(request.url);
		try {
			await [...httpContract, ...httpStreamContract][Number(pathname.slice(1))]?.run({
				http: workersHttp({ allow: parseAllowedHosts("127.0.0.1") }),
				web: searchParams.get("web") ?? "",
				raw: searchParams.get("raw") ?? "",
			});
			return new Response("ok");
		} catch (error) {
			return new Response((error as Error).stack ?? String(error), { status: 500 });
		}
	},
};
