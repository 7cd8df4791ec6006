import { vaultContract } from "./vault.ts";

/**
 * Runs one case inside workerd: `/3` is the fourth.
 * @public
 */
export default {
	async fetch(request: Request): Promise<Response> {
		try {
			await vaultContract[Number(new URL(request.url).pathname.slice(1))]?.run(undefined);
			return new Response("ok");
		} catch (error) {
			return new Response((error as Error).stack ?? String(error), { status: 500 });
		}
	},
};
