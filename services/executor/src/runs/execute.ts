import type { RespondAnswer } from "@tripline/components/effects";
import { uuidv7 } from "@tripline/contract/ids";
import { ANONYMOUS } from "@tripline/contract/partner-keys";
import type { JsonObject, RunResult } from "@tripline/contract/workflows";
import type { CheckInput } from "@tripline/engine/input-schema";
import { run } from "@tripline/engine/run";
import type { NodeProgress } from "@tripline/engine/run/options";
import type { Outcome } from "@tripline/engine/run/outcome";
import { type Clock, toIsoTime } from "@tripline/platform/clock";
import type { Turns } from "@tripline/platform/turns";
import type { Address } from "../domain/address.ts";
import { describeInputProblem } from "../domain/schema-problems.ts";
import { checkOutcome } from "./check-outcome.ts";
import { RunEffects, type RunEffectsDeps } from "./effects.ts";
import type { HeldRuns } from "./held-runs.ts";
import type { RecordBuffer } from "./record-buffer.ts";
import type { Runnable } from "./runnable.ts";

/** Who started a run through the MCP server: an assistant, or a person in the console. */
export type OwnersTrigger = "mcp" | "console";
export type Trigger = "webhook" | "named" | "query" | "schedule" | "event" | OwnersTrigger;

export interface RunRequest {
	readonly runnable: Runnable;
	/** Its name in the record: the workflow's name, the graph's id or the token. */
	readonly workflow: string;
	/** Null for an anonymous run. */
	readonly namespace: string | null;
	/** Omitted: the workflow of that name in the namespace. */
	readonly address?: Address;
	readonly input: JsonObject;
	/** The root `request`. Omitted if the workflow does not read it or no HTTP request started the run. */
	readonly request?: JsonObject;
	/** The check that the input has passed. It is made again only if `runnable` has another one: its workflow changed. */
	readonly passedCheck?: CheckInput | null;
	readonly trigger: Trigger;
	readonly executionId: string;
	/** Length of the chain of events that led to it. */
	readonly eventDepth: number;
	/** The external event that led to it. Omitted: this run is the root. */
	readonly rootId?: string;
	readonly signal?: AbortSignal;
	/** Called with the progress of its nodes. */
	readonly observe?: (progress: NodeProgress) => void;
}

export interface Finished {
	readonly result: RunResult;
	/** The response that `respond` set. */
	readonly answer: RespondAnswer | null;
}

const MAX_STEPS = 10_000;

export type Executions = ReturnType<typeof executions>;

/** Runs a workflow and records the outcome without delaying the result. */
export function executions(deps: {
	readonly clock: Clock;
	readonly turns: Turns;
	readonly runTimeoutMs: number;
	readonly records: RecordBuffer;
	readonly held: HeldRuns;
	readonly effects: RunEffectsDeps;
	/** Called for every failed run that has a namespace. */
	onFailure(request: Omit<RunRequest, "runnable">, result: RunResult): void;
}) {
	const { clock, records, held } = deps;

	return { execute, fail, cancel };

	function execute(request: RunRequest): Finished | Promise<Finished> {
		return deps.turns.run(request.namespace ?? ANONYMOUS, () => executeNow(request));
	}

	function executeNow(request: RunRequest): Finished | Promise<Finished> {
		const { plan, version, checkInput } = request.runnable;
		const started = clock.now();
		const time = toIsoTime(started);
		if ("error" in plan)
			return { result: finish(request, time, { ...failure(plan.error), ...plan }), answer: null };
		const isPassed = checkInput === null || checkInput === request.passedCheck;
		const problem = isPassed ? null : describeInputProblem(checkInput(request.input));
		if (problem !== null) return { result: finish(request, time, failure(problem)), answer: null };
		const timeoutMs = Math.min(deps.runTimeoutMs, plan.options.timeout_ms ?? deps.runTimeoutMs);
		const effects = new RunEffects(deps.effects, {
			namespace: request.namespace,
			executionId: request.executionId,
			eventDepth: request.eventDepth,
			rootId: request.rootId ?? request.executionId,
			deadline: started + timeoutMs,
			timeoutMs,
			budget: { stepsLeft: MAX_STEPS },
			depth: 0,
		});
		const outcome = run(plan, {
			input: request.input,
			context: plan.context,
			workflow: { name: request.workflow, version },
			execution: { id: request.executionId, trigger: request.trigger, time },
			budget: effects.run.budget,
			deadline: started + timeoutMs,
			timeoutMs,
			clock,
			credential: (name, field) => effects.credentialText(name, field),
			effects,
			turns: effects.turns,
			...(request.request !== undefined && { request: request.request }),
			...(request.signal !== undefined && { signal: request.signal }),
			...(request.observe !== undefined && { observe: request.observe }),
		});
		const end = (ended: Outcome): Finished => ({
			result: finish(request, time, checkOutcome(ended, request.runnable.checkOutput)),
			answer: effects.answer,
		});
		if (!(outcome instanceof Promise)) return end(outcome);
		// The check may take as long as a node.
		return request.runnable.checkOutput === null
			? outcome.then(end)
			: outcome.then((ended) => deps.turns.run(request.namespace ?? ANONYMOUS, () => end(ended)));
	}

	/** Records a run that was due but could not start. */
	function fail(request: Omit<RunRequest, "runnable">, error: string): void {
		finish(request, toIsoTime(clock.now()), failure(error));
	}

	/** Records a run that was cancelled before it started, without raising `execution.failed`. */
	function cancel(request: Omit<RunRequest, "runnable">, error: string): void {
		recordRun(request, toIsoTime(clock.now()), failure(error));
	}

	function finish(request: FinishedRequest, time: string, outcome: Outcome): RunResult {
		const result = recordRun(request, time, outcome);
		if (!result.success && request.namespace !== null) deps.onFailure(request, result);
		return result;
	}

	function recordRun(request: FinishedRequest, time: string, outcome: Outcome): RunResult {
		const { success, duration_ms, data, nodes, error, failedNode, warning } = outcome;
		const result: RunResult = {
			success,
			duration_ms,
			execution_id: request.executionId,
			workflow: request.workflow,
			data,
			nodes,
			...(error !== undefined && { error }),
		};
		const owner = request.namespace ?? ANONYMOUS;
		records.add({
			id: request.executionId,
			owner_id: owner,
			workflow: request.workflow,
			verdict: success ? "success" : "failed",
			duration_ms,
			error: error ?? warning ?? "",
			time,
			trigger: request.trigger,
			context: pickTarget(request.input),
			// Only failure records have these.
			...(!success && { nodes: [...(request.runnable?.nodes ?? [])], failed_node: failedNode ?? null }),
		});
		held.hold(owner, result);
		return result;
	}
}

type FinishedRequest = Omit<RunRequest, "runnable"> & { readonly runnable?: Runnable };

const failure = (error: string): Outcome => ({
	success: false,
	duration_ms: 0,
	data: null,
	nodes: [],
	error,
});

export const getOwner = ({ namespace }: Pick<RunRequest, "namespace">): string => namespace ?? ANONYMOUS;

export const newExecutionId = (clock: Clock): string => uuidv7(clock.now());

/** The only part of the trigger context that the record may contain. */
function pickTarget({ page_name, path }: JsonObject): { page_name?: string; path?: string } {
	return {
		...(typeof page_name === "string" && { page_name: toStorable(page_name) }),
		...(typeof path === "string" && { path: toStorable(path) }),
	};
}

/** Replaces characters that a database would reject, so that the run keeps its record. */
const toStorable = (text: string): string => text.toWellFormed().replaceAll("\u0000", "\ufffd");
