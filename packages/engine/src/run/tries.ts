import type { Json } from "@tripline/contract/json";
import type { Wait } from "../component.ts";
import { MAX_NODE_UNITS } from "../meter.ts";
import type { PlanNode } from "../plan.ts";
import { TerminalError } from "../terminal-error.ts";
import { Call, Flight } from "./flight.ts";
import { type Flow, findWaiting } from "./flow.ts";
import { createTimeoutError, Halt } from "./halt.ts";
import {
	buildAttemptKey,
	buildDelayKey,
	buildWaitKey,
	type JournalRow,
	type RecordedOutcome,
} from "./journal.ts";
import { toMessage } from "./message.ts";
import type { RunTurns } from "./options.ts";
import type { Scope } from "./scope.ts";
import type { Steps } from "./steps.ts";
import type { Trace } from "./trace.ts";
import type { Watch } from "./watch.ts";

const RETRY_DELAY_MS = 1_000;
const RETRY_FACTOR = 2;

interface Parts<Effects> {
	readonly flow: Flow<Effects>;
	readonly trace: Trace<Effects>;
	readonly watch: Watch;
	readonly effects: Effects;
	/** Runs the continuation of an answer or a timer. */
	readonly enter: (action: () => void) => void;
	readonly turns: RunTurns;
	/** Null if the run is not durable. */
	readonly steps: Steps | null;
}

/** Runs nodes: calls their components, retries failures and reports the outcome to the flow. */
export class Tries<Effects> {
	private readonly parts: Parts<Effects>;

	constructor(parts: Parts<Effects>) {
		this.parts = parts;
	}

	start(scope: Scope<Effects>, node: PlanNode<Effects>): void {
		this.attempt(scope, node, this.parts.watch.now, 1);
	}

	private attempt(
		scope: Scope<Effects>,
		node: PlanNode<Effects>,
		startedAt: number,
		tries: number,
		isCancelled = false,
	): void {
		const { flow, trace, watch, effects, turns, steps } = this.parts;
		const { outputs } = scope;
		trace.recordAttempt(scope, node, tries);
		if (steps !== null && this.awaitsRow(steps, scope, node, startedAt, tries)) return;
		const deadline =
			node.timeoutMs === undefined ? watch.checkRun : watch.createDeadline(watch.now, node.timeoutMs);
		scope.frame.roots.meter.restart(MAX_NODE_UNITS, deadline);
		let output: Json;
		let lent = 0;
		try {
			const isRecorded = steps !== null && node.component.isPure !== true;
			const call = new Call(node, scope.frame, {
				effects,
				trace,
				deadline,
				turns,
				startedAt,
				attempt: tries,
				isRecorded,
			});
			const made = call.countMade();
			if (made > 0) lent = outputs.lend(call.params, made);
			if (isRecorded) {
				const release = () => outputs.release(lent);
				const flight = new Flight(scope, node, startedAt, tries, call, release);
				flight.isCancelled = isCancelled;
				call.isCancelled = isCancelled;
				if (node.component.parks !== undefined) this.prepareWait(steps, flight, call);
				this.perform(steps, flight, call);
				return;
			}
			const answer = trace.attempt(scope, node, tries, call);
			if (answer instanceof Promise) {
				watch.read();
				const release = () => outputs.release(lent);
				const flight = new Flight(scope, node, startedAt, tries, call, release);
				if (steps === null) this.waitFor(flight, answer, call);
				else {
					this.recordAnswer(steps, flight, answer, call);
					steps.addBounded(flight);
				}
				return;
			}
			outputs.release(lent);
			lent = 0;
			output = outputs.accept(answer, call.countMade(), node.component.maxOutputBytes);
		} catch (error) {
			outputs.release(lent);
			if (error instanceof Halt) throw error.within(scope, node);
			this.handleFailure(scope, node, startedAt, tries, error);
			return;
		}
		flow.succeed(scope, node, watch.read() - startedAt, output);
	}

