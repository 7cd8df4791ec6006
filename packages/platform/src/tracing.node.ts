import { AsyncLocalStorage } from "node:async_hooks";
import type { TracingSettings } from "@tripline/contract/tracing-settings";
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import { randomInstance } from "./trace-encoding.ts";
import { httpSpans } from "./trace-export.http.ts";
import { bufferedExporter } from "./trace-export.ts";
import { createTracing, type Span, type Tracing } from "./tracing.ts";

/** Sends spans in the background until it is closed. */
export function nodeTracing(
	settings: TracingSettings,
	deps: { readonly version: string; readonly clock: Clock; readonly log: Log },
): { readonly tracing: Tracing; close(): Promise<void> } {
	const { serviceName, ratio } = settings;
	const exporter = bufferedExporter({
		...deps,
		resource: { serviceName, version: deps.version, instance: randomInstance() },
		send: httpSpans(settings),
	});
	const storage = new AsyncLocalStorage<Span | undefined>();
	return { tracing: createTracing({ ratio, storage, exporter }), close: exporter.close };
}
