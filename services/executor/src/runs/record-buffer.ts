import type { ExecutionReport } from "@tripline/contract/execution-log";
import type { Background } from "@tripline/platform/background";
import type { Clock } from "@tripline/platform/clock";
import type { Log } from "@tripline/platform/log";

export interface RecordBuffer {
	/** Never throws and never waits: a record must not cost its run anything. */
	add(record: ExecutionReport): void;
	/**
	 * Sends the records that wait, so that whoever reads the log next finds them; never throws, and gives up after a
	 * second. On Workers it waits only for the record with this id, which this request must have added.
	 */
	settle(id?: string): Promise<void>;
	/** Resolves when everything is sent, or after 5 seconds. */
	flush(): Promise<void>;
	/** The records that wait or are being sent, and how many were sent, dropped and refused since the start. */
	count(): {
		readonly waiting: number;
		readonly sent: number;
		readonly dropped: number;
		readonly refused: number;
	};
}

export interface RecordBufferDeps {
	/** Must be idempotent: a batch whose answer was lost is sent again. */
	send(records: readonly ExecutionReport[]): Promise<void>;
	/** Whether a retry may succeed. Any other error counts as a rejection of the records. */
	isUnavailable(error: unknown): boolean;
	readonly clock: Clock;
	readonly log: Log;
	readonly flushMs?: number;
	readonly flushCount?: number;
	/** Maximum number of records held while the store is unreachable. */
	readonly most?: number;
	/**
	 * For Workers: no timer outlives the response, and a request must not await another request's promise. So each record
	 * is sent in its own request's background work, together with records that earlier requests could not send.
	 */
	readonly immediate?: Background;
}

const MIN_RETRY_MS = 100;
const MAX_RETRY_MS = 5000;
const MAX_IMMEDIATE_RETRIES = 4;
const MAX_FLUSH_MS = 5000;
const MAX_SETTLE_MS = 1000;
const DROP_LOG_MS = 60_000;

