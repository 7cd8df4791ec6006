import type { Effects, Knowledge, RespondAnswer, State } from "@tripline/components/effects";
import type { OutboundAnswer, OutboundCall } from "@tripline/components/outbound/call";
import type { Json } from "@tripline/contract/json";
import { ANONYMOUS } from "@tripline/contract/partner-keys";
import type { JsonObject } from "@tripline/contract/workflows";
import { run } from "@tripline/engine/run";
import type { Budget, RunTurns } from "@tripline/engine/run/options";
import type { Outcome } from "@tripline/engine/run/outcome";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { Clock } from "@tripline/platform/clock";
import type { Sandbox } from "@tripline/platform/sandbox";
import type { Turns } from "@tripline/platform/turns";
import type { StoreClient } from "@tripline/store/client";
import { describeInputProblem } from "../domain/schema-problems.ts";
import { checkOutcome } from "./check-outcome.ts";
import { createKnowledge } from "./knowledge.ts";
import type { Outbound } from "./outbound.ts";
import type { Runnable } from "./runnable.ts";
import { createState } from "./state.ts";

/** State that a run shares with the workflows it calls. */
interface RunState {
	readonly executionId: string;
	readonly eventDepth: number;
	/** The external event, schedule or call that led to it. */
	readonly rootId: string;
	readonly namespace: string | null;
	readonly deadline: number;
	readonly timeoutMs: number;
	readonly budget: Budget;
	/** Nesting depth of workflow calls. */
	readonly depth: number;
}

export interface RunEffectsDeps {
	readonly clock: Clock;
	readonly store: StoreClient;
	readonly sandbox: Sandbox;
	readonly outbound: Outbound;
	readonly turns: Turns;
	/** The namespace's workflow of that name, or null. */
	findWorkflow(namespace: string, name: string): Promise<Runnable | null>;
	/** Returns the number of workflows that the event started. */
	emit(event: {
		namespace: string;
		type: string;
		data: Json;
		depth: number;
		rootId: string;
	}): Promise<number>;
}

const MAX_DEPTH = 8;

/** The turns of one namespace's runs. */
class NamespaceTurns implements RunTurns {
	private readonly turns: Turns;
	private readonly namespace: string;

	constructor(turns: Turns, namespace: string) {
		this.turns = turns;
		this.namespace = namespace;
	}

	run(resume: () => void): void {
		void this.turns.run(this.namespace, resume);
	}

	later(resume: () => void): void {
		this.turns.later(this.namespace, resume);
	}
}

/** Created for every run, so it does no work until a component needs it. */
export class RunEffects implements Effects {
	readonly run: RunState;
	answer: RespondAnswer | null = null;
	readonly #deps: RunEffectsDeps;
	#outbound: Pick<Effects, "http" | "credentialText"> | null = null;

	constructor(deps: RunEffectsDeps, run: RunState) {
		this.#deps = deps;
		this.run = run;
	}

	get turns(): RunTurns {
		return new NamespaceTurns(this.#deps.turns, this.run.namespace ?? ANONYMOUS);
	}

	http(call: OutboundCall, signal: AbortSignal): Promise<OutboundAnswer> {
		return this.#getOutbound().http(call, signal);
	}

	credentialText(name: string, field?: string): string {
		return this.#getOutbound().credentialText(name, field);
	}

	get sandbox(): Pick<Sandbox, "run"> {
		const owner = this.run.namespace ?? ANONYMOUS;
		return { run: (job, signal) => this.#deps.sandbox.run({ ...job, owner }, signal) };
	}

	get clock(): Clock {
		return this.#deps.clock;
	}

	get knowledge(): Knowledge {
		const { store, turns } = this.#deps;
		return createKnowledge(store, turns, this.#requireNamespace(), this.run);
	}

	get state(): State {
		const { store, turns } = this.#deps;
		return createState(store, turns, this.#requireNamespace(), this.run);
	}

	sleep(ms: number, signal: AbortSignal): Promise<void> {
		return new Promise((resolve, reject) => {
			signal.throwIfAborted();
			const stop = () => {
				clearTimeout(timer);
				reject(signal.reason);
			};
			const timer = setTimeout(() => {
				signal.removeEventListener("abort", stop);
				resolve();
			}, ms);
			signal.addEventListener("abort", stop, { once: true });
		});
	}

	async runWorkflow(name: string, input: JsonObject, signal: AbortSignal): Promise<Json> {
		if (this.run.depth === MAX_DEPTH)
			throw new TerminalError(`workflow calls are nested more than ${MAX_DEPTH} deep`);
		const found = await this.#deps.findWorkflow(this.#requireNamespace(), name);
		if (found === null) throw new TerminalError(`there is no workflow ${JSON.stringify(name)}`);
		const outcome = await this.#deps.turns.run(this.#requireNamespace(), () =>
			this.#runFound(found, name, input, signal),
		);
		const { checkOutput } = found;
		const checked =
			checkOutput === null
				? outcome
				: await this.#deps.turns.run(this.#requireNamespace(), () => checkOutcome(outcome, checkOutput));
		if (checked.success) return checked.data;
		throw new Error(checked.error);
	}

	#runFound(
		found: Runnable,
		name: string,
		input: JsonObject,
		signal: AbortSignal,
	): Outcome | Promise<Outcome> {
		signal.throwIfAborted();
		const problem = found.checkInput === null ? null : describeInputProblem(found.checkInput(input));
		if (problem !== null) throw new TerminalError(problem);
		const { plan } = found;
		if ("error" in plan) throw new TerminalError(plan.error);
		const ownTimeout = plan.options.timeout_ms ?? this.run.timeoutMs;
		const ownDeadline = this.clock.now() + ownTimeout;
		const isShorter = ownDeadline < this.run.deadline;
		const deadline = isShorter ? ownDeadline : this.run.deadline;
		const effects = new RunEffects(this.#deps, { ...this.run, deadline, depth: this.run.depth + 1 });
		return run(plan, {
			input,
			context: plan.context,
			workflow: { name, version: found.version },
			execution: { id: this.run.executionId, trigger: "workflow", time: this.#isoNow() },
			budget: this.run.budget,
			deadline,
			timeoutMs: isShorter ? ownTimeout : this.run.timeoutMs,
			clock: this.clock,
			signal,
			credential: (credential, field) => effects.credentialText(credential, field),
			effects,
			turns: this.turns,
		});
	}

	emitEvent(type: string, data: Json, signal: AbortSignal): Promise<number> {
		const { eventDepth, rootId } = this.run;
		const event = { namespace: this.#requireNamespace(), type, data, depth: eventDepth + 1, rootId };
		return this.#deps.turns.call(event.namespace, signal, () => this.#deps.emit(event));
	}

	respond(answer: RespondAnswer): void {
		this.answer = answer;
	}

	#getOutbound() {
		this.#outbound ??= this.#deps.outbound.forRun(this.run.namespace);
		return this.#outbound;
	}

	#isoNow(): string {
		return new Date(this.clock.now()).toISOString();
	}

	#requireNamespace(): string {
		if (this.run.namespace !== null) return this.run.namespace;
		throw new TerminalError(
			"this run belongs to no namespace: create the webhook, or call it, with the header X-Service-API-Key",
		);
	}
}
