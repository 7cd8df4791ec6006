import type { TracingSettings } from "@tripline/contract/tracing-settings";
import type { Background } from "./background.ts";
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import { randomInstance } from "./trace-encoding.ts";
import { httpSpans } from "./trace-export.http.ts";
import { invocationExporter, type SendSpans } from "./trace-export.ts";
import { createTracing, type Span, type Tracing } from "./tracing.ts";

/** Null without the compatibility flag `nodejs_als` or `nodejs_compat`: then the worker must still start. */
const hooks = await import("node:async_hooks").catch(() => null);

/** Null if tracing is off. Each invocation sends its own spans after its response. */
export function workersTracing(
	settings: TracingSettings | null,
	deps: {
		readonly version: string;
		readonly clock: Clock;
		readonly log: Log;
		readonly background: Background;
		/** Omitted: by the global `fetch`. */
		readonly send?: SendSpans;
	},
): Tracing | null {
	if (settings === null) return null;
	if (hooks === null) {
		deps.log("error", "traces need the compatibility flag nodejs_als");
		return null;
	}
	const { serviceName, ratio } = settings;
	const exporter = invocationExporter({
		...deps,
		resource: { serviceName, version: deps.version, instance: randomInstance() },
		send: deps.send ?? httpSpans(settings),
	});
	return createTracing({ ratio, storage: new hooks.AsyncLocalStorage<Span | undefined>(), exporter });
}
