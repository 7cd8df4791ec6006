import { workersPdf } from "../../src/pdf.workers.ts";
import { pdfContract } from "./pdf.ts";

const reader = workersPdf();

/**
 * Runs one case inside workerd: `/3` is the fourth.
 * @public
 */
export default {
	async fetch(request: Request): Promise<Response> {
		try {
			await pdfContract[Number(new URL(request.url).pathname.slice(1))]?.run(reader);
			return new Response("ok");
		} catch (error) {
			return new Response((error as Error).stack ?? String(error), { status: 500 });
		}
	},
};
