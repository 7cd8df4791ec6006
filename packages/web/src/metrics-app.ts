import { Failed } from "@tripline/contract/failures";
import { isSameSecret } from "@tripline/contract/secrets";
import type { Family } from "@tripline/platform/metrics";
import { chooseMetricsFormat, METRICS_TYPES, renderMetrics } from "@tripline/platform/metrics-text";
import * as z from "zod";
import { type App, type AppDeps, createApp } from "./app.ts";
import type { Incoming } from "./http-message.ts";
import { route } from "./route.ts";

/** Serves `/metrics` to callers with one of the tokens; if there are none, to everybody who can reach the listener. */
export function createMetricsApp(
	deps: Pick<AppDeps<null>, "clock" | "log" | "version" | "countRequest"> & {
		collect(): Promise<readonly Family[]>;
		readonly tokens: readonly string[];
	},
): App {
	return createApp<null>({
		...deps,
		title: "Tripline metrics",
		routes: [
			route({
				method: "GET",
				path: "/metrics",
				tag: "Operations",
				summary: "Metrics for Prometheus",
				description:
					"In the text format of Prometheus, or as OpenMetrics if Accept names it. Only where the service is a process.",
				security: { metrics: { type: "http", scheme: "bearer", description: "METRICS_TOKEN" } },
				headers: { accept: "application/openmetrics-text, or text/plain" },
				responses: {
					200: {
						description: "The metrics",
						content: { "text/plain": z.string(), "application/openmetrics-text": z.string() },
					},
				},
				async handle({ request }) {
					const format = chooseMetricsFormat(request.headers.get("accept"));
					return {
						status: 200,
						text: renderMetrics(await deps.collect(), format),
						headers: { "content-type": METRICS_TYPES[format], vary: "accept", "cache-control": "no-store" },
					};
				},
			}),
		],
		authenticate(request) {
			if (!isAllowed(request, deps.tokens))
				throw new Failed({ kind: "unauthorized", message: "a valid token for metrics is needed" });
			return null;
		},
		ready: async () => true,
		maxBodyBytes: 0,
	});
}

/** Whoever sends a token must send a right one, also where none is needed: it may be that of a tenant. */
function isAllowed({ headers }: Incoming, tokens: readonly string[]): boolean {
	const header = headers.get("authorization");
	if (header === null) return tokens.length === 0;
	const bearer = /^Bearer +(\S+)$/i.exec(header)?.[1];
	return bearer !== undefined && tokens.some((token) => isSameSecret(bearer, token));
}
