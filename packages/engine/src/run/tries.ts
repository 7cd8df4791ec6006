import type { Json } from "@tripline/contract/json";
import { MAX_NODE_UNITS } from "../meter.ts";
import type { PlanNode } from "../plan.ts";
import { TerminalError } from "../terminal-error.ts";
import { Call, Flight } from "./flight.ts";
import type { Flow } from "./flow.ts";
import { createTimeoutError, Halt } from "./halt.ts";
import { toMessage } from "./message.ts";
import type { RunTurns } from "./options.ts";
import type { Scope } from "./scope.ts";
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

	private attempt(scope: Scope<Effects>, node: PlanNode<Effects>, startedAt: number, tries: number): void {
		const { flow, trace, watch, effects, turns } = this.parts;
		const { outputs } = scope;
		trace.recordAttempt(scope, node, tries);
		const deadline =
			node.timeoutMs === undefined ? watch.checkRun : watch.createDeadline(watch.now, node.timeoutMs);
		scope.frame.roots.meter.restart(MAX_NODE_UNITS, deadline);
		let output: Json;
		let lent = 0;
		try {
			const call = new Call(node, scope.frame, { effects, trace, deadline, turns });
			const made = call.countMade();
			if (made > 0) lent = outputs.lend(call.params, made);
			const answer = node.component.run(call);
			if (answer instanceof Promise) {
				watch.read();
				const release = () => outputs.release(lent);
				this.waitFor(new Flight(scope, node, startedAt, tries, call, release), answer, call);
				return;
			}
			outputs.release(lent);
			lent = 0;
			output = outputs.accept(answer, call.countMade());
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
			output = scope.outputs.accept(value, made);
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
		const { flow, trace, watch, enter } = this.parts;
		watch.read();
		const { retry } = node;
		if (retry === undefined || tries > retry.max || error instanceof TerminalError) {
			flow.fail(scope, node, watch.now - startedAt, toMessage(error));
			return;
		}
		trace.recordRetry(scope, node, tries, error);
		const { delay_ms = RETRY_DELAY_MS, factor = RETRY_FACTOR } = retry;
		const flight = new Flight(scope, node, startedAt, tries, null);
		flight.setTimer(delay_ms * factor ** (tries - 1), () =>
			enter(() => {
				flight.end();
				this.attempt(scope, node, startedAt, tries + 1);
			}),
		);
	}
}
