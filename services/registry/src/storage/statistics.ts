import type { Background } from "@tripline/platform/background";
import type { Clock } from "@tripline/platform/clock";
import type { Kv } from "@tripline/platform/kv";
import type { InTurn } from "../submissions/in-turn.ts";

/** Number of installs by component. */
type Counts = Map<string, number>;

export interface Statistics {
	readonly totals: ReadonlyMap<string, number>;
	/** Days with installs among the last 90, newest first. */
	readonly days: readonly { readonly date: string; readonly counts: ReadonlyMap<string, number> }[];
}

export type StatisticsStorage = ReturnType<typeof statisticsStorage>;

const TOTALS = "totals";
const DAY = "day:";
const DAYS_KEPT = 90;
const DAY_SECONDS = 24 * 60 * 60;
/** How long counts of other instances may stay unseen. */
const FRESH_MS = 30_000;

/**
 * Install counts, kept in memory and written in batches: one key for all totals and one per day, at most once per
 * `everyMs`. On Workers, instances that write at the same time can overwrite each other's counts.
 */
export function statisticsStorage(deps: {
	kv: Kv;
	clock: Clock;
	background: Background;
	everyMs: number;
	inTurn: InTurn;
	/** No timer outlives a request, so a request writes if a write is due. */
	isolatesRequests: boolean;
}) {
	const { kv, clock, background, everyMs } = deps;
	/** Counts not written yet, by key, because each key is written separately. */
	const unwritten = new Map<string, Counts>();
	/** Counts taken from `unwritten` whose write is in progress. */
	const inFlight = new Set<{ readonly key: string; readonly counts: Counts }>();
	const read = new Map<string, { readonly counts: Counts; readonly until: number }>();
	let timer: ReturnType<typeof setTimeout> | undefined;
	let lastWritten = Number.NEGATIVE_INFINITY;

	return {
		count(component: string): void {
			for (const key of [TOTALS, buildDayKey(clock.now())]) {
				const counts = unwritten.get(key) ?? new Map<string, number>();
				unwritten.set(key, addCount(counts, component, 1));
			}
			if (deps.isolatesRequests) writeIfDue();
			else writeSoon();
		},

		totals: (): Promise<ReadonlyMap<string, number>> => readCurrent(TOTALS),

		async all(): Promise<Statistics> {
			const oldest = buildDayKey(clock.now() - (DAYS_KEPT - 1) * DAY_SECONDS * 1000);
			const storedKeys = (await kv.list({ prefix: DAY })).keys;
			const counted = [...unwritten.keys(), ...Array.from(inFlight, ({ key }) => key)];
			const keys = [...new Set([...storedKeys, ...counted])]
				.filter((key) => key.startsWith(DAY) && key >= oldest)
				.sort()
				.reverse();
			const [totals, ...days] = await Promise.all([TOTALS, ...keys].map(readCurrent));
			return {
				totals: totals ?? new Map(),
				days: days.map((counts, index) => ({ date: (keys[index] ?? "").slice(DAY.length), counts })),
			};
		},

		flush,

		async close(): Promise<void> {
			try {
				await flush();
			} finally {
				clearTimeout(timer);
			}
		},
	};

	function writeSoon(): void {
		timer ??= setTimeout(() => background.run("statistics", flush), everyMs);
	}

	function writeIfDue(): void {
		if (clock.now() - lastWritten < everyMs) return;
		lastWritten = clock.now();
		background.run("statistics", flush);
	}

	/** Counts that cannot be written now are kept for the next flush. */
	async function flush(): Promise<void> {
		if (deps.isolatesRequests) return write();
		clearTimeout(timer);
		timer = undefined;
		return deps.inTurn(write);
	}

	async function write(): Promise<void> {
		const failures: unknown[] = [];
		for (const [key, counts] of [...unwritten]) {
			unwritten.delete(key);
			const part = { key, counts };
			inFlight.add(part);
			try {
				const before = await readStored(key);
				remember(key, before);
				const sums = addCounts(before, counts);
				await kv.put(key, JSON.stringify([...sums]), getTtl(key));
				remember(key, sums);
			} catch (error) {
				failures.push(error);
				unwritten.set(key, addCounts(counts, unwritten.get(key) ?? new Map()));
			} finally {
				inFlight.delete(part);
			}
		}
		if (failures.length > 0 && !deps.isolatesRequests) writeSoon();
		if (failures.length > 0) throw new AggregateError(failures, "statistics could not be written");
	}

	/** The stored counts plus all counts since, written or not. */
	async function readCurrent(key: string): Promise<ReadonlyMap<string, number>> {
		const known = read.get(key);
		if (known === undefined || known.until <= clock.now()) {
			const counts = await readStored(key);
			// A write in the meantime is newer than this read.
			if (read.get(key) === known) remember(key, counts);
		}
		let counts = addCounts(read.get(key)?.counts ?? new Map(), unwritten.get(key) ?? new Map());
		for (const part of inFlight) if (part.key === key) counts = addCounts(counts, part.counts);
		return counts;
	}

	function remember(key: string, counts: Counts): void {
		read.set(key, { counts, until: clock.now() + FRESH_MS });
	}

	async function readStored(key: string): Promise<Counts> {
		const text = await kv.get(key);
		return new Map(text === null ? [] : (JSON.parse(text) as [string, number][]));
	}

	function getTtl(key: string): { ttlSeconds: number } | undefined {
		return key === TOTALS ? undefined : { ttlSeconds: DAYS_KEPT * DAY_SECONDS };
	}
}

const buildDayKey = (time: number): string => DAY + new Date(time).toISOString().slice(0, 10);

const addCount = (counts: Counts, component: string, more: number): Counts =>
	counts.set(component, (counts.get(component) ?? 0) + more);

function addCounts(counts: ReadonlyMap<string, number>, more: ReadonlyMap<string, number>): Counts {
	const sums = new Map(counts);
	for (const [component, count] of more) addCount(sums, component, count);
	return sums;
}