	private waitFor(flight: Flight<Effects>, answer: Promise<Json>, call: Call<Effects>): void {
		const { scope, node, startedAt, tries } = flight;
		const land = (then: () => void) => {
			if (flight.isOver) return;
			this.parts.turns.run(() =>
				this.parts.enter(() => {
					if (flight.isOver) return;
					flight.end();
					then();
				}),
			);
		};
		const fail = (error: unknown) => {
			if (error instanceof Halt) throw error;
			this.handleFailure(scope, node, startedAt, tries, error);
		};
		answer.then(
			(value) => land(() => this.handleAnswer(flight, value, call.countMade())),
			(error) => land(() => fail(error)),
		);
		const { timeoutMs } = node;
		if (timeoutMs === undefined) return;
		flight.setTimer(timeoutMs, () =>
			this.parts.enter(() => {
				flight.cancel();
				fail(createTimeoutError(timeoutMs));
			}),
		);
	}

	private handleAnswer({ scope, node, startedAt, tries }: Flight<Effects>, value: Json, made: number): void {
		const { flow, watch } = this.parts;
		let output: Json;
		try {
			output = scope.outputs.accept(value, made, node.component.maxOutputBytes);
		} catch (error) {
			this.handleFailure(scope, node, startedAt, tries, error);
			return;
		}
		flow.succeed(scope, node, watch.now - startedAt, output);
	}

	private handleFailure(
		scope: Scope<Effects>,
		node: PlanNode<Effects>,
		startedAt: number,
		tries: number,
		error: unknown,
	): void {
		const { flow, trace, watch, enter, steps } = this.parts;
		watch.read();
		const { retry } = node;
		if (retry === undefined || tries > retry.max || error instanceof TerminalError) {
			flow.fail(scope, node, watch.now - startedAt, toMessage(error));
			return;
		}
		trace.recordRetry(scope, node, tries, error);
		const { delay_ms = RETRY_DELAY_MS, factor = RETRY_FACTOR } = retry;
		const ms = delay_ms * factor ** (tries - 1);
		const flight = new Flight(scope, node, startedAt, tries, null);
		flight.isDelay = true;
		const end = () => {
			if (flight.isOver) return;
			flight.end();
			this.attempt(scope, node, startedAt, tries + 1);
		};
		if (steps === null) flight.setTimer(ms, () => enter(end));
		else {
			const wait = (left: number, then: () => void) => {
				if (!flight.isOver) flight.setTimer(left, then);
			};
			const isOver = () => flight.isOver;
			steps.delay(buildDelayKey(scope.frame, node.id, tries + 1), watch.now + ms, { isOver, wait, end });
		}
	}

	/** Whether the outcome of the attempt is recorded: then it is not made again. */
	private awaitsRow(
		steps: Steps,
		scope: Scope<Effects>,
		node: PlanNode<Effects>,
		startedAt: number,
		tries: number,
	): boolean {
		if (steps.hasCaughtUp) return false;
		const key = buildAttemptKey(scope.frame, node.id, tries);
		if (!steps.isRecorded(key)) return false;
		const flight = new Flight(scope, node, startedAt, tries, null);
		steps.awaitRow(key, (row) => this.settle(flight, row));
		if (node.component.parks !== undefined) this.prepareWait(steps, flight, null);
		return true;
	}

	/** Lets an attempt say that it waits, and takes up what it said in an earlier process. */
	private prepareWait(steps: Steps, flight: Flight<Effects>, call: Call<Effects> | null): void {
		const { scope, node, tries } = flight;
		const key = buildWaitKey(scope.frame, node.id, tries);
		const takeEdges = ({ known }: Wait) => {
			if (!flight.isOver) this.parts.flow.wait(scope, node, known);
		};
		steps.wait(key, null, takeEdges);
		if (call === null) return;
		call.announced = steps.findWait(key);
		call.onAnnounce = (wait) =>
			wait.id === undefined && findWaiting(scope, node).node.waitSlot === null
				? Promise.resolve()
				: new Promise((resolve) => {
						steps.wait(key, wait, (recorded) => {
							takeEdges(recorded);
							resolve();
						});
					});
	}

