import type { Json } from "@tripline/contract/json";
import type { Roots } from "../frame.ts";
import { MAX_NODE_UNITS } from "../meter.ts";
import type { Plan, PlanEdge, PlanNode, Region } from "../plan.ts";
import { CourseLoop } from "./course-loop.ts";
import { findMisfit, isTakenOnFailure, isTakenOnSuccess } from "./edges.ts";
import { ForeachLoop } from "./foreach-loop.ts";
import { CANCELLED, describeTooManySteps, Halt } from "./halt.ts";
import { toMessage } from "./message.ts";
import type { Budget } from "./options.ts";
import type { Outputs } from "./output.ts";
import type { Queue } from "./queue.ts";
import { RepeatLoop, type RepeatParams } from "./repeat-loop.ts";
import { isLoop, isPending, type Loop, type PendingNode, Scope } from "./scope.ts";
import type { Steps } from "./steps.ts";
import type { Trace } from "./trace.ts";
import type { Watch } from "./watch.ts";

interface Parts<Effects> {
	readonly queue: Queue<Effects>;
	readonly outputs: Outputs;
	readonly trace: Trace<Effects>;
	readonly watch: Watch;
	readonly budget: Readonly<Budget>;
	/** Runs the continuation of a timer. */
	readonly enter: (action: () => void) => void;
	/** Null if the run is not durable. */
	readonly steps: Steps | null;
}

/** Propagates results: settling a node queues every node whose incoming edges are then all settled. */
export class Flow<Effects> {
	readonly top: Scope<Effects>;
	/** Indexes of top-level nodes that succeeded and took no edge. */
	readonly ends: number[] = [];
	/** The first unhandled failure, or that the run was cancelled. */
	failure: { readonly error: string; readonly failedNode?: string } | null = null;
	/** A loop all of whose elements failed, although the run goes on. */
	warning: string | null = null;
	/** Nodes in the loops that each node started, by its index: about the steps that they took. */
	private readonly loopSteps: number[] = [];
	private readonly nodes: readonly PlanNode<Effects>[];
	private readonly parts: Parts<Effects>;

