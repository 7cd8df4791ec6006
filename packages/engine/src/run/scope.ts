import type { Json } from "@tripline/contract/json";
import type { Frame } from "../frame.ts";
import type { PlanLoop, PlanNode, Region } from "../plan.ts";
import { Halt } from "./halt.ts";
import type { Outputs } from "./output.ts";

/** A node that has started and not ended. */
export interface PendingNode<Effects> {
	readonly scope: Scope<Effects>;
	readonly node: PlanNode<Effects>;
	readonly startedAt: number;
	cancel(): void;
}

type Activity<Effects> = PendingNode<Effects> | Loop<Effects>;

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

/** Rough cost of one entry of a list. */
const ENTRY_BYTES = 8;

/** The list belongs to the loop, not to a node that could fail, so exceeding the limit ends the run. */
function holdOrHalt(outputs: Outputs, bytes: number): void {
	try {
		outputs.hold(bytes);
	} catch (error) {
		throw new Halt((error as Error).message);
	}
}

/** The FOREACH edges of one node iterating over its list, `concurrency` elements at a time in total. */
export class Loop<Effects> {
	/** The scope of the node. */
	readonly scope: Scope<Effects>;
	readonly node: PlanNode<Effects>;
	private readonly items: readonly Json[];
	private readonly outputs: Outputs;
	/** Scopes of elements in progress. */
	private readonly elements = new Set<Scope<Effects>>();
	private readonly lists = new Map<number, Json[]>();
	private next = 0;
	/** Message of an element that failed; no further element starts. */
	failure: string | null = null;

	constructor(scope: Scope<Effects>, node: PlanNode<Effects>, items: readonly Json[], outputs: Outputs) {
		this.scope = scope;
		this.node = node;
		this.items = items;
		this.outputs = outputs;
		scope.addActivity(this);
	}

	/** Minimum number of nodes it will run. */
	get minSteps(): number {
		return this.node.loops.reduce((sum, loop) => sum + loop.body.starts.length * this.items.length, 0);
	}

	get isOver(): boolean {
		return this.elements.size === 0 && (this.failure !== null || this.next === this.total);
	}

	private get total(): number {
		return this.items.length * this.node.loops.length;
	}

	/** How many elements each body node runs for in the whole run; null in a nested loop, where it is not known. */
	get expected(): number | null {
		return this.scope.loop === null ? this.items.length : null;
	}

	/** The scope of the next element, or null if none may start now. */
	startNextElement(): Scope<Effects> | null {
		if (this.failure !== null || this.next === this.total) return null;
		if (this.elements.size >= this.node.concurrency) return null;
		const index = this.next % this.items.length;
		const loop = this.node.loops[Math.floor(this.next / this.items.length)] as PlanLoop;
		this.next += 1;
		const { roots } = this.scope.frame;
		const item = this.items[index] as Json;
		const element = new Scope(
			{ roots, parent: this.scope.frame, outputs: [], item, index },
			loop.body,
			this as Loop<Effects>,
		);
		this.elements.add(element);
		return element;
	}

	/** Stores the outputs of the element's nodes. */
	finishElement(element: Scope<Effects>): void {
		this.elements.delete(element);
		if (this.failure !== null) return;
		const { outputs, index } = element.frame;
		const loop = this.node.loops.find(({ body }) => body === element.region) as PlanLoop;
		for (const place of loop.all) {
			const message = element.blame?.get(place);
			const output = message === undefined ? outputs[place] : { error: message };
			if (output !== undefined && output !== null) this.getList(place)[index as number] = output;
		}
	}

	/** Removes and returns all elements in progress except `keep`; the caller cancels them. */
	releaseElements(keep: Scope<Effects> | null): Scope<Effects>[] {
		const given = [...this.elements].filter((element) => element !== keep);
		for (const element of given) this.elements.delete(element);
		return given;
	}

	/** Publishes the lists to the nodes after the loop. */
	gather(): void {
		let nulls: Json[] | undefined;
		for (const { all } of this.node.loops) {
			for (const place of all) {
				nulls ??= new Array<Json>(this.items.length).fill(null);
				this.scope.frame.outputs[place] = this.lists.get(place) ?? nulls;
			}
		}
	}

	/** Created on first use, so that nodes that never run cost no list. */
	private getList(place: number): Json[] {
		let list = this.lists.get(place);
		if (list === undefined) {
			list = new Array<Json>(this.items.length).fill(null);
			this.lists.set(place, list);
			holdOrHalt(this.outputs, this.items.length * ENTRY_BYTES);
		}
		return list;
	}
}
