import type { RespondAnswer, TokenUse } from "@tripline/components/effects";
import { parseDuration } from "@tripline/contract/durations";
import { uuidv7 } from "@tripline/contract/ids";
import { ANONYMOUS } from "@tripline/contract/partner-keys";
import type { JsonObject, Options, RunResult } from "@tripline/contract/workflows";
import type { CheckInput } from "@tripline/engine/input-schema";
import { markPinned, type Pins, pinOutputs } from "@tripline/engine/pin";
import { run } from "@tripline/engine/run";
import type { Budget, NodeProgress, NodeText } from "@tripline/engine/run/options";
import type { Outcome } from "@tripline/engine/run/outcome";
import { type Clock, toIsoTime } from "@tripline/platform/clock";
import type { Span, StoredTrace, Tracing } from "@tripline/platform/tracing";
import type { Turns } from "@tripline/platform/turns";
import type { Address } from "../domain/address.ts";
import { describeInputProblem } from "../domain/schema-problems.ts";
import type { Line } from "../durable/run.ts";
import type { RunCapture } from "../kept/capture.ts";
import type { KeptRunData } from "../kept/kept-data.ts";
import { checkOutcome } from "./check-outcome.ts";
import { RunEffects, type RunEffectsDeps } from "./effects.ts";
import type { HeldRuns } from "./held-runs.ts";
import type { RecordBuffer } from "./record-buffer.ts";
import { runSpans } from "./run-spans.ts";
import type { Runnable } from "./runnable.ts";

/** Who started a run through the MCP server: an assistant, or a person in the console. */
export type OwnersTrigger = "mcp" | "console";
/** `test`: a run of a draft. */
export const TRIGGERS = [
	"webhook",
	"named",
	"query",
	"schedule",
	"event",
	"test",
	"replay",
	"mcp",
	"console",
] as const;
export type Trigger = (typeof TRIGGERS)[number];

/** Assistants, the console and tests of drafts call as the tenant's own, with JSON, and read the result. */
export const isOwnCall = (trigger: Trigger): boolean =>
	trigger === "mcp" || trigger === "console" || trigger === "test";

export interface RunRequest {
	readonly runnable: Runnable;
	/** Its name in the record: the workflow's name, the graph's id or the token. */
	readonly workflow: string;
	/** The version of a named workflow; undefined for a draft and for a legacy workflow. */
	readonly versionNumber?: number | undefined;
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
	/** Files that came with the run: uploaded to it, passed by its event, or what it had when it was accepted. */
	readonly files?: readonly string[] | undefined;
	/** The input comes from a caller with the tenant's credential, who may name any file of the namespace in it. */
	readonly isOwners?: boolean;
	/** The size of the request that the input came with. */
	readonly inputBytes?: number;
	/** Outputs that nodes give instead of running; only in a test. */
	readonly pinned?: Pins | undefined;
	/** The address that the request was sent to, which started the run. */
	readonly calledUrl?: string;
	/** Called with what `respond` sets, also if the run does not end while its caller waits. */
	readonly onRespond?: (answer: RespondAnswer) => void;
	/** Called with what models have used, also in the workflows that it calls. */
	readonly onTokens?: (used: TokenUse) => void;
	readonly signal?: AbortSignal;
	/** It must run this version also if it is resumed before it has recorded a step. */
	readonly isPinned?: boolean;
	/** The run that it repeats, from the start or from where that failed. */
	readonly repeats?: string | undefined;
	/** The run that it repeats from where that failed. */
	readonly replayOf?: string;
	/** Before the keys of its steps. Omitted: its id. */
	readonly stepPrefix?: string;
	/** The turn of a chat that its reply completes. Only of runs that may go on without their caller. */
	readonly chatTurn?: string | undefined;
	/** A caller waits for it, although it is durable. */
	readonly isWaitedFor?: true;
	/** It reads what its workflow polls: only a failure leaves a record. */
	readonly isPoll?: true;
	/** Its steps. Omitted: the run is not durable. */
	readonly line?: Line;
	/** How many times it was started before. */
	readonly attempts?: number;
	/** How many invocations have started each other for it. */
	readonly hops?: number | undefined;
	/** The trace that it was stored with; null if there was none. Omitted: the present one. */
	readonly trace?: StoredTrace | null;
	/** Called with the progress of its nodes. */
	readonly observe?: (progress: NodeProgress) => void;
	/** Called with pieces of the texts that its nodes are writing. */
	readonly onText?: (piece: NodeText) => void;
}

export type RunStatus = "success" | "failed" | "cancelled";

/** Counts a run that has ended. */
export type CountRun = (trigger: Trigger, status: RunStatus, ms: number, owner: string) => void;

