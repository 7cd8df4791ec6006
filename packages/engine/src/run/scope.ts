import type { Frame } from "../frame.ts";
import type { Region } from "../plan.ts";
import type { Flight } from "./flight.ts";
import type { Loop } from "./loop.ts";

type Activity<Effects> = Flight<Effects> | Loop<Effects>;

/** One pass through a region: the top level of a run, or a loop's body for one element. */
export class Scope<Effects> {
	readonly frame: Frame;
	readonly region: Region;
	/** The loop it is an element of; null at the top level. */
	readonly loop: Loop<Effects> | null;
	/** Nodes that have neither ended nor been skipped. */
	unsettled: number;
	/** Unsettled edges by the index of their target node; undefined means all of them. */
	readonly pending: (number | undefined)[];
	/** Whether an edge to the node was taken, by the node's index. */
	taken: (boolean | undefined)[];
	/** A failure was not handled: only nodes behind the failed node's ALWAYS edges still start. */
	isFailing = false;
	/** Cancelled as a whole: none of its nodes starts or settles any more. */
	isClosed = false;
	/** In a loop that collects errors, why nodes have no output, by index: their own failure or an earlier one. */
	blame: Map<number, string> | null = null;
	private activities: Set<Activity<Effects>> | null = null;

	/** `places` preallocates room for that many nodes; otherwise room is allocated as they settle. */
	constructor(frame: Frame, region: Region, loop: Loop<Effects> | null, places = 0) {
		this.frame = frame;
		this.region = region;
		this.loop = loop;
		this.unsettled = region.members.length;
		this.pending = new Array(places);
		this.taken = new Array(places);
	}

	/** Whether failures become list entries instead of failing the run. */
	get collectsErrors(): boolean {
		return this.loop !== null && this.loop.node.onItemError === "collect";
	}

	blameOn(place: number, message: string): void {
		this.blame ??= new Map();
		if (!this.blame.has(place)) this.blame.set(place, message);
	}

	addActivity(activity: Activity<Effects>): void {
		this.activities ??= new Set();
		this.activities.add(activity);
	}

	removeActivity(activity: Activity<Effects>): void {
		this.activities?.delete(activity);
	}

	/** Removes and returns all activities except `keep`. */
	releaseActivities(keep: Loop<Effects> | null): Activity<Effects>[] {
		if (this.activities === null) return [];
		const given = [...this.activities].filter((activity) => activity !== keep);
		for (const activity of given) this.activities.delete(activity);
		return given;
	}
}
