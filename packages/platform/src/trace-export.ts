import type { Background } from "./background.ts";
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import { createEncoding, encodeSpan, estimateBytes, type TraceResource } from "./trace-encoding.ts";
import type { Span, SpanExporter, TraceStats } from "./tracing.ts";

/** Sends an encoded batch to the collector. Resolves with any status. */
export type SendSpans = (
	body: string,
	signal: AbortSignal,
) => Promise<{ readonly status: number; readonly retryAfter: string | null }>;

interface Deps {
	readonly resource: TraceResource;
	readonly send: SendSpans;
	readonly clock: Clock;
	readonly log: Log;
}

/** Of all spans that wait or are being sent, as estimated: well below 10 MB of memory. */
const MAX_BUFFERED_BYTES = 6 * 1024 * 1024;
const MAX_BATCH_SPANS = 1024;
/** Encoding so many takes a fraction of a millisecond. */
const SPANS_PER_TURN = 128;
const FLUSH_MS = 1_000;
const SEND_MS = 10_000;
/** How long a process that ends waits for the collector. */
const CLOSE_MS = 2_000;
const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;
const DROP_LOG_MS = 60_000;

interface Batch {
	readonly body: string;
	readonly count: number;
	readonly bytes: number;
}

/**
 * Sends spans in batches, one request at a time. A collector that is slow or unreachable fills the buffer, and further
 * spans are dropped and counted. Nothing waits for it.
 */
export function bufferedExporter(deps: Deps): SpanExporter & { close(): Promise<void> } {
	const counts = createCounts(deps);
	const { head, tail } = createEncoding(deps.resource);
	const closing = new AbortController();
	let waiting: Span[] = [];
	let unsent: Batch | null = null;
	let sending: Promise<void> | null = null;
	let timer: ReturnType<typeof setTimeout> | null = null;
	let retryMs = 0;

	return {
		add(span) {
			if (!counts.take(span)) return;
			waiting.push(span);
			if (sending !== null || retryMs > 0) return;
			if (timer === null) arm(FLUSH_MS);
			else if (waiting.length === MAX_BATCH_SPANS) arm(0);
		},
		drop: () => counts.drop(1),
		readStats: counts.read,
		/** Sends what is left, for a short time at most. */
		async close() {
			disarm();
			const limit = setTimeout(() => closing.abort(), CLOSE_MS);
			await sending;
			retryMs = 0;
			while (hasWork() && retryMs === 0 && !closing.signal.aborted) await sendNext();
			clearTimeout(limit);
			closing.abort();
			counts.drop(waiting.length + (unsent?.count ?? 0));
			counts.report(true);
			waiting = [];
			unsent = null;
		},
	};

	function arm(ms: number): void {
		disarm();
		if (closing.signal.aborted) return;
		timer = setTimeout(() => {
			timer = null;
			sending = sendFull().finally(() => {
				sending = null;
				if (hasWork()) arm(Math.max(retryMs, FLUSH_MS));
			});
		}, ms);
		// On Node a timer keeps the process alive.
		(timer as { unref?(): void }).unref?.();
	}

	function disarm(): void {
		if (timer !== null) clearTimeout(timer);
		timer = null;
	}

	function hasWork(): boolean {
		return unsent !== null || waiting.length > 0;
	}

	async function sendFull(): Promise<void> {
		do await sendNext();
		while (waiting.length >= MAX_BATCH_SPANS && retryMs === 0 && !closing.signal.aborted);
		counts.report();
	}

	async function sendNext(): Promise<void> {
		unsent ??= await takeBatch();
		const outcome = await deliver(deps.send, unsent.body, closing.signal);
		if (typeof outcome === "number") {
			retryMs = Math.max(outcome, Math.min(MAX_RETRY_MS, Math.max(MIN_RETRY_MS, 2 * retryMs)));
			return;
		}
		retryMs = 0;
		counts.settle(unsent, outcome === "accepted");
		unsent = null;
	}

	async function takeBatch(): Promise<Batch> {
		const spans = waiting.splice(0, MAX_BATCH_SPANS);
		let body = head;
		for (let from = 0; from < spans.length; from += SPANS_PER_TURN) {
			if (from > 0) {
				body += ",";
				await new Promise((resolve) => setImmediate(resolve));
			}
			body += encodeSpans(spans.slice(from, from + SPANS_PER_TURN));
		}
		return { body: body + tail, count: spans.length, bytes: sumBytes(spans) };
	}
}

/** For Workers: an invocation sends the spans of its trace when none of them is open any more, once. */
export function invocationExporter(deps: Deps & { readonly background: Background }): SpanExporter {
	const counts = createCounts(deps);
	const { head, tail } = createEncoding(deps.resource);
	return {
		add(span) {
			if (counts.take(span)) span.trace.ended.push(span);
		},
		drop: () => counts.drop(1),
		readStats: counts.read,
		rest(trace) {
			const spans = trace.ended;
			if (spans.length === 0) return;
			trace.ended = [];
			deps.background.run("traces", async () => {
				const outcome = await deliver(deps.send, head + encodeSpans(spans) + tail);
				counts.settle({ count: spans.length, bytes: sumBytes(spans) }, outcome === "accepted");
				counts.report();
			});
		},
	};
}

const sumBytes = (spans: readonly Span[]): number =>
	spans.reduce((sum, span) => sum + estimateBytes(span), 0);

const encodeSpans = (spans: readonly Span[]): string => spans.map(encodeSpan).join();

/** A number says after how many milliseconds the collector may be tried again, at least. */
async function deliver(
	send: SendSpans,
	body: string,
	closing?: AbortSignal,
): Promise<"accepted" | "refused" | number> {
	const timeout = AbortSignal.timeout(SEND_MS);
	try {
		const signal = closing === undefined ? timeout : AbortSignal.any([timeout, closing]);
		const { status, retryAfter } = await send(body, signal);
		if (status >= 200 && status < 300) return "accepted";
		if (!TEMPORARY.has(status)) return "refused";
		return Math.min(MAX_RETRY_MS, 1000 * (Number(retryAfter) || 0));
	} catch {
		return 0;
	}
}

/** The statuses after which a client may send the same again, by the protocol. */
const TEMPORARY: ReadonlySet<number> = new Set([429, 502, 503, 504]);

function createCounts({ clock, log }: Pick<Deps, "clock" | "log">) {
	let bufferedBytes = 0;
	let exported = 0;
	let dropped = 0;
	let reported = 0;
	let reportedAt = Number.NEGATIVE_INFINITY;
	return {
		/** False if there is no room. */
		take(span: Span): boolean {
			const bytes = estimateBytes(span);
			if (bufferedBytes + bytes > MAX_BUFFERED_BYTES) {
				dropped++;
				return false;
			}
			bufferedBytes += bytes;
			return true;
		},
		drop(count: number): void {
			dropped += count;
		},
		settle({ count, bytes }: Pick<Batch, "count" | "bytes">, isAccepted: boolean): void {
			bufferedBytes -= bytes;
			if (isAccepted) exported += count;
			else dropped += count;
		},
		report(isLast = false): void {
			const now = clock.now();
			if (dropped === reported || (!isLast && now - reportedAt < DROP_LOG_MS)) return;
			log("warn", "spans were dropped", { count: dropped - reported });
			reported = dropped;
			reportedAt = now;
		},
		read: (): TraceStats => ({ exported, dropped, bufferedBytes }),
	};
}
