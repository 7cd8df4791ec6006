import type { Clock } from "@tripline/platform/clock";
import { noSignals, type Signals } from "@tripline/platform/signals";

export interface RateLimit {
	/** Null if allowed, else the seconds until the next call is allowed. Refused calls do not count. */
	take(key: string): number | null;
}

const MINUTE_MS = 60_000;
/** In each of the two generations, so 100,000 in all. */
const MAX_KEYS = 50_000;
/** How long other processes do not know of a call. */
const SHARE_MS = 200;
/** A signal holds 2,000 characters. */
const KEYS_PER_SIGNAL = 80;

/**
 * A sliding window: calls of the previous window count less as the current one progresses. All keys share two
 * generations of counts, so that no key has to expire on its own and the oldest keys are dropped first. Processes that
 * serve one deployment tell each other what they have counted, a moment later.
 */
export function rateLimit(deps: {
	perMinute: number;
	clock: Clock;
	/** The same in all processes. */
	name?: string;
	signals?: Signals | undefined;
}): RateLimit {
	const { perMinute, clock, name = "", signals = noSignals } = deps;
	if (perMinute === 0) return { take: () => null };
	const toCounted = signals === noSignals ? (key: string) => key : hashKey;
	/** What other processes do not know yet. */
	let unshared = new Map<string, number>();
	signals.on(`rate ${name}`, addOthers);
	let started = Number.NEGATIVE_INFINITY;
	let current = new Map<string, number>();
	let previous = new Map<string, number>();

	return {
		take(caller) {
			const key = toCounted(caller);
			const now = clock.now();
			advance(now);
			const elapsed = now - started;
			const before = previous.get(key) ?? 0;
			const count = current.get(key) ?? 0;
			// Integers (milliseconds times calls), so nothing is rounded.
			if (before * (MINUTE_MS - elapsed) + (count + 1) * MINUTE_MS > perMinute * MINUTE_MS)
				return computeWaitSeconds({ perMinute, before, count, elapsed });
			if (count === 0 && current.size >= MAX_KEYS) startWindow(now);
			current.set(key, count + 1);
			if (signals !== noSignals) share(key);
			return null;
		},
	};

	function share(key: string): void {
		if (unshared.size === 0) setTimeout(sendUnshared, SHARE_MS).unref?.();
		unshared.set(key, (unshared.get(key) ?? 0) + 1);
	}

	function sendUnshared(): void {
		const counts = [...unshared];
		unshared = new Map();
		for (let at = 0; at < counts.length; at += KEYS_PER_SIGNAL)
			signals.send(`rate ${name}`, JSON.stringify(counts.slice(at, at + KEYS_PER_SIGNAL)));
	}

	function addOthers(text: string): void {
		advance(clock.now());
		for (const [key, count] of JSON.parse(text) as [string, number][])
			if (current.has(key) || current.size < MAX_KEYS) current.set(key, (current.get(key) ?? 0) + count);
	}

	function advance(now: number): void {
		const elapsed = now - started;
		if (elapsed >= 0 && elapsed < MINUTE_MS) return;
		if (elapsed >= 2 * MINUTE_MS) {
			startWindow(now);
			previous = new Map();
		} else if (elapsed >= MINUTE_MS) startWindow(started + MINUTE_MS);
		// The clock was set back.
		else started = now;
	}

	function startWindow(start: number): void {
		previous = current;
		current = new Map();
		started = start;
	}
}

/** 53 bits: a key may be the token of a webhook, which no other place must learn. */
function hashKey(key: string): string {
	let high = 0xdeadbeef;
	let low = 0x41c6ce57;
	for (let at = 0; at < key.length; at++) {
		const code = key.charCodeAt(at);
		high = Math.imul(high ^ code, 2_654_435_761);
		low = Math.imul(low ^ code, 1_597_334_677);
	}
	high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
	low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
	return (4_294_967_296 * (2_097_151 & low) + (high >>> 0)).toString(36);
}

function computeWaitSeconds(use: {
	perMinute: number;
	before: number;
	count: number;
	elapsed: number;
}): number {
	const { perMinute, before, count, elapsed } = use;
	// How many milliseconds into a window one more call fits, given the counts of the previous and the current window.
	const fits = (older: number, newer: number): number =>
		older === 0 ? 0 : MINUTE_MS - ((perMinute - 1 - newer) * MINUTE_MS) / older;
	const wait =
		count < perMinute ? fits(before, count) - elapsed : MINUTE_MS - elapsed + Math.max(0, fits(count, 0));
	return Math.max(1, Math.ceil(Math.ceil(wait) / 1000));
}
