import { parentPort } from "node:worker_threads";
import PostalMime from "postal-mime";
import { parseMail } from "./mail-parse.ts";
import { lowerPriority } from "./thread.node.ts";

/** The only message to the thread, which reports the mail and is then ended. */
export interface MailRequest {
	readonly source: Uint8Array<ArrayBuffer>;
	readonly isWhole: boolean;
}

lowerPriority();

parentPort?.once("message", async ({ source, isWhole }: MailRequest) => {
	parentPort?.postMessage(await parseMail(PostalMime, source, isWhole));
});
