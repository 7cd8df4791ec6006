import { parentPort } from "node:worker_threads";
import { type DescriptionJob, runDescriptionJob } from "@tripline/openapi/job";
import { lowerPriority } from "./thread.node.ts";

lowerPriority();

/** The only message to the thread, which reports the outcome and is then ended. */
parentPort?.once("message", async (job: DescriptionJob) => {
	parentPort?.postMessage(await runDescriptionJob(job));
});
