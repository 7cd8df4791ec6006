import type { Meter } from "@tripline/engine/meter";
import type { Automaton } from "./pattern-places.ts";

/** The cost of comparing the character sets of two positions. */
const UNITS_PER_PAIR = 20;

/**
 * Whether matching can take exponential time: some position leads back to itself by two different paths over the same
 * characters. Such paths are cycles in the graph of position pairs.
 */
export function isExponential({ takes, after }: Automaton, meter: Meter): boolean {
	const count = takes.length;
	const order = new Map<number, number>();
	const lowest = new Map<number, number>();
	const open: number[] = [];
	const isOpen = new Set<number>();

	for (let place = 0; place < count; place++) {
		if (!order.has(toPair(place, place)) && hasAmbiguousCycle(toPair(place, place))) return true;
	}
	return false;

	/** Tarjan's strongly connected components, iterative because a pattern may be long. */
	function hasAmbiguousCycle(start: number): boolean {
		const path = [{ pair: start, next: listNext(start) }];
		visit(start);
		for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
			const { value: next, done } = step.next.next();
			if (done !== true) {
				if (!order.has(next)) {
					visit(next);
					path.push({ pair: next, next: listNext(next) });
				} else if (isOpen.has(next)) lower(step.pair, order.get(next) as number);
				continue;
			}
			path.pop();
			const above = path.at(-1);
			if (above !== undefined) lower(above.pair, lowest.get(step.pair) as number);
			if (lowest.get(step.pair) === order.get(step.pair) && isAmbiguousRing(closeRing(step.pair)))
				return true;
		}
		return false;
	}

	function visit(pair: number): void {
		order.set(pair, order.size);
		lowest.set(pair, order.size - 1);
		open.push(pair);
		isOpen.add(pair);
	}

	function lower(pair: number, to: number): void {
		lowest.set(pair, Math.min(lowest.get(pair) as number, to));
	}

	function closeRing(last: number): Set<number> {
		const ring = new Set<number>();
		for (;;) {
			const pair = open.pop() as number;
			isOpen.delete(pair);
			ring.add(pair);
			if (pair === last) return ring;
		}
	}

	function isAmbiguousRing(ring: ReadonlySet<number>): boolean {
		const same = [...ring].filter((pair) => Math.floor(pair / count) === pair % count);
		if (same.length === 0) return false;
		if (same.length < ring.size) return true;
		return same.some((pair) =>
			[...(after[pair % count] ?? [])].some(([next, ways]) => ways > 1 && ring.has(toPair(next, next))),
		);
	}

	function* listNext(pair: number): Generator<number, undefined> {
		const [one, other] = [Math.floor(pair / count), pair % count];
		for (const next of after[one]?.keys() ?? []) {
			for (const beside of after[other]?.keys() ?? []) {
				meter.spend(UNITS_PER_PAIR);
				if (intersects(takes[next] as Int32Array, takes[beside] as Int32Array)) yield toPair(next, beside);
			}
		}
		return undefined;
	}

	/** Pairs are unordered. */
	function toPair(one: number, other: number): number {
		return one < other ? one * count + other : other * count + one;
	}
}

function intersects(one: Int32Array, other: Int32Array): boolean {
	for (let index = 0; index < one.length; index++) {
		if (((one[index] as number) & (other[index] as number)) !== 0) return true;
	}
	return false;
}