	/** Makes an attempt that has effects, unless the run still repeats what an earlier process did. */
	private perform(steps: Steps, flight: Flight<Effects>, call: Call<Effects>): void {
		const { scope, node, startedAt, tries } = flight;
		if (steps.isLive) {
			const earlier = steps.findEarlier(call.step);
			if (earlier !== undefined) {
				const key = buildAttemptKey(scope.frame, node.id, tries);
				steps.record(key, earlier.outcome, (row) => this.settle(flight, row), earlier.log);
				return;
			}
			if (!steps.mayStart()) return;
			let answer: Json | Promise<Json>;
			try {
				answer = this.parts.trace.attempt(scope, node, tries, call);
			} catch (error) {
				if (error instanceof Halt) throw error.within(scope, node);
				answer = Promise.reject(error);
			}
			this.recordAnswer(steps, flight, answer, call);
			// After the outcome was handed to the journal.
			const settle = () => {
				steps.settle();
				// Nobody waited for it any more, and it may have been the last thing to happen before a long wait.
				if (flight.isOver) this.parts.turns.run(() => this.parts.enter(() => {}));
			};
			if (answer instanceof Promise) answer.then(settle, settle);
			else settle();
			return;
		}
		// Its parameters were resolved now, so that a failure to do so has its place. They are resolved again later.
		steps.postpone(() => {
			if (flight.isOver) return;
			flight.end();
			this.attempt(scope, node, startedAt, tries, flight.isCancelled);
		});
	}

	/** The run goes on with the outcome once it is recorded. */
	private recordAnswer(
		steps: Steps,
		flight: Flight<Effects>,
		answer: Json | Promise<Json>,
		call: Call<Effects>,
	): void {
		const { scope, node, tries } = flight;
		let isRecorded = false;
		const record = (outcome: RecordedOutcome) => {
			if (isRecorded || flight.isOver) return;
			isRecorded = true;
			const key = buildAttemptKey(scope.frame, node.id, tries);
			steps.record(key, outcome, (row) => this.settle(flight, row), call.lines);
		};
		const fail = (error: unknown) => {
			if (error instanceof Halt) this.parts.turns.run(() => this.parts.enter(() => this.halt(flight, error)));
			else record({ error: toMessage(error), isTerminal: error instanceof TerminalError });
		};
		const succeed = (value: Json) => {
			if (flight.isOver) return;
			try {
				record({ value: scope.outputs.check(value, node.component.maxOutputBytes) });
			} catch (error) {
				fail(error);
			}
		};
		if (!(answer instanceof Promise)) {
			succeed(answer);
			return;
		}
		answer.then(succeed, fail);
		const { timeoutMs } = node;
		if (timeoutMs === undefined) return;
		steps.addBounded(flight);
		flight.setTimer(timeoutMs, () => {
			fail(createTimeoutError(timeoutMs));
			call.abort();
		});
	}

	private halt({ isOver }: Flight<Effects>, reason: Halt): void {
		if (!isOver) throw reason;
	}

	/** Goes on with what is recorded. */
	private settle(flight: Flight<Effects>, { outcome, log = [] }: JournalRow): void {
		if (flight.isOver || outcome === null) return;
		flight.end();
		const { scope, node, startedAt, tries } = flight;
		for (const line of log) this.parts.trace.addLogLine(node, line);
		if (flight.isCancelled) {
			this.parts.flow.endCancelled(scope, node, this.parts.watch.now - startedAt);
			return;
		}
		if ("value" in outcome) {
			this.handleAnswer(flight, outcome.value, Number.POSITIVE_INFINITY);
			return;
		}
		const error = outcome.isTerminal ? new TerminalError(outcome.error) : new Error(outcome.error);
		this.handleFailure(scope, node, startedAt, tries, error);
	}
}
