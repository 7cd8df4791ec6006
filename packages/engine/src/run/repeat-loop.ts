import type { Json } from "@tripline/contract/json";
import type { Evaluate, Frame } from "../frame.ts";
import { describeType } from "../issues.ts";
import type { PlanLoop, PlanNode } from "../plan.ts";
import { startTimer, type Timer } from "./flight.ts";
import { buildDelayKey } from "./journal.ts";
import type { Outputs } from "./output.ts";
import { type Loop, type PendingNode, Scope } from "./scope.ts";
import type { Steps } from "./steps.ts";

interface TurnParts {
	/** Null if the run is not durable. */
	readonly steps: Steps | null;
	readonly watch: { readonly now: number };
	/** Runs the continuation of a timer. */
	readonly enter: (action: () => void) => void;
}

/** The runner reads them; a component that repeats must have them. */
export interface RepeatParams {
	readonly max: number;
	readonly delay_ms: number;
}

/** The REPEAT edge of one node running its body turn after turn. */
export class RepeatLoop<Effects> implements Loop<Effects>, PendingNode<Effects> {
	readonly scope: Scope<Effects>;
	readonly node: PlanNode<Effects>;
	readonly startedAt: number;
	private readonly params: RepeatParams;
	/** What the turns hold is counted separately, because most of it is free again after the next turn. */
	private readonly outputs: Outputs;
	private current: Scope<Effects> | null = null;
	private last: Frame | undefined;
	private timer: Timer | undefined;
	private isCancelled = false;
	turns = 0;
	failure: string | null = null;
	readonly expected = null;
	readonly collectsErrors = false;

	constructor(scope: Scope<Effects>, node: PlanNode<Effects>, params: RepeatParams, startedAt: number) {
		this.scope = scope;
		this.node = node;
		this.params = params;
		this.startedAt = startedAt;
		this.outputs = scope.outputs.fork();
		scope.addActivity(this);
	}

	startTurn(): Scope<Effects> {
		const { frame } = this.scope;
		const turn = this.turns;
		const last = this.last?.outputs;
		if (last !== undefined) this.outputs.keepOnly(last);
		this.last = undefined;
		const body = (this.node.loops[0] as PlanLoop).body;
		this.current = new Scope(
			{ roots: frame.roots, parent: frame, outputs: [], item: turn, index: turn, last },
			body,
			this as Loop<Effects>,
			this.outputs,
		);
		this.turns += 1;
		return this.current;
	}

	/** Keeps the outputs for the next turn and for the nodes after the loop. */
	finishTurn(turn: Scope<Effects>): void {
		this.current = null;
		this.last = turn.frame;
	}

	/** Whether the turn that ended was the last one. Throws if that cannot be known, or if no further turn is allowed. */
	isDone(): boolean {
		const isMet = (this.node.until as Evaluate)(this.last as Frame);
		if (typeof isMet !== "boolean")
			throw new Error(`until must be true or false, not ${describeType(isMet)}; compare it with something`);
		if (isMet || this.turns < this.params.max) return isMet;
		throw new Error(`until was not true after ${this.turns} ${this.turns === 1 ? "turn" : "turns"}`);
	}

	/** Runs the action after the delay between two turns; without a delay at once. */
	scheduleTurn(action: () => void, { steps, watch, enter }: TurnParts): void {
		const { delay_ms } = this.params;
		if (delay_ms === 0) action();
		else if (steps === null) this.timer = startTimer(delay_ms, () => enter(action));
		else {
			const key = buildDelayKey(this.scope.frame, this.node.id, this.turns);
			steps.delay(key, watch.now + delay_ms, {
				isOver: () => this.isCancelled,
				wait: (ms, end) => {
					if (!this.isCancelled) this.timer = startTimer(ms, end);
				},
				end: () => {
					if (!this.isCancelled) action();
				},
			});
		}
	}

	cancel(): void {
		this.isCancelled = true;
		clearTimeout(this.timer);
	}

	listElements(): Scope<Effects>[] {
		return this.current === null ? [] : [this.current];
	}

	releaseElements(keep: Scope<Effects> | null): Scope<Effects>[] {
		if (this.current === keep) return [];
		const given = this.listElements();
		this.current = null;
		return given;
	}

	/** Publishes the outputs of the last turn to the nodes after the loop. */
	gather(): void {
		for (const place of (this.node.loops[0] as PlanLoop).all)
			this.scope.frame.outputs[place] = this.last?.outputs[place] as Json;
	}
}
