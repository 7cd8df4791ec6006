import { AsyncLocalStorage } from "node:async_hooks";
import type { TracingSettings } from "@tripline/contract/tracing-settings";
import type { Background } from "./background.ts";
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import { randomInstance } from "./trace-encoding.ts";
import { httpSpans } from "./trace-export.http.ts";
import { invocationExporter, type SendSpans } from "./trace-export.ts";
import { createTracing, type Span, type Tracing } from "./tracing.ts";

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
	const { serviceName, ratio } = settings;
	const exporter = invocationExporter({
		...deps,
		resource: { serviceName, version: deps.version, instance: randomInstance() },
		send: deps.send ?? httpSpans(settings),
	});
	return createTracing({ ratio, storage: new AsyncLocalStorage<Span | undefined>(), exporter });
}
