import type { Json } from "@tripline/contract/json";
import type { Roots } from "../frame.ts";
import type { Plan, PlanEdge, PlanNode } from "../plan.ts";
import { findMisfit, isTakenOnFailure, isTakenOnSuccess } from "./edges.ts";
import { Halt, TOO_MANY_STEPS } from "./halt.ts";
import type { Outputs } from "./output.ts";
import type { Queue } from "./queue.ts";
import { Loop, type PendingNode, Scope } from "./scope.ts";
import type { Trace } from "./trace.ts";
import type { Watch } from "./watch.ts";

interface Parts<Effects> {
	readonly queue: Queue<Effects>;
	readonly outputs: Outputs;
	readonly trace: Trace<Effects>;
	readonly watch: Watch;
	readonly budget: { readonly stepsLeft: number };
}

/** Propagates results: settling a node queues every node whose incoming edges are then all settled. */
export class Flow<Effects> {
	readonly top: Scope<Effects>;
	/** Indexes of top-level nodes that succeeded and took no edge. */
	readonly ends: number[] = [];
	/** The first unhandled failure. */
	failure: { readonly error: string; readonly failedNode: string } | null = null;
	private readonly nodes: readonly PlanNode<Effects>[];
	private readonly parts: Parts<Effects>;

	constructor(plan: Plan<Effects>, roots: Roots, parts: Parts<Effects>) {
		const size = plan.nodes.length;
		this.nodes = plan.nodes;
		this.parts = parts;
		this.top = new Scope<Effects>({ roots, parent: null, outputs: new Array(size) }, plan.region, null, size);
	}

	open(scope: Scope<Effects>): void {
		for (const place of scope.region.starts) {
			scope.taken[place] = true;
			if (this.node(place).incoming === 0) this.parts.queue.push(scope, place);
		}
	}

	node(place: number): PlanNode<Effects> {
		return this.nodes[place] as PlanNode<Effects>;
	}

	skip(scope: Scope<Effects>, node: PlanNode<Effects>): void {
		this.parts.trace.recordSkip(scope, node);
		const blame = scope.blame?.get(node.place);
		if (blame !== undefined) this.blameBodies(scope, node, blame);
		this.leaveAll(scope, node, blame);
	}

	succeed(scope: Scope<Effects>, node: PlanNode<Effects>, ms: number, output: Json): void {
		const problem = findMisfit(node, output);
		if (problem !== null) {
			this.fail(scope, node, ms, problem);
			return;
		}
		this.parts.trace.recordEnd(scope, node, "success", ms);
		scope.frame.outputs[node.place] = output;
		if (node.loops.length === 0) this.followSuccess(scope, node, output);
		else this.advance(this.createLoop(scope, node, output as Json[]));
	}

	fail(scope: Scope<Effects>, node: PlanNode<Effects>, ms: number, message: string): void {
		this.parts.trace.recordEnd(scope, node, "failed", ms, message);
		if (node.edges.some(({ on }) => on === "ON_FAIL")) {
			this.followFailure(scope, node);
		} else if (scope.collectsErrors) {
			scope.blameOn(node.place, message);
			this.blameBodies(scope, node, message);
			this.followFailure(scope, node, message);
		} else {
			this.raise(scope, node, message);
			this.followFailure(scope, node);
		}
	}

	/** Cancels everything in progress in the scope; none of it settles any more. */
	close(scope: Scope<Effects>): void {
		scope.isClosed = true;
		for (const activity of scope.releaseActivities(null)) this.cancel(activity);
	}

	/**
	 * Stops the scopes around a failure, up to the top level, a loop that collects errors, or a scope that is already
	 * failing (a failed cleanup stops nothing). The failed node itself settles afterwards.
	 */
	private raise(from: Scope<Effects>, node: PlanNode<Effects>, message: string): void {
		let scope = from;
		let path = "";
		let within: Loop<Effects> | null = null;
		while (!scope.isFailing && !scope.collectsErrors) {
			scope.isFailing = true;
			scope.taken = [];
			for (const activity of scope.releaseActivities(within)) {
				this.cancel(activity);
				this.leaveAll(scope, activity.node);
			}
			within = scope.loop;
			if (within === null) {
				this.failure = { error: `${node.id}${path}: ${message}`, failedNode: node.id };
				return;
			}
			path = `[${scope.frame.index}]${path}`;
			within.failure = `${node.id}${path}: ${message}`;
			for (const element of within.releaseElements(scope)) this.close(element);
			scope = within.scope;
		}
	}

	private cancel(activity: PendingNode<Effects> | Loop<Effects>): void {
		if (activity instanceof Loop) {
			for (const element of activity.releaseElements(null)) this.close(element);
		} else {
			activity.cancel();
			const { scope, node, startedAt } = activity;
			this.parts.trace.recordEnd(scope, node, "cancelled", this.parts.watch.now - startedAt);
		}
	}

	private createLoop(scope: Scope<Effects>, node: PlanNode<Effects>, items: Json[]): Loop<Effects> {
		const loop = new Loop(scope, node, items, this.parts.outputs);
		// Fail before the first element rather than halfway.
		if (loop.minSteps > this.parts.budget.stepsLeft) throw new Halt(TOO_MANY_STEPS);
		return loop;
	}

	private advance(loop: Loop<Effects>): void {
		for (let element = loop.startNextElement(); element !== null; element = loop.startNextElement())
			this.open(element);
		if (!loop.isOver) return;
		const { scope, node, failure } = loop;
		scope.removeActivity(loop);
		if (failure === null) {
			loop.gather();
			this.followSuccess(scope, node, scope.frame.outputs[node.place] as Json);
			return;
		}
		const blame = scope.collectsErrors ? failure : undefined;
		if (blame !== undefined) this.blameBodies(scope, node, blame);
		// ON_FAIL handles only a failure of the node itself, not of an element.
		for (const edge of node.edges) this.arrive(scope, edge, edge.on === "ALWAYS", blame);
		this.settle(scope);
	}

	private followSuccess(scope: Scope<Effects>, node: PlanNode<Effects>, output: Json): void {
		let isEnd = scope.loop === null;
		for (const edge of node.edges) {
			const taken = isTakenOnSuccess(edge, node.edges, output);
			if (taken) isEnd = false;
			this.arrive(scope, edge, taken);
		}
		if (isEnd) this.ends.push(node.place);
		this.settle(scope);
	}

	private followFailure(scope: Scope<Effects>, node: PlanNode<Effects>, blame?: string): void {
		for (const edge of node.edges) this.arrive(scope, edge, isTakenOnFailure(edge), blame);
		this.settle(scope);
	}

	private leaveAll(scope: Scope<Effects>, node: PlanNode<Effects>, blame?: string): void {
		for (const edge of node.edges) this.arrive(scope, edge, false, blame);
		this.settle(scope);
	}

	private arrive(scope: Scope<Effects>, { to }: PlanEdge, taken: boolean, blame?: string): void {
		if (taken) scope.taken[to] = true;
		else if (blame !== undefined) scope.blameOn(to, blame);
		const pending = (scope.pending[to] ?? this.node(to).incoming) - 1;
		scope.pending[to] = pending;
		if (pending === 0) this.parts.queue.push(scope, to);
	}

	private settle(scope: Scope<Effects>): void {
		scope.unsettled -= 1;
		if (scope.unsettled > 0 || scope.loop === null) return;
		scope.loop.finishElement(scope);
		this.advance(scope.loop);
	}

	private blameBodies(scope: Scope<Effects>, node: PlanNode<Effects>, message: string): void {
		for (const { all } of node.loops) for (const place of all) scope.blameOn(place, message);
	}
}
