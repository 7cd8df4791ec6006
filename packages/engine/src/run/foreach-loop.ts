import type { Json } from "@tripline/contract/json";
import type { PlanLoop, PlanNode } from "../plan.ts";
import { Halt } from "./halt.ts";
import type { Outputs } from "./output.ts";
import { type Loop, Scope } from "./scope.ts";

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
export class ForeachLoop<Effects> implements Loop<Effects> {
	readonly scope: Scope<Effects>;
	readonly node: PlanNode<Effects>;
	private readonly items: readonly Json[];
	/** Scopes of elements in progress. */
	private readonly elements = new Set<Scope<Effects>>();
	private readonly lists = new Map<number, Json[]>();
	private next = 0;
	private failed = 0;
	private firstError: string | null = null;
	failure: string | null = null;

	constructor(scope: Scope<Effects>, node: PlanNode<Effects>, items: readonly Json[]) {
		this.scope = scope;
		this.node = node;
		this.items = items;
		scope.addActivity(this);
	}

	get collectsErrors(): boolean {
		return this.node.onItemError === "collect";
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
			this.scope.outputs,
		);
		this.elements.add(element);
		return element;
	}

	/** Stores the outputs of the element's nodes. */
	finishElement(element: Scope<Effects>): void {
		this.elements.delete(element);
		if (this.failure !== null) return;
		const { outputs, index } = element.frame;
		if (element.firstError !== null) {
			this.failed += 1;
			this.firstError ??= `element ${index}: ${element.firstError}`;
		}
		const loop = this.node.loops.find(({ body }) => body === element.region) as PlanLoop;
		for (const place of loop.all) {
			const message = element.blame?.get(place);
			const output = message === undefined ? outputs[place] : { error: message };
			if (output !== undefined && output !== null) this.getList(place)[index as number] = output;
		}
	}

	get areAllFailed(): boolean {
		return this.failed > 0 && this.failed === this.total;
	}

	/** How many elements failed although the loop goes on, and why; null if none did. */
	describeFailed(): string | null {
		return this.firstError === null
			? null
			: `${this.failed} of ${this.total} elements failed; ${this.firstError}`;
	}

	listElements(): Scope<Effects>[] {
		return [...this.elements];
	}

	releaseElements(keep: Scope<Effects> | null): Scope<Effects>[] {
		const given = this.listElements().filter((element) => element !== keep);
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
			holdOrHalt(this.scope.outputs, this.items.length * ENTRY_BYTES);
		}
		return list;
	}
}