export interface Finished {
	readonly result: RunResult;
	/** The response that `respond` set. */
	readonly answer: RespondAnswer | null;
}

const MAX_STEPS = 10_000;
/** How long a run may take in which nodes wait, if it has no timeout of its own. */
const MAX_WAITED_MS = 30 * 24 * 60 * 60_000;
/** How long a cancelled run may clean up, anew after each interruption. */
const CLEANUP_MS = 30_000;

export type Executions = ReturnType<typeof executions>;

/** Runs a workflow and records the outcome without delaying the result. */
export function executions(deps: {
	readonly clock: Clock;
	readonly turns: Turns;
	readonly runTimeoutMs: number;
	readonly records: RecordBuffer;
	readonly held: HeldRuns;
	readonly kept: Pick<KeptRunData, "begin" | "end" | "follow" | "leave">;
	/** Omitted: nobody counts. */
	readonly countRun?: CountRun | undefined;
	/** Null: runs are not traced. */
	readonly tracing: Tracing | null;
	readonly effects: Omit<RunEffectsDeps, "spans">;
	/** Called for every failed run that has a namespace. */
	onFailure(request: Omit<RunRequest, "runnable">, result: RunResult): void;
}) {
	const { clock, records, held } = deps;
	const spans = deps.tracing === null ? null : runSpans(deps.tracing);
	const effectsDeps: RunEffectsDeps = { ...deps.effects, spans };

	return { execute, fail, cancel };

	function execute(request: RunRequest): Finished | Promise<Finished> {
		return spans === null
			? executeInTurn(request, null)
			: spans.followRun(request, (span) => executeInTurn(request, span));
	}

	function executeInTurn(request: RunRequest, span: Span | null): Finished | Promise<Finished> {
		return deps.turns.run(request.namespace ?? ANONYMOUS, () => executeNow(request, span));
	}

	function executeNow(request: RunRequest, span: Span | null): Finished | Promise<Finished> {
		const { plan, version, checkInput } = request.runnable;
		const { line, pinned } = request;
		const started = clock.now();
		const startedAt = line?.run.start.started_at ?? started;
		const time = toIsoTime(startedAt);
		if ("error" in plan)
			return { result: finish(request, time, { ...failure(plan.error), ...plan }), answer: null };
		const isPassed = checkInput === null || checkInput === request.passedCheck;
		const problem = isPassed ? null : describeInputProblem(checkInput(request.input));
		const capture = request.isPoll
			? undefined
			: deps.kept.begin(request.namespace, plan.options.keep, request.input, request);
		const conclude = (outcome: Outcome): RunResult => {
			const marked =
				pinned === undefined ? outcome : { ...outcome, nodes: markPinned(outcome.nodes, pinned) };
			const isCancelled = line?.run.isCancelled === true && !outcome.success;
			const result = isCancelled ? recordRun(request, time, marked, true) : finish(request, time, marked);
			if (capture !== undefined) deps.kept.end(capture, request, plan, { time, success: result.success });
			return result;
		};
		if (problem !== null) return { result: conclude(failure(problem)), answer: null };
		const { timeoutMs, deadline, endsBy } = computeDeadline(plan.options, { started, startedAt, line });
		if (line !== undefined) line.run.endsBy = endsBy;
		const effects = new RunEffects(effectsDeps, {
			namespace: request.namespace,
			executionId: request.executionId,
			workflow: request.workflow,
			eventDepth: request.eventDepth,
			rootId: request.rootId ?? request.executionId,
			deadline,
			timeoutMs,
			budget: createBudget(plan.options),
			depth: 0,
			// Whoever pins an output may name files in it, as in the input.
			input: pinned === undefined ? request.input : [request.input, ...pinned.values()],
			files: request.files,
			isOwners: request.isOwners,
			calledUrl: request.calledUrl,
			onRespond: request.onRespond,
			onTokens: request.onTokens,
			line,
			...(request.stepPrefix !== undefined && { stepPrefix: request.stepPrefix }),
			capture,
		});
		const outcome = run(pinned === undefined ? plan : pinOutputs(plan, pinned), {
			input: request.input,
			context: plan.context,
			workflow: { name: request.workflow, version },
			execution: { id: request.executionId, trigger: request.trigger, time },
			budget: effects.run.budget,
			deadline,
			timeoutMs,
			clock,
			credential: (name, field) => effects.credentialText(name, field),
			effects,
			turns: effects.turns,
			...(request.request !== undefined && { request: request.request }),
			...(request.signal !== undefined && { signal: request.signal }),
			...(line !== undefined && { journal: line, startedAt, signal: line.run.signal }),
			...(request.stepPrefix !== undefined && { stepPrefix: request.stepPrefix }),
			...(request.observe !== undefined && { observe: toObserver(request.observe, line) }),
			...(request.onText !== undefined && { onText: request.onText }),
			...(capture !== undefined && { capture: toCapture(capture, line) }),
			...(span !== null && { spans: spans?.followNodes(span, line) }),
		});
		const end = (ended: Outcome): Finished => {
			if (line !== undefined && line.run.stopped !== null) throw line.run.stopped;
			return {
				result: conclude(checkOutcome(ended, request.runnable.checkOutput)),
				answer: effects.answer,
			};
		};
		if (!(outcome instanceof Promise)) return end(outcome);
		// The check may take as long as a node.
		const finished =
			request.runnable.checkOutput === null
				? outcome.then(end)
				: outcome.then((ended) => deps.turns.run(request.namespace ?? ANONYMOUS, () => end(ended)));
		// Only an agent is worth looking at while it runs, and others should not pay for it.
		if (capture === undefined || plan.stepCount === 0) return finished;
		deps.kept.follow(capture, request, plan, time);
		return finished.finally(() => deps.kept.leave(request));
	}

	/**
	 * A run that nobody waits for may have hours, also across interruptions; other interruptions start the time anew, so that
	 * the time in which it waits does not count.
	 */
	function computeDeadline(
		{ timeout, timeout_ms = deps.runTimeoutMs }: Options,
		{ started, startedAt, line }: { started: number; startedAt: number; line: Line | undefined },
	): { readonly timeoutMs: number; readonly deadline: number; readonly endsBy: number } {
		const create = (timeoutMs: number, deadline: number, endsBy = deadline) => ({
			timeoutMs,
			deadline,
			endsBy,
		});
		if (line?.run.isCancelled) return create(CLEANUP_MS, started + CLEANUP_MS);
		const own = timeout === undefined || line === undefined ? null : parseDuration(timeout);
		if (own !== null) return create(own, startedAt + own);
		const timeoutMs = Math.min(deps.runTimeoutMs, timeout_ms);
		const endsBy = startedAt + MAX_WAITED_MS;
		if (started >= endsBy) return create(MAX_WAITED_MS, endsBy);
		return create(timeoutMs, started + timeoutMs, endsBy);
	}

	/** Records a run that was due but could not start. */
	function fail(request: Omit<RunRequest, "runnable">, error: string): void {
		finish(request, toIsoTime(clock.now()), failure(error));
	}

	/** Records a run that was cancelled before it started, without raising `execution.failed`. */
	function cancel(request: Omit<RunRequest, "runnable">, error: string): void {
		recordRun(request, toIsoTime(clock.now()), failure(error), true);
	}

	function finish(request: FinishedRequest, time: string, outcome: Outcome): RunResult {
		const result = recordRun(request, time, outcome, false);
		if (!result.success && request.namespace !== null) deps.onFailure(request, result);
		return result;
	}

	function recordRun(
		request: FinishedRequest,
		time: string,
		outcome: Outcome,
		isCancelled: boolean,
	): RunResult {
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
		if (request.isPoll && success) return result;
		const owner = request.namespace ?? ANONYMOUS;
		deps.countRun?.(
			request.trigger,
			success ? "success" : isCancelled ? "cancelled" : "failed",
			duration_ms,
			owner,
		);
		records.add({
			id: request.executionId,
			owner_id: owner,
			workflow: request.workflow,
			verdict: success ? "success" : "failed",
			duration_ms,
			error: error ?? warning ?? "",
			time,
			trigger: request.trigger,
			version_number: request.versionNumber,
			context: pickTarget(request.input),
			...(request.repeats !== undefined && { replay_of: request.repeats }),
			// Only failure records have these.
			...(!success && { nodes: [...(request.runnable?.nodes ?? [])], failed_node: failedNode ?? null }),
		});
		held.hold(owner, result);
		return result;
	}
}

const createBudget = ({ max_steps }: Options): Budget =>
	max_steps === undefined ? { stepsLeft: MAX_STEPS } : { stepsLeft: max_steps, maxSteps: max_steps };

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

/** The nodes in progress of a run that stops are not cancelled: they go on with it. */
const ignoreStopped =
	<T>(line: Line, record: (progress: T) => void) =>
	(progress: T): void => {
		if (line.run.stopped === null) record(progress);
	};

const toObserver = (observe: NonNullable<RunRequest["observe"]>, line: Line | undefined): typeof observe =>
	line === undefined ? observe : ignoreStopped(line, observe);

const toCapture = (capture: RunCapture, line: Line | undefined): Pick<RunCapture, "record"> =>
	line === undefined ? capture : { record: ignoreStopped(line, (step) => capture.record(step)) };
