import type { Meter } from "../meter.ts";
import type { Flow, Link } from "./flow.ts";

/** The nodes that run while others wait: those behind ON_WAIT edges. */
export interface Asides {
	/** Whether a node is reached only while another one waits. The run does not end with it. */
	has(place: number): boolean;
	/** What a node reads of another one: its output, what is known while it waits, or either, which cannot be read. */
	see(place: number, other: number): "output" | "wait" | "either";
	/** Where the run keeps what is known of a waiting node; undefined for a node without ON_WAIT edges. */
	slot(place: number): number | undefined;
}

const NONE: Asides = { has: () => false, see: () => "output", slot: () => undefined };

const isOnWait = ({ edge }: Link): boolean => edge.on === "ON_WAIT";

export function findAsides(flow: Flow, meter: Meter): Asides {
	const size = flow.graph.nodes.length;
	const waiting = [...new Set(flow.links.filter(isOnWait).map(({ from }) => from))];
	if (waiting.length === 0) return NONE;
	const starts = [...flow.graph.nodes.keys()].filter(
		(place) => flow.fromInput[place] || flow.incoming[place] === 0,
	);
	const main = reach(starts, (link) => !isOnWait(link));
	const behind = new Map(
		waiting.map((place) => {
			const links = flow.outgoing[place] ?? [];
			const follow = (some: readonly Link[]) =>
				reach(
					some.map(({ to }) => to),
					() => true,
				);
			return [
				place,
				{
					slot: size + waiting.indexOf(place),
					meanwhile: follow(links.filter(isOnWait)),
					after: follow(links.filter((link) => !isOnWait(link))),
				},
			] as const;
		}),
	);
	return {
		has: (place) => !main.has(place),
		see(place, other) {
			const sets = behind.get(other);
			if (sets === undefined || !sets.meanwhile.has(place)) return "output";
			return sets.after.has(place) ? "either" : "wait";
		},
		slot: (place) => behind.get(place)?.slot,
	};

	function reach(from: readonly number[], mayFollow: (link: Link) => boolean): ReadonlySet<number> {
		const found = new Set(from);
		// A set is iterated in the order of insertion, including what is added meanwhile.
		for (const place of found) {
			const links = flow.outgoing[place] ?? [];
			meter.spend(1 + links.length);
			for (const link of links) if (mayFollow(link)) found.add(link.to);
		}
		return found;
	}
}
