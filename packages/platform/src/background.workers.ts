import { waitUntil } from "cloudflare:workers";
import { type Background, type ReportFailure, runReported } from "./background.ts";

/** The runtime keeps the isolate alive until the work ends, at most 30 seconds after the response. */
export function workersBackground(report: ReportFailure): Background {
	return { run: (name, work) => waitUntil(runReported(name, work, report)) };
}
