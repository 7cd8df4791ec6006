import type { Json } from "@tripline/contract/json";
import type { Evaluate } from "../frame.ts";
import { MAX_NODE_UNITS, Meter } from "../meter.ts";
import type { Plan } from "../plan.ts";
import { startTimer, type Timer } from "./flight.ts";
import { Flow } from "./flow.ts";
import { CANCELLED, describeTimeout, Halt, TimedOut } from "./halt.ts";
import { toMessage } from "./message.ts";
import type { RunOptions, RunTurns } from "./options.ts";
import type { Outcome } from "./outcome.ts";
import { findResultProblem, Outputs } from "./output.ts";
import { Queue } from "./queue.ts";
import { describeRunning } from "./running.ts";
import { Steps } from "./steps.ts";
import { Trace } from "./trace.ts";
import { Tries } from "./tries.ts";
import { Watch } from "./watch.ts";

/** Nodes, and milliseconds, after which the run yields to the event loop. */
const TURN_STEPS = 500;
const TURN_MS = 5;

/** The root `request` of a run that no HTTP request started. */
const NO_REQUEST: Json = { method: null, query: {}, headers: {}, content_type: null };

const ALONE: RunTurns = { run: (goOn) => goOn(), later: (goOn) => void startTimer(0, goOn) };

/** One run of a plan: works through the queue of nodes and enforces the deadline. */
export class Execution<Effects> {
	private readonly options: RunOptions<Effects>;
	/** The chosen result. */
	private readonly result: Evaluate | null;
	private readonly watch: Watch;
	private readonly startedAt: number;
	private readonly outputs: Outputs;
	private readonly queue = new Queue<Effects>();
	private readonly trace: Trace<Effects>;
	private readonly flow: Flow<Effects>;
	private readonly tries: Tries<Effects>;
	/** Null if the run is not durable. */
	private readonly steps: Steps | null;
	private outcome: Outcome | null = null;
	private answer: ((outcome: Outcome) => void) | null = null;
	private deadline: Timer | undefined;
	private readonly turns: RunTurns;
	/** The run is yielding to the event loop. */
	private isPausing = false;
	private stepsSinceTurn = 0;
	private isBusy = false;

	constructor(plan: Plan<Effects>, options: RunOptions<Effects>) {
		const { input, context, workflow, execution, stepPrefix, credential, budget, effects } = options;
		const { request = NO_REQUEST } = options;
		const { queue } = this;
		const enter = (action: () => void) => this.enter(action);
		const outputs = new Outputs(budget);
		const watch = new Watch(options);
		const meter = new Meter(MAX_NODE_UNITS, watch.checkRun);
		const trace = new Trace(plan, options);
		const turns = options.turns ?? ALONE;
		const { journal, startedAt = watch.now } = options;
		const steps =
			journal === undefined
				? null
				: new Steps(journal, { watch, turns, enter, cancel: () => this.flow.cancelAll() });
		if (steps !== null) watch.stopAt(startedAt);
		const flow = new Flow(
			plan,
			{ input, context, workflow, execution, stepPrefix, request, credential, meter },
			{ queue, outputs, trace, watch, budget, enter, steps },
		);
		this.options = options;
		this.result = plan.result;
		this.outputs = outputs;
		this.turns = turns;
		this.steps = steps;
		this.watch = watch;
		this.startedAt = startedAt;
		this.trace = trace;
		this.flow = flow;
		this.tries = new Tries({ flow, trace, watch, effects, enter, turns, steps });
	}

	begin(): Outcome | Promise<Outcome> {
		this.enter(() => this.flow.open(this.flow.top));
		if (this.outcome !== null) return this.outcome;
		const { deadline, timeoutMs, signal } = this.options;
		this.deadline = startTimer(deadline - this.watch.readClock(), () => this.halt(new TimedOut(timeoutMs)));
		signal?.addEventListener("abort", this.cancel);
		return new Promise((resolve) => {
			this.answer = resolve;
		});
	}