	constructor(plan: Plan<Effects>, roots: Roots, parts: Parts<Effects>) {
		const size = plan.nodes.length;
		this.nodes = plan.nodes;
		this.parts = parts;
		const frame = { roots, parent: null, outputs: new Array(size) };
		this.top = new Scope<Effects>(frame, plan.region, null, parts.outputs, size);
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

	/** The message of a run that takes too many steps: the loop that used most of them is to blame. */
	describeTooManySteps(): string {
		let most: number | undefined;
		for (const place of this.loopSteps.keys())
			if ((this.loopSteps[place] ?? 0) > (most === undefined ? 0 : (this.loopSteps[most] as number)))
				most = place;
		return describeTooManySteps(this.parts.budget, most === undefined ? undefined : this.node(most));
	}

	skip(scope: Scope<Effects>, node: PlanNode<Effects>): void {
		this.parts.trace.recordSkip(scope, node);
		const blame = scope.blame?.get(node.place);
		if (blame !== undefined) this.blameBodies(scope, node, blame);
		this.leaveAll(scope, node, blame);
	}

	succeed(scope: Scope<Effects>, node: PlanNode<Effects>, ms: number, output: Json): void {
		if (node.until !== null) {
			this.startRepeat(scope, node, ms);
			return;
		}
		if (node.steps !== null) {
			this.startCourse(scope, node, ms);
			return;
		}
		this.finish(scope, node, ms, output);
	}

	private finish(scope: Scope<Effects>, node: PlanNode<Effects>, ms: number, output: Json): void {
		const problem = findMisfit(node, output);
		if (problem !== null) {
			this.fail(scope, node, ms, problem);
			return;
		}
		this.parts.trace.recordEnd(scope, node, "success", ms, undefined, output);
		scope.frame.outputs[node.place] = output;
		if (node.loops.length === 0) this.followSuccess(scope, node, output);
		else this.advance(this.createForeach(scope, node, output as Json[]));
	}

	fail(scope: Scope<Effects>, node: PlanNode<Effects>, ms: number, message: string): void {
		this.parts.trace.recordEnd(scope, node, "failed", ms, message);
		if (handlesFailure(node)) {
			this.followFailure(scope, node);
		} else if (scope.collectsErrors) {
			scope.firstError ??= `${node.id}: ${message}`;
			scope.blameOn(node.place, message);
			this.blameBodies(scope, node, message);
			this.followFailure(scope, node, message);
		} else {
			this.raise(scope, node, message);
			this.followFailure(scope, node);
		}
	}

	/** A node, or a step of it, waits: what is known of it meanwhile can be read behind its ON_WAIT edges. */
	wait(attempted: Scope<Effects>, attemptedNode: PlanNode<Effects>, known: Json): void {
		const { scope, node } = findWaiting(attempted, attemptedNode);
		if (node.waitSlot === null || scope.waited?.has(node.place)) return;
		scope.frame.outputs[node.waitSlot] = known;
		scope.waited ??= new Set();
		scope.waited.add(node.place);
		for (const edge of node.edges) if (edge.on === "ON_WAIT") this.arrive(scope, edge, true);
	}

	/** Ends everything in progress; from there on only what its ALWAYS edges lead to starts. */
	cancelAll(scope: Scope<Effects> = this.top): void {
		this.failure = { error: CANCELLED };
		scope.isFailing = true;
		scope.taken = [];
		for (const activity of scope.listActivities()) {
			const elements = isLoop(activity) ? activity.listElements() : [];
			if (isLoop(activity)) activity.failure = CANCELLED;
			for (const element of elements) this.cancelAll(element);
			// A loop ends with its elements.
			if (elements.length > 0 || !isPending(activity) || activity.cleanUp?.() === true) continue;
			this.cancel(activity);
			scope.removeActivity(activity);
			this.takeAlways(scope, activity.node);
		}
	}

	/** Ends a node that has cleaned up. */
	endCancelled(scope: Scope<Effects>, node: PlanNode<Effects>, ms: number): void {
		this.parts.trace.recordEnd(scope, node, "cancelled", ms);
		this.takeAlways(scope, node);
	}

	/** Cancels everything in progress in the scope; none of it settles any more. */
	close(scope: Scope<Effects>): void {
		scope.isClosed = true;
		for (const activity of scope.releaseActivities(null)) this.cancel(activity);
	}

	/**
	 * Stops the scopes around a failure, up to the top level, a loop that collects errors or whose node handles it, or a
	 * scope that is already failing (a failed cleanup stops nothing). The failed node itself settles afterwards.
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
			if (within.node.until !== null && handlesFailure(within.node)) return;
			scope = within.scope;
		}
	}

	private cancel(activity: PendingNode<Effects> | Loop<Effects>): void {
		if (isLoop(activity)) for (const element of activity.releaseElements(null)) this.close(element);
		if (!isPending(activity)) return;
		activity.cancel();
		const { scope, node, startedAt } = activity;
		this.parts.trace.recordEnd(scope, node, "cancelled", this.parts.watch.now - startedAt);
	}

	/** The node itself ends with its last turn. */
	private startRepeat(scope: Scope<Effects>, node: PlanNode<Effects>, ms: number): void {
		const { watch } = this.parts;
		const params = node.resolve === null ? node.params : node.resolve(scope.frame);
		const loop = new RepeatLoop(scope, node, params as unknown as RepeatParams, watch.now - ms);
		this.startTurn(loop);
	}

	private startTurn(loop: RepeatLoop<Effects>): void {
		const turn = loop.startTurn();
		this.countSteps(loop.node, turn.region);
		this.open(turn);
	}

	private finishTurn(loop: RepeatLoop<Effects>, turn: Scope<Effects>): void {
		const { trace, watch } = this.parts;
		const { scope, node } = loop;
		loop.finishTurn(turn);
		let problem = loop.failure;
		try {
			scope.frame.roots.meter.restart(MAX_NODE_UNITS, watch.checkRun);
			if (problem === null && !loop.isDone()) {
				watch.read();
				loop.scheduleTurn(() => this.startTurn(loop), this.parts);
				return;
			}
		} catch (error) {
			if (error instanceof Halt) throw error.within(scope, node);
			problem = toMessage(error);
		}
		scope.removeActivity(loop);
		loop.gather();
		const ms = watch.read() - loop.startedAt;
		if (problem === CANCELLED) {
			this.endCancelled(scope, node, ms);
			return;
		}
		if (problem !== null) {
			this.fail(scope, node, ms, problem);
			return;
		}
		const output = { turns: loop.turns };
		trace.recordEnd(scope, node, "success", ms, undefined, output);
		scope.frame.outputs[node.place] = output;
		this.followSuccess(scope, node, output);
	}

	/** The node itself ends with its course. */
	private startCourse(scope: Scope<Effects>, node: PlanNode<Effects>, ms: number): void {
		const { watch } = this.parts;
		const params = node.resolve === null ? node.params : node.resolve(scope.frame);
		this.continueCourse(new CourseLoop(scope, node, params, watch.now - ms));
	}

	private continueCourse(loop: CourseLoop<Effects>): void {
		const { trace, watch } = this.parts;
		const { scope, node } = loop;
		const ms = watch.read() - loop.startedAt;
		if (loop.failure === CANCELLED) {
			scope.removeActivity(loop);
			this.endCancelled(scope, node, ms);
			return;
		}
		let output: Json;
		try {
			const { meter } = scope.frame.roots;
			meter.restart(MAX_NODE_UNITS, watch.checkRun);
			const log = (line: string) => trace.addLogLine(node, line);
			const next = loop.decide({ elapsedMs: ms, meter, log });
			if ("steps" in next) {
				for (const step of loop.startBatch(next.steps)) {
					this.countSteps(node, step.region);
					this.open(step);
				}
				return;
			}
			output = scope.outputs.accept(next.output, Number.POSITIVE_INFINITY);
		} catch (error) {
			if (error instanceof Halt) throw error.within(scope, node);
			scope.removeActivity(loop);
			this.fail(scope, node, ms, toMessage(error));
			return;
		}
		scope.removeActivity(loop);
		this.finish(scope, node, ms, output);
	}

	private createForeach(scope: Scope<Effects>, node: PlanNode<Effects>, items: Json[]): ForeachLoop<Effects> {
		const loop = new ForeachLoop(scope, node, items);
		// Fail before the first element rather than halfway.
		if (loop.minSteps > this.parts.budget.stepsLeft)
			throw new Halt(describeTooManySteps(this.parts.budget, node));
		return loop;
	}

	private advance(loop: ForeachLoop<Effects>): void {
		for (let element = loop.startNextElement(); element !== null; element = loop.startNextElement()) {
			this.countSteps(loop.node, element.region);
			this.open(element);
		}
		if (!loop.isOver) return;
		const { scope, node, failure } = loop;
		scope.removeActivity(loop);
		if (failure === null) {
			loop.gather();
			this.recordFailed(loop);
			this.followSuccess(scope, node, scope.frame.outputs[node.place] as Json);
			return;
		}
		const blame = scope.collectsErrors ? failure : undefined;
		if (blame !== undefined) {
			scope.firstError ??= blame;
			this.blameBodies(scope, node, blame);
		}
		// ON_FAIL handles only a failure of the node itself, not of an element.
		this.takeAlways(scope, node, blame);
	}

	private followSuccess(scope: Scope<Effects>, node: PlanNode<Effects>, output: Json): void {
		let isEnd = scope.loop === null && !node.isAside;
		for (const edge of this.listLeft(scope, node)) {
			const taken = isTakenOnSuccess(edge, node.edges, output);
			if (taken) isEnd = false;
			this.arrive(scope, edge, taken);
		}
		if (isEnd) this.ends.push(node.place);
		this.settle(scope);
	}

	private followFailure(scope: Scope<Effects>, node: PlanNode<Effects>, blame?: string): void {
		for (const edge of this.listLeft(scope, node)) this.arrive(scope, edge, isTakenOnFailure(edge), blame);
		this.settle(scope);
	}

	private takeAlways(scope: Scope<Effects>, node: PlanNode<Effects>, blame?: string): void {
		for (const edge of this.listLeft(scope, node)) this.arrive(scope, edge, edge.on === "ALWAYS", blame);
		this.settle(scope);
	}

	private leaveAll(scope: Scope<Effects>, node: PlanNode<Effects>, blame?: string): void {
		for (const edge of this.listLeft(scope, node)) this.arrive(scope, edge, false, blame);
		this.settle(scope);
	}

	/** The edges of a node that ends. */
	private listLeft(scope: Scope<Effects>, node: PlanNode<Effects>): readonly PlanEdge[] {
		if (scope.waited === null || !scope.waited.has(node.place)) return node.edges;
		return node.edges.filter(({ on }) => on !== "ON_WAIT");
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
		const { loop } = scope;
		if (loop instanceof ForeachLoop) {
			loop.finishElement(scope);
			this.advance(loop);
		} else if (loop instanceof RepeatLoop) this.finishTurn(loop, scope);
		else if (loop instanceof CourseLoop) {
			loop.finishStep(scope);
			if (loop.isOver) this.continueCourse(loop);
		}
	}

	private countSteps({ place }: PlanNode<Effects>, { members }: Region): void {
		this.loopSteps[place] = (this.loopSteps[place] ?? 0) + members.length;
	}

	private recordFailed(loop: ForeachLoop<Effects>): void {
		const failed = loop.describeFailed();
		if (failed === null) return;
		this.parts.trace.addLogLine(loop.node, failed);
		if (loop.areAllFailed) this.warning ??= `${loop.node.id}: ${failed}`;
	}

	private blameBodies(scope: Scope<Effects>, node: PlanNode<Effects>, message: string): void {
		for (const { all } of node.loops) for (const place of all) scope.blameOn(place, message);
	}
}

/** The node that waits while one is attempted: a step belongs to the node whose course it is in. */
export function findWaiting<Effects>(
	scope: Scope<Effects>,
	node: PlanNode<Effects>,
): Pick<PendingNode<Effects>, "scope" | "node"> {
	return scope.loop instanceof CourseLoop ? scope.loop : { scope, node };
}

const handlesFailure = <Effects>({ edges }: PlanNode<Effects>): boolean =>
	edges.some(({ on }) => on === "ON_FAIL");
