import type { Json } from "@tripline/contract/json";
import type { NodeCall, Wait } from "../component.ts";
import type { Frame } from "../frame.ts";
import { type Deadline, MAX_NODE_UNITS, Meter } from "../meter.ts";
import type { PlanNode } from "../plan.ts";
import { buildStep } from "./journal.ts";
import type { RunTurns } from "./options.ts";
import type { PendingNode, Scope } from "./scope.ts";
import { addLine, type Trace } from "./trace.ts";

/** Timers with longer delays fire immediately. */
const MAX_TIMER_MS = 2_147_483_647;

export type Timer = ReturnType<typeof setTimeout>;

export const startTimer = (ms: number, action: () => void): Timer =>
	setTimeout(action, Math.max(0, Math.min(ms, MAX_TIMER_MS)));

/** For one attempt in total, over any number of turns. */
const MAX_CALL_UNITS = 10 * MAX_NODE_UNITS;
/** Below this the component should yield: ten milliseconds are used up. */
const TURN_UNITS = 0.9 * MAX_NODE_UNITS;

/** Shared: creating one costs more than most nodes, and a run may cancel thousands. */
const ABORTED = new DOMException("This operation was aborted", "AbortError");

interface CallParts<Effects> {
	readonly effects: Effects;
	readonly trace: Trace<Effects>;
	/** Of the attempt. */
	readonly deadline: Deadline;
	readonly turns: RunTurns;
	readonly startedAt: number;
	readonly attempt: number;
	/** Whether its outcome is recorded, with the lines that it logs. */
	readonly isRecorded: boolean;
}

/** What a component receives for one attempt. */
export class Call<Effects> implements NodeCall<Effects> {
	readonly params: { readonly [name: string]: Json };
	readonly expressions: NodeCall<Effects>["expressions"];
	readonly node: NodeCall<Effects>["node"];
	private readonly parts: CallParts<Effects>;
	private readonly planned: PlanNode<Effects>;
	private readonly shared: Meter;
	private readonly frame: Frame;
	private own: Meter | null = null;
	private unitsLeft = MAX_CALL_UNITS;
	/** Units granted to each meter for this turn. */
	private granted = MAX_NODE_UNITS;
	private controller: AbortController | null = null;
	private isAborted = false;
	private abortReason: unknown = ABORTED;
	isCancelled = false;
	announced: Wait | null = null;
	/** Records that the attempt waits. Null if the run is not durable, or nobody reads it. */
	onAnnounce: ((wait: Wait) => Promise<void>) | null = null;
	/** Lines to record; null if they go to the trace at once. */
	readonly lines: string[] | null;
	/** In bytes. */
	private madeSoFar = 0;

	constructor(node: PlanNode<Effects>, frame: Frame, parts: CallParts<Effects>) {
		this.params = node.resolve === null ? node.params : node.resolve(frame);
		this.expressions = node.expressions === null ? NONE : node.expressions(frame);
		this.node = node;
		this.parts = parts;
		this.planned = node;
		this.shared = frame.roots.meter;
		this.frame = frame;
		this.lines = parts.isRecorded ? [] : null;
	}

	get step(): string {
		return buildStep(this.frame, this.node.id);
	}

	async announce(wait: Wait): Promise<void> {
		if (this.announced !== null) return;
		this.announced = wait;
		await this.onAnnounce?.(wait);
	}

	get startedAt(): number {
		return this.parts.startedAt;
	}

	get attempt(): number {
		return this.parts.attempt;
	}

	/** Data from outside the run counts as new in full. */
	get effects(): Effects {
		if (this.planned.component.isPure === true) throw new Error("a component that is pure has no effects");
		this.madeSoFar = Number.POSITIVE_INFINITY;
		return this.parts.effects;
	}

	/** Upper bound of the bytes newly allocated so far. */
	countMade(): number {
		this.madeSoFar += this.shared.takeBytes();
		if (this.own !== null) this.madeSoFar += this.own.takeBytes();
		return this.madeSoFar;
	}

	get meter(): Meter {
		this.own ??= new Meter(this.granted, this.parts.deadline);
		return this.own;
	}

	get needsTurn(): boolean {
		return this.shared.left < TURN_UNITS || (this.own !== null && this.own.left < TURN_UNITS);
	}

	async turn(): Promise<void> {
		const { own, shared, granted } = this;
		this.countMade();
		this.unitsLeft -= 2 * granted - shared.left - (own?.left ?? granted);
		await new Promise<void>((resolve) => this.parts.turns.later(resolve));
		this.signal.throwIfAborted();
		this.granted = Math.min(MAX_NODE_UNITS, this.unitsLeft);
		own?.restart(this.granted);
		shared.restart(this.granted, this.parts.deadline);
	}

	log(line: string): void {
		if (this.isAborted) return;
		if (this.lines === null) this.parts.trace.addLogLine(this.planned, line);
		else addLine(this.lines, line);
	}

	emit(text: string): void {
		if (!this.isAborted) this.parts.trace.passText(this.planned, text);
	}

	get signal(): AbortSignal {
		if (this.controller === null) {
			this.controller = new AbortController();
			if (this.isAborted) this.controller.abort(this.abortReason);
		}
		return this.controller.signal;
	}

	abort(reason: unknown = ABORTED): void {
		if (!this.isAborted) this.abortReason = reason;
		this.isAborted = true;
		this.controller?.abort(reason);
	}
}

const NONE = Object.freeze({});

/** A node in progress: a pending attempt, or the delay before the next one. */
export class Flight<Effects> implements PendingNode<Effects> {
	readonly scope: Scope<Effects>;
	readonly node: PlanNode<Effects>;
	readonly startedAt: number;
	/** Attempts so far, including the current one. */
	readonly tries: number;
	/** Null during a delay, and while a recorded outcome is awaited. */
	private readonly call: Call<Effects> | null;
	private readonly release: (() => void) | undefined;
	private timer: Timer | undefined;
	/** Later answers are ignored. */
	isOver = false;
	/** The run was cancelled: the node cleans up, and then only its ALWAYS edges are taken. */
	isCancelled = false;
	/** Whether it is the delay before the next attempt. */
	isDelay = false;
	onEnd: (() => void) | null = null;

	constructor(
		scope: Scope<Effects>,
		node: PlanNode<Effects>,
		startedAt: number,
		tries: number,
		call: Call<Effects> | null,
		release?: () => void,
	) {
		this.scope = scope;
		this.node = node;
		this.startedAt = startedAt;
		this.tries = tries;
		this.call = call;
		this.release = release;
		scope.addActivity(this);
	}

	setTimer(ms: number, action: () => void): void {
		this.timer = startTimer(ms, action);
	}

	end(): void {
		this.isOver = true;
		this.release?.();
		this.onEnd?.();
		if (this.timer !== undefined) clearTimeout(this.timer);
		this.scope.removeActivity(this);
	}

	cleanUp(): boolean {
		this.isCancelled = !this.isDelay && this.node.component.cleansUp === true;
		return this.isCancelled;
	}

	cancel(): void {
		this.end();
		this.call?.abort();
	}
}
