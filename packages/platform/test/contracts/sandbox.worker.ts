import module from "@tripline/sandbox/quickjs.wasm";
import { workersSandbox } from "../../src/sandbox.workers.ts";
import { sandboxContract } from "./sandbox.ts";

const sandbox = workersSandbox(module);

/**
 * Runs one case inside workerd: `/3` is the fourth.
 * @public
 */
export default {
	async fetch(request: Request): Promise<Response> {
		try {
			await sandboxContract[Number(new URL(request.url).pathname.slice(1))]?.run(sandbox);
			return new Response("ok");
		} catch (error) {
			return new Response((error as Error).stack ?? String(error), { status: 500 });
		}
	},
};
