import type { Positions } from "../definition.ts";
import type { Report } from "../diagnostics.ts";
import type { Flow, Link } from "./flow.ts";

/** Sorts the nodes topologically. Null, with the cycles reported, if there are any. */
export function orderNodes(flow: Flow, positions: Positions, report: Report): number[] | null {
	const waiting = [...flow.incoming];
	const order: number[] = [];
	for (const [place, count] of waiting.entries()) if (count === 0) order.push(place);
	// The list grows during the iteration.
	for (const place of order) {
		for (const { to } of flow.outgoing[place] ?? []) {
			waiting[to] = (waiting[to] as number) - 1;
			if (waiting[to] === 0) order.push(to);
		}
	}
	if (order.length === waiting.length) return order;
	const left = new Set(waiting.keys());
	for (const place of order) left.delete(place);
	for (const cycle of findCycles(flow, left)) reportCycle(cycle, flow, positions, report);
	return null;
}

/** One cycle per strongly connected group: fixing it reveals the next. */
function* findCycles(flow: Flow, left: Set<number>): Generator<readonly Link[]> {
	const state = new Map<number, "open" | "done">();
	for (const start of left) {
		if (state.has(start)) continue;
		const cycle = findCycle(flow, left, start, state);
		if (cycle !== undefined) yield cycle;
	}
}

/** Depth-first search with an explicit stack: a chain of a thousand nodes must not exhaust the call stack. */
function findCycle(
	flow: Flow,
	left: ReadonlySet<number>,
	start: number,
	state: Map<number, "open" | "done">,
): readonly Link[] | undefined {
	const trail: { readonly place: number; next: number; readonly by: Link | null }[] = [];
	let cycle: readonly Link[] | undefined;
	trail.push({ place: start, next: 0, by: null });
	state.set(start, "open");
	for (let top = trail.at(-1); top !== undefined; top = trail.at(-1)) {
		const link = flow.outgoing[top.place]?.[top.next++];
		if (link === undefined) {
			state.set(top.place, "done");
			trail.pop();
		} else if (state.get(link.to) === "open") {
			cycle ??= toCycle(trail, link);
		} else if (left.has(link.to) && !state.has(link.to)) {
			state.set(link.to, "open");
			trail.push({ place: link.to, next: 0, by: link });
		}
	}
	return cycle;
}

function toCycle(trail: readonly { place: number; by: Link | null }[], last: Link): readonly Link[] {
	const begin = trail.findIndex(({ place }) => place === last.to);
	return [...trail.slice(begin + 1).flatMap(({ by }) => by ?? []), last];
}

function reportCycle(cycle: readonly Link[], flow: Flow, positions: Positions, report: Report): void {
	const first = cycle.reduce((best, { from }, index) => (from < (cycle[best]?.from ?? 0) ? index : best), 0);
	const turned = [...cycle.slice(first), ...cycle.slice(0, first)];
	const names = [...turned.map(({ from }) => from), turned[0]?.from ?? 0].map(
		(at) => flow.graph.nodes[at]?.id,
	);
	const closes = Math.max(...cycle.map(({ index }) => index));
	const path = names.length > 12 ? [...names.slice(0, 6), "…", ...names.slice(-5)] : names;
	const spot = positions.edges[closes]?.from ?? { path: [] };
	report.error(
		"cycle",
		`the edges form a cycle: ${path.join(" >> ")}`,
		spot,
		"To repeat for each element, use FOREACH; to repeat until a condition holds, use REPEAT",
	);
}