/** Buffers execution records and sends them to the store in batches. */
export function recordBuffer(deps: RecordBufferDeps): RecordBuffer {
	const { clock, log, immediate, flushMs = 20, flushCount = 256, most: maxRecords = 10_000 } = deps;
	// Trim in steps, so that a full buffer is not scanned for each record.
	const trimAbove = maxRecords + Math.floor(maxRecords / 32);
	const drops = dropCounter(clock, log);
	let waiting: ExecutionReport[] = [];
	let oldestAt = 0;
	let timer: ReturnType<typeof setTimeout> | null = null;
	let sending: Promise<void> | null = null;
	let underWay = 0;
	let retryMs = 0;
	let sentCount = 0;
	let refusedCount = 0;
	/** On Workers: the sends under way, by the id of the record that started them. */
	const ownSends = new Map<string, Promise<void>>();

	return {
		add(record) {
			waiting.push(record);
			if (waiting.length + underWay > trimAbove) trim();
			if (immediate !== undefined) return sendInBackground(immediate, record.id);
			if (waiting.length === 1) oldestAt = clock.now();
			if (sending !== null) return;
			if (timer === null) arm(Math.max(retryMs, flushMs));
			// Not within this call: otherwise one run in `flushCount` would be delayed by the batch.
			else if (waiting.length === flushCount && retryMs === 0) arm(0);
		},

		async settle(id) {
			const sent = immediate === undefined ? sendWaiting() : ownSends.get(id ?? "");
			if (sent !== undefined) await waitAtMost(MAX_SETTLE_MS, sent);
		},

		async flush() {
			let isOver = false;
			await waitAtMost(
				MAX_FLUSH_MS,
				sendAll(() => isOver),
			);
			isOver = true;
			disarm();
			drops.report(true);
			const lost = waiting.length + underWay;
			if (lost > 0) log("error", "execution records not sent before the end", { count: lost });
		},

		count: () => ({
			waiting: waiting.length + underWay,
			sent: sentCount,
			dropped: drops.total(),
			refused: refusedCount,
		}),
	};

	function arm(ms: number): void {
		disarm();
		timer = setTimeout(() => {
			timer = null;
			startSending();
		}, ms);
	}

	function disarm(): void {
		if (timer !== null) clearTimeout(timer);
		timer = null;
	}

	/** Sends one batch at a time. */
	function startSending(): Promise<void> {
		sending ??= sendBatch().finally(() => {
			sending = null;
			if (retryMs > 0) arm(retryMs);
			else if (waiting.length >= flushCount) arm(0);
			// At most that long: the clock may have been set back.
			else if (waiting.length > 0) arm(Math.min(flushMs, Math.max(0, oldestAt + flushMs - clock.now())));
		});
		return sending;
	}

	async function sendBatch(): Promise<void> {
		const batch = waiting.splice(0, flushCount);
		underWay = batch.length;
		const left = await deliver(batch);
		underWay = 0;
		putBack(left);
		retryMs = left.length === 0 ? 0 : Math.min(MAX_RETRY_MS, Math.max(MIN_RETRY_MS, retryMs * 2));
	}

	async function sendAll(isOver: () => boolean): Promise<void> {
		while (!isOver() && (sending !== null || waiting.length > 0)) {
			await startSending();
			if (retryMs > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(retryMs, 500)));
			disarm();
		}
	}

	/** The batch under way and those that wait now, unless the store is unreachable. */
	async function sendWaiting(): Promise<void> {
		const batches = Math.ceil(waiting.length / flushCount);
		if (sending !== null) await sending;
		for (let count = 0; count < batches && waiting.length > 0 && retryMs === 0; count++) {
			disarm();
			await startSending();
		}
	}

	function sendInBackground(background: Background, id = ""): void {
		try {
			background.run("execution records", () => {
				const sent = sendBuffered().finally(() => ownSends.delete(id));
				ownSends.set(id, sent);
				return sent;
			});
		} catch {
			// Outside of a request; the next request sends the record.
		}
	}

	async function sendBuffered(): Promise<void> {
		// Wait one microtask, so that records added in the same turn are sent together.
		await null;
		let delay = MIN_RETRY_MS;
		for (let retries = 0; waiting.length > 0; ) {
			const left = await deliver(waiting.splice(0, flushCount));
			putBack(left);
			if (left.length === 0) continue;
			if (++retries > MAX_IMMEDIATE_RETRIES) return;
			await new Promise((resolve) => setTimeout(resolve, delay));
			delay *= 2;
		}
	}

	function putBack(records: readonly ExecutionReport[]): void {
		if (records.length > 0) waiting = [...records, ...waiting];
		if (waiting.length > trimAbove) trim();
		else drops.report(false);
	}

	/** Drops records down to the maximum: oldest successes first, then failures. */
	function trim(): void {
		const before = waiting.length;
		let excess = before + underWay - maxRecords;
		waiting = waiting.filter((record) => record.verdict === "failed" || excess-- <= 0);
		if (excess > 0) waiting = waiting.slice(excess);
		drops.count(before - waiting.length);
		drops.report(false);
	}

	/** Returns the records that could not be sent. A rejected batch is halved until the rejected records are isolated. */
	async function deliver(batch: readonly ExecutionReport[]): Promise<readonly ExecutionReport[]> {
		const refused: ExecutionReport[] = [];
		const left = await attempt(batch);
		sentCount += batch.length - left.length - refused.length;
		refusedCount += refused.length;
		if (refused.length > 0) {
			const ids = refused.slice(0, 5).map((record) => record.id ?? "unknown");
			log("error", "execution records refused", { count: refused.length, executions: ids.join(" ") });
		}
		return left;

		async function attempt(records: readonly ExecutionReport[]): Promise<readonly ExecutionReport[]> {
			try {
				await deps.send(records);
				return [];
			} catch (error) {
				if (deps.isUnavailable(error)) return records;
			}
			const [only, other] = records;
			if (only !== undefined && other === undefined) {
				refused.push(only);
				return [];
			}
			const half = Math.ceil(records.length / 2);
			const left = await attempt(records.slice(0, half));
			if (left.length > 0) return [...left, ...records.slice(half)];
			return attempt(records.slice(half));
		}
	}
}

async function waitAtMost(ms: number, work: Promise<void>): Promise<void> {
	let limit: ReturnType<typeof setTimeout> | undefined;
	const timeUp = new Promise<void>((resolve) => {
		limit = setTimeout(resolve, ms);
	});
	await Promise.race([work, timeUp]);
	clearTimeout(limit);
}

/** Counts dropped records and logs the count at most once a minute. */
function dropCounter(clock: Clock, log: Log) {
	let dropped = 0;
	let total = 0;
	let reportedAt = Number.NEGATIVE_INFINITY;
	return {
		count(records: number) {
			dropped += records;
			total += records;
		},
		total: () => total,
		report(isLast: boolean) {
			if (dropped === 0 || (!isLast && clock.now() - reportedAt < DROP_LOG_MS)) return;
			log("warn", "execution records dropped", { count: dropped });
			dropped = 0;
			reportedAt = clock.now();
		},
	};
}
