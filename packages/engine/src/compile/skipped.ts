import { isLoopRelation } from "@tripline/contract/workflows";
import type { Flow, Link } from "./flow.ts";
import { findSharedLoop, findStandIn, type Scope } from "./names.ts";

/**
 * The condition under which a node runs, as a place in a tree: whenever it holds, so do the conditions above it. Nodes
 * that always run together share a condition.
 */
interface Condition {
	readonly above: Condition | null;
	readonly depth: number;
}

/** Tells whether a node may have no output when another one reads it. */
export type MayBeSkipped = (reader: number, other: number) => boolean;

export function findSkippable({ flow, reach }: Scope, order: readonly number[] | null): MayBeSkipped {
	if (reach === null || order === null) return () => false;
	const { loops } = reach;
	let conditions: ReturnType<typeof findConditions> | undefined;
	return (reader, other) => {
		conditions ??= findConditions(flow, order);
		// Outside its loop a node is there whenever the loop is.
		const there =
			loops.all.length === 0 ? other : findStandIn(loops, other, findSharedLoop(loops, reader, other));
		const whenRead = conditions.runs[reader];
		const whenThere = conditions.succeeds[there];
		return whenRead !== undefined && whenThere !== undefined && !isAbove(whenThere, whenRead);
	};
}

function findConditions(flow: Flow, order: readonly number[]) {
	const runs: Condition[] = [];
	const succeeds: Condition[] = [];
	const incoming: Condition[][] = flow.graph.nodes.map(() => []);
	const top: Condition = { above: null, depth: 0 };
	for (const place of order) {
		const ways = incoming[place] as Condition[];
		const isStart = flow.fromInput[place] || ways.length === 0;
		const own = isStart ? top : ways.length === 1 ? (ways[0] as Condition) : joinConditions(ways);
		runs[place] = own;
		const links = flow.outgoing[place] ?? [];
		if (links.every(isUnconditional)) {
			succeeds[place] = own;
			for (const { to } of links) incoming[to]?.push(own);
			continue;
		}
		const isHandled = links.some(({ edge }) => edge.on === "ON_FAIL");
		// A failure that no edge handles ends the run, so whatever runs then may count on the output.
		const success = isHandled ? nest(own) : own;
		succeeds[place] = success;
		const branches = new Map<string, Condition>();
		for (const link of links) {
			incoming[link.to]?.push(findEdgeCondition(link, own, success, branches));
		}
	}
	return { runs, succeeds };
}

const isUnconditional = ({ edge: { on } }: Link): boolean =>
	on === "ALWAYS" || on === "ON_SUCCESS" || isLoopRelation(on);

function findEdgeCondition(
	{ edge: { on, value = "" } }: Link,
	own: Condition,
	success: Condition,
	branches: Map<string, Condition>,
): Condition {
	if (on === "ALWAYS") return own;
	if (on === "ON_SUCCESS" || isLoopRelation(on)) return success;
	const key = `${on} ${value}`;
	const known = branches.get(key) ?? nest(on === "ON_FAIL" || on === "ON_WAIT" ? own : success);
	branches.set(key, known);
	return known;
}

const nest = (above: Condition): Condition => ({ above, depth: above.depth + 1 });

/** A node runs if any of its edges is taken: under the weakest of their conditions, else under one of its own. */
function joinConditions(ways: readonly Condition[]): Condition {
	const common = ways.reduce(findCommon);
	return ways.includes(common) ? common : nest(common);
}

function findCommon(a: Condition, b: Condition): Condition {
	let [one, other] = [a, b];
	while (one !== other) {
		if (one.depth >= other.depth) one = one.above as Condition;
		else other = other.above as Condition;
	}
	return one;
}

function isAbove(condition: Condition, other: Condition): boolean {
	let at: Condition | null = other;
	while (at !== null && at.depth > condition.depth) at = at.above;
	return at === condition;
}