	/** The only entry point: for the start, an answer, a timer or a cancellation. */
	private enter(action: () => void): void {
		if (this.outcome !== null) return;
		this.isBusy = true;
		this.watch.read();
		try {
			action();
			this.drain();
			if (this.flow.top.unsettled === 0)
				this.end(this.watch.isOver ? describeTimeout(this.options.timeoutMs) : null);
			else {
				if (!this.hasWork && !this.isPausing) this.steps?.rest();
				if (this.options.signal?.aborted) throw new Halt(CANCELLED);
			}
		} catch (error) {
			this.end(this.describeHalt(error));
		}
		this.isBusy = false;
	}

	private describeHalt(error: unknown): string {
		if (!(error instanceof Halt)) return `the run failed unexpectedly: ${toMessage(error)}`;
		if (!(error instanceof TimedOut)) return error.message;
		return error.message + describeRunning(this.flow.top, error.running);
	}

	private halt(reason: Halt): void {
		this.enter(() => {
			throw reason;
		});
	}

	/** A component may cancel its own run; `enter` then notices after the current action. */
	private readonly cancel = () => {
		if (!this.isBusy) this.halt(new Halt(CANCELLED));
	};

	private drain(): void {
		const until = this.watch.now + TURN_MS;
		while (this.hasWork && !this.isPausing) {
			if (this.stepsSinceTurn === TURN_STEPS || this.watch.now >= until) {
				this.isPausing = true;
				this.turns.later(() => this.resume());
				return;
			}
			this.stepsSinceTurn += 1;
			if (this.queue.isEmpty) this.steps?.goOn();
			else this.step();
		}
	}

	private get hasWork(): boolean {
		return !this.queue.isEmpty || this.steps?.hasNext === true;
	}

	private resume(): void {
		this.isPausing = false;
		this.stepsSinceTurn = 0;
		this.enter(() => {});
	}

	private step(): void {
		const { scope, place } = this.queue.shift();
		if (scope.isClosed) return;
		const node = this.flow.node(place);
		if (scope.taken[place] !== true) {
			this.flow.skip(scope, node);
			return;
		}
		this.assertMayGoOn();
		this.options.budget.stepsLeft -= 1;
		scope.blame?.delete(place);
		this.tries.start(scope, node);
	}

	private assertMayGoOn(): void {
		const { timeoutMs, signal, budget } = this.options;
		if (this.watch.isOver) throw new TimedOut(timeoutMs);
		if (signal?.aborted) throw new Halt(CANCELLED);
		if (budget.stepsLeft <= 0) throw new Halt(this.flow.describeTooManySteps());
	}

	private end(halted: string | null): void {
		this.flow.close(this.flow.top);
		this.outputs.releaseAll();
		clearTimeout(this.deadline);
		this.options.signal?.removeEventListener("abort", this.cancel);
		this.outcome = this.conclude(halted);
		this.answer?.(this.outcome);
	}

	private conclude(halted: string | null): Outcome {
		const failure = this.flow.failure ?? (halted === null ? null : { error: halted });
		const duration_ms = this.watch.now - this.startedAt;
		const nodes = this.trace.listNodes();
		if (failure !== null) return { success: false, duration_ms, data: null, nodes, ...failure };
		const { data, problem } = this.buildResult();
		if (problem !== null) return { success: false, duration_ms, data: null, nodes, error: problem };
		const { warning } = this.flow;
		return { success: true, duration_ms, data, nodes, ...(warning !== null && { warning }) };
	}

	private buildResult(): { data: Json; problem: string | null } {
		if (this.result !== null) return this.readResult(this.result);
		const { ends, top } = this.flow;
		const output = (place: number) => top.frame.outputs[place] as Json;
		const [only] = ends;
		if (only !== undefined && ends.length === 1) return { data: output(only), problem: null };
		ends.sort((a, b) => a - b);
		const data = Object.fromEntries(ends.map((place) => [this.flow.node(place).id, output(place)]));
		return { data, problem: findResultProblem(data) };
	}

	private readResult(result: Evaluate): { data: Json; problem: string | null } {
		const { frame } = this.flow.top;
		try {
			frame.roots.meter.restart(MAX_NODE_UNITS, this.watch.checkRun);
			const data = result(frame);
			return { data, problem: findResultProblem(data) };
		} catch (error) {
			const problem = error instanceof Halt ? error.message : `result: ${toMessage(error)}`;
			return { data: null, problem };
		}
	}
}
