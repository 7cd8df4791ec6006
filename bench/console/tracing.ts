import type { Page } from "playwright-core";

export interface TraceEvent {
	readonly name: string;
	readonly pid: number;
	readonly tid: number;
	/** Microseconds. */
	readonly ts: number;
	readonly dur?: number;
	/** CPU time, without any waiting of the thread. */
	readonly tdur?: number;
	readonly args: {
		readonly data?: {
			readonly type?: string;
			readonly url?: string;
			readonly requestId?: string;
		};
	};
}

/** The browser's trace events during `work`. */
export async function traceDuring(page: Page, work: () => Promise<void>): Promise<readonly TraceEvent[]> {
	const browser = page.context().browser();
	await browser?.startTracing(page, {
		categories: ["devtools.timeline", "disabled-by-default-devtools.timeline", "blink.user_timing"],
	});
	await work();
	const trace = JSON.parse(String(await browser?.stopTracing())) as { traceEvents: TraceEvent[] };
	return trace.traceEvents;
}

/** The events on the same thread as a given event, in order. */
export function filterSameThread(events: readonly TraceEvent[], as: TraceEvent | undefined): TraceEvent[] {
	return events
		.filter(({ pid, tid }) => pid === as?.pid && tid === as.tid)
		.sort((one, other) => one.ts - other.ts);
}
