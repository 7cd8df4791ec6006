import { type DescriptionReader, toProblem } from "./descriptions.ts";

/** A worker has 128 MB for all requests and cannot end one computation, so descriptions must be small. */
const MAX_BYTES = 2 * 1024 * 1024;
/** Half a second. */
const MAX_UNITS = 20_000_000;

/** Reads descriptions in the isolate itself. */
export function workersDescriptions(): DescriptionReader {
	return {
		maxBytes: MAX_BYTES,
		async read({ content, request, location }, signal) {
			signal.throwIfAborted();
			if (content.length > 2 * MAX_BYTES) return toProblem(TOO_LARGE);
			const { runDescriptionJob } = await import("@tripline/openapi/job");
			return runDescriptionJob({ content, request, location, maxUnits: MAX_UNITS });
		},
		async close() {},
	};
}

const TOO_LARGE = `must be at most ${MAX_BYTES / 1024 / 1024} MiB on Cloudflare: import it with a service on Node`;
