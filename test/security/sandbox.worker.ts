import type { SandboxJob } from "@tripline/platform/sandbox";
import { workersSandbox } from "@tripline/platform/sandbox.workers";
import module from "@tripline/sandbox/quickjs.wasm";

const sandbox = workersSandbox(module);

/**
 * Runs the job in the request. With `http`, the code's requests are echoed to it.
 * @public
 */
export default {
	async fetch(request: Request): Promise<Response> {
		const { job, echoes } = (await request.json()) as { job: SandboxJob; echoes: boolean };
		const http = async (text: string) => text;
		try {
			return Response.json(await sandbox.run(echoes ? { ...job, http } : job, new AbortController().signal));
		} catch (error) {
			return new Response((error as Error).stack ?? String(error), { status: 500 });
		}
	},
};
