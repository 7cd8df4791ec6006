import type { Clock } from "@tripline/platform/clock";

/** Keeps at most `size` values, each for `milliseconds`. */
export function briefCache<Value>(options: { clock: Clock; milliseconds: number; size: number }) {
	const { clock, milliseconds, size } = options;
	const kept = new Map<string, { readonly value: Value; readonly until: number }>();
	let forgotten = 0;
	return {
		get(key: string): Value | undefined {
			const found = kept.get(key);
			return found !== undefined && clock.now() < found.until ? found.value : undefined;
		},
		/** Counts invalidations: a value read before the last one must not be stored after it. */
		age: (): number => forgotten,
		set(key: string, value: Value, generation = forgotten): void {
			if (generation !== forgotten) return;
			kept.delete(key);
			if (kept.size >= size) kept.delete(kept.keys().next().value as string);
			kept.set(key, { value, until: clock.now() + milliseconds });
		},
		forget(key: string): void {
			forgotten++;
			kept.delete(key);
		},
	};
}
