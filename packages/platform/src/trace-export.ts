import type { Background } from "./background.ts";
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import { SpanBatch, type TraceResource } from "./trace-encoding.ts";
import type { Span, SpanExporter } from "./tracing.ts";

/** Sends an encoded batch to the collector. Resolves with any status. */
export type SendSpans = (
	body: Uint8Array<ArrayBuffer>,
	signal: AbortSignal,
) => Promise<{ readonly status: number; readonly retryAfter: string | null }>;

interface Deps {
	readonly resource: TraceResource;
	readonly send: SendSpans;
	readonly clock: Clock;
	readonly log: Log;
}

/** About 800 spans. */
const BATCH_BYTES = 128 * 1024;
/** Of those that wait or are being sent: 6 MB. */
const MAX_BATCHES = 48;
/** On Workers, for all invocations of an isolate. A span has less than a kilobyte as a rule. */
const MAX_WAITING_SPANS = 6_000;
const FLUSH_MS = 1_000;
const SEND_MS = 10_000;
/** How long a process that ends waits for the collector. */
const CLOSE_MS = 2_000;
const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;
const DROP_LOG_MS = 60_000;

/**
 * Sends spans in batches, one request at a time. A collector that is slow or unreachable fills the buffer, and further
 * spans are dropped and counted. Nothing waits for it.
 */
export function bufferedExporter(deps: Deps): SpanExporter & { close(): Promise<void> } {
	const counts = createCounts(deps);
	const closing = new AbortController();
	const full: SpanBatch[] = [];
	let filling: SpanBatch | null = null;
	let unsent: { readonly body: Uint8Array<ArrayBuffer>; readonly count: number } | null = null;
	let sending: Promise<void> | null = null;
	let timer: ReturnType<typeof setTimeout> | null = null;
	let retryMs = 0;

	return {
		add(span) {
			if (filling?.add(span) !== true && !addToNext(span)) counts.drop(1);
			else if (timer === null && sending === null) arm(FLUSH_MS);
		},
		drop: () => counts.drop(1),
		readStats: () => ({ ...counts.read(), bufferedBytes: countBatches() * BATCH_BYTES }),
		/** Sends what is left, for a short time at most. */
		async close() {
			disarm();
			const limit = setTimeout(() => closing.abort(), CLOSE_MS);
			await sending;
			retryMs = 0;
			while (countBatches() > 0 && retryMs === 0 && !closing.signal.aborted) await sendNext();
			clearTimeout(limit);
			closing.abort();
			for (const batch of [unsent, ...full, filling]) counts.drop(batch?.count ?? 0);
			full.length = 0;
			unsent = null;
			filling = null;
			counts.report(true);
		},
	};

	function countBatches(): number {
		return full.length + (unsent === null ? 0 : 1) + (filling === null ? 0 : 1);
	}

	/** False if there is no room. */
	function addToNext(span: Span): boolean {
		if (filling !== null) {
			full.push(filling);
			filling = null;
			if (sending === null && retryMs === 0) arm(0);
		}
		if (countBatches() === MAX_BATCHES) return false;
		filling = new SpanBatch(deps.resource, BATCH_BYTES);
		return filling.add(span);
	}

	function arm(ms: number): void {
		disarm();
		if (closing.signal.aborted) return;
		timer = setTimeout(() => {
			timer = null;
			sending = sendFull().finally(() => {
				sending = null;
				if (countBatches() > 0) arm(Math.max(retryMs, FLUSH_MS));
			});
		}, ms);
		// On Node a timer keeps the process alive.
		(timer as { unref?(): void }).unref?.();
	}

	function disarm(): void {
		if (timer !== null) clearTimeout(timer);
		timer = null;
	}

	async function sendFull(): Promise<void> {
		do await sendNext();
		while (full.length > 0 && retryMs === 0 && !closing.signal.aborted);
		counts.report();
	}

	async function sendNext(): Promise<void> {
		unsent ??= takeBatch();
		if (unsent === null) return;
		const outcome = await deliver(deps.send, unsent.body, closing.signal);
		if (typeof outcome === "number") {
			retryMs = Math.max(outcome, Math.min(MAX_RETRY_MS, Math.max(MIN_RETRY_MS, 2 * retryMs)));
			return;
		}
		retryMs = 0;
		counts.settle(unsent.count, outcome === "accepted");
		unsent = null;
	}

	function takeBatch() {
		const batch = full.shift() ?? filling;
		if (batch === null) return null;
		if (batch === filling) filling = null;
		return { body: batch.finish(), count: batch.count };
	}
}

/** For Workers: an invocation sends the spans of its trace when none of them is open any more, once. */
export function invocationExporter(deps: Deps & { readonly background: Background }): SpanExporter {
	const counts = createCounts(deps);
	let waiting = 0;
	return {
		add(span) {
			if (waiting === MAX_WAITING_SPANS) return counts.drop(1);
			waiting++;
			span.trace.ended ??= [];
			span.trace.ended.push(span);
		},
		drop: () => counts.drop(1),
		readStats: () => ({ ...counts.read(), bufferedBytes: 0 }),
		rest(trace) {
			const spans = trace.ended;
			if (spans === null) return;
			trace.ended = null;
			deps.background.run("traces", async () => {
				for (const batch of encodeAll(deps.resource, spans)) {
					const outcome = await deliver(deps.send, batch.finish());
					counts.settle(batch.count, outcome === "accepted");
				}
				waiting -= spans.length;
				counts.report();
			});
		},
	};
}

/** Usually a single batch, with the spans in the order of their end: on Workers many begin at the same time. */
function* encodeAll(resource: TraceResource, spans: readonly Span[]): Iterable<SpanBatch> {
	let batch = new SpanBatch(resource, BATCH_BYTES);
	for (const span of spans.toReversed()) {
		if (batch.add(span)) continue;
		yield batch;
		batch = new SpanBatch(resource, BATCH_BYTES);
		batch.add(span);
	}
	yield batch;
}

/** A number says after how many milliseconds the collector may be tried again, at least. */
async function deliver(
	send: SendSpans,
	body: Uint8Array<ArrayBuffer>,
	closing?: AbortSignal,
): Promise<"accepted" | "refused" | number> {
	const aborting = new AbortController();
	const abort = () => aborting.abort();
	const timeout = setTimeout(abort, SEND_MS);
	closing?.addEventListener("abort", abort);
	try {
		const { status, retryAfter } = await send(body, aborting.signal);
		if (status >= 200 && status < 300) return "accepted";
		if (!TEMPORARY.has(status)) return "refused";
		return Math.min(MAX_RETRY_MS, 1000 * (Number(retryAfter) || 0));
	} catch {
		return 0;
	} finally {
		clearTimeout(timeout);
		closing?.removeEventListener("abort", abort);
	}
}

/** The statuses after which a client may send the same again, by the protocol. */
const TEMPORARY: ReadonlySet<number> = new Set([429, 502, 503, 504]);

function createCounts({ clock, log }: Pick<Deps, "clock" | "log">) {
	let exported = 0;
	let dropped = 0;
	let reported = 0;
	let reportedAt = Number.NEGATIVE_INFINITY;
	return {
		drop(count: number): void {
			dropped += count;
		},
		settle(count: number, isAccepted: boolean): void {
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
		read: () => ({ exported, dropped }),
	};
}
