import type { Frame } from "../frame.ts";
import type { PlanNode, Region } from "../plan.ts";
import type { NodeSpan } from "./options.ts";
import type { Outputs } from "./output.ts";

/** A node that has started and not ended. The node of a FOREACH loop has ended before its elements start. */
export interface PendingNode<Effects> {
	readonly scope: Scope<Effects>;
	readonly node: PlanNode<Effects>;
	readonly startedAt: number;
	cancel(): void;
	/** Lets it go on only to clean up. False if it has to be cancelled instead. */
	cleanUp?(): boolean;
}

/** A node whose loop is running: the body for each element of its list, or turn after turn. */
export interface Loop<Effects> {
	/** The scope of the node. */
	readonly scope: Scope<Effects>;
	readonly node: PlanNode<Effects>;
	/** How many elements each body node runs for in the whole run; null if it is not known. */
	readonly expected: number | null;
	/** Whether failures of elements become entries of a list instead of failing the run. */
	readonly collectsErrors: boolean;
	/** Message of an element that failed; no further element starts. */
	failure: string | null;
	/** Elements in progress. */
	listElements(): Scope<Effects>[];
	/** Removes and returns all elements in progress except `keep`; the caller cancels them. */
	releaseElements(keep: Scope<Effects> | null): Scope<Effects>[];
}

type Activity<Effects> = PendingNode<Effects> | Loop<Effects>;

export const isPending = <Effects>(activity: Activity<Effects>): activity is PendingNode<Effects> =>
	"cancel" in activity;

export const isLoop = <Effects>(activity: Activity<Effects>): activity is Loop<Effects> =>
	"releaseElements" in activity;

/** One pass through a region: the top level of a run, or a loop's body for one element or one turn. */
export class Scope<Effects> {
	readonly frame: Frame;
	readonly region: Region;
	/** The loop it is an element or a turn of; null at the top level. */
	readonly loop: Loop<Effects> | null;
	/** Counts the outputs of its nodes. */
	readonly outputs: Outputs;
	/** Nodes that have neither ended nor been skipped. */
	unsettled: number;
	/** Unsettled edges by the index of their target node; undefined means all of them. */
	readonly pending: (number | undefined)[];
	/** Whether an edge to the node was taken, by the node's index. */
	taken: (boolean | undefined)[];
	/** Nodes whose ON_WAIT edges have been taken, by their index. */
	waited: Set<number> | null = null;
	/** The spans of nodes, by their index, if the run is traced. */
	spans: NodeSpan[] | null = null;
	/** A failure was not handled: only nodes behind the failed node's ALWAYS edges still start. */
	isFailing = false;
	/** Cancelled as a whole: none of its nodes starts or settles any more. */
	isClosed = false;
	/** In a loop that collects errors, why nodes have no output, by index: their own failure or an earlier one. */
	blame: Map<number, string> | null = null;
	/** In a loop that collects errors, the first failure with the name of its node. */
	firstError: string | null = null;
	private activities: Set<Activity<Effects>> | null = null;

	/** `places` preallocates room for that many nodes; otherwise room is allocated as they settle. */
	constructor(frame: Frame, region: Region, loop: Loop<Effects> | null, outputs: Outputs, places = 0) {
		this.frame = frame;
		this.region = region;
		this.loop = loop;
		this.outputs = outputs;
		this.unsettled = region.members.length;
		this.pending = new Array(places);
		this.taken = new Array(places);
	}

	/** Whether failures become list entries instead of failing the run. */
	get collectsErrors(): boolean {
		return this.loop?.collectsErrors === true;
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

	listActivities(): Activity<Effects>[] {
		return this.activities === null ? [] : [...this.activities];
	}

	/** Removes and returns all activities except `keep`. */
	releaseActivities(keep: Loop<Effects> | null): Activity<Effects>[] {
		const given = this.listActivities().filter((activity) => activity !== keep);
		for (const activity of given) this.activities?.delete(activity);
		return given;
	}
}
