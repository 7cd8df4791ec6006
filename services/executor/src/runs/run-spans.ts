import type { NodeStatus } from "@tripline/contract/workflows";
import type { NodeSpans } from "@tripline/engine/run/options";
import type { Span, StoredTrace, Tracing } from "@tripline/platform/tracing";
import type { Address } from "../domain/address.ts";
import { type Line, RunStopped } from "../durable/run.ts";

/** No request has decided whether these are sampled. */
const BEGINS_TRACES: ReadonlySet<string> = new Set(["schedule", "event", "replay"]);

/** The part of a run's request that is used. */
interface TracedRun {
	readonly executionId: string;
	readonly workflow: string;
	readonly versionNumber?: number | undefined;
	readonly address?: Address | undefined;
	readonly trigger: string;
	readonly attempts?: number;
	readonly trace?: StoredTrace | null;
}

interface Finished {
	readonly result: { readonly success: boolean };
}

export type RunSpans = ReturnType<typeof runSpans>;

/** The spans of runs and their nodes: names, ids, statuses and numbers of attempts, but no values and no messages. */
export function runSpans(tracing: Tracing) {
	return { followRun, followCalled, followNodes };

	/** `execute` gets null if the run is not recorded. */
	function followRun<Result extends Finished>(
		request: TracedRun,
		execute: (span: Span | null) => Result | Promise<Result>,
	): Result | Promise<Result> {
		const { trace } = request;
		const parent = trace === undefined ? tracing.current() : trace === null ? null : tracing.resume(trace);
		const span = parent == null ? beginTrace(request) : tracing.start(nameRun(request), "internal", parent);
		// A run that comes from the store must not continue the trace of whatever has led to its start.
		if (span === null)
			return trace === undefined ? execute(null) : tracing.within(parent ?? undefined, () => execute(null));
		describeRun(span, request);
		let finished: Result | Promise<Result> | undefined;
		try {
			finished = tracing.within(span, () => execute(span));
		} finally {
			if (finished === undefined) end(span, "failed");
		}
		const conclude = ({ result }: Finished) => end(span, result.success ? "success" : "failed");
		if (finished instanceof Promise)
			finished.then(conclude, (error) => end(span, error instanceof RunStopped ? "interrupted" : "failed"));
		else conclude(finished);
		return finished;
	}

	function beginTrace(request: TracedRun): Span | null {
		return BEGINS_TRACES.has(request.trigger) ? tracing.begin(nameRun(request)) : null;
	}

	/** The run of a workflow that a node of the present run calls. */
	async function followCalled<Result>(
		workflow: string,
		line: Line | undefined,
		run: (span: Span | null) => Promise<Result>,
	): Promise<Result> {
		const span = tracing.startHere(`run ${workflow}`, "internal");
		if (span === null) return run(null);
		span.set("tripline.workflow", workflow);
		span.set("tripline.trigger", "workflow");
		try {
			const result = await tracing.within(span, () => run(span));
			end(span, "success");
			return result;
		} catch (error) {
			end(span, isStopped(line) ? "interrupted" : "failed");
			throw error;
		}
	}

	function end(span: Span, status: Status): void {
		span.set("tripline.status", status);
		if (status === "failed" || status === "cancelled") {
			span.isFailed = true;
			span.set("error.type", status);
		}
		tracing.end(span);
	}

	/** `line`: the steps of a durable run. */
	function followNodes(run: Span, line: Line | undefined): NodeSpans {
		return {
			begin({ id, component }, loop) {
				const span = tracing.start(id, "internal", (loop as FollowedNode | undefined)?.span ?? run);
				span?.set("tripline.node", id);
				span?.set("tripline.component", component);
				return { span, attempts: 0 } satisfies FollowedNode;
			},
			attempt(node, attempt, work) {
				const followed = node as FollowedNode;
				followed.attempts = attempt;
				return followed.span === null ? work() : tracing.within(followed.span, work);
			},
			end(node, status) {
				const { span, attempts } = node as FollowedNode;
				if (span === null) return;
				span.set("tripline.attempts", attempts);
				end(span, isStopped(line) ? "interrupted" : status);
			},
		};
	}
}

interface FollowedNode {
	/** Null if it is not recorded. */
	readonly span: Span | null;
	attempts: number;
}

/** Interrupted: it has left this process and goes on later. */
type Status = Exclude<NodeStatus, "skipped"> | "interrupted";

const isStopped = (line: Line | undefined): boolean => line !== undefined && line.run.stopped !== null;

/** A webhook without a name is called by its token in records, and whoever knows that may call it. */
const hasName = ({ address }: TracedRun): boolean => address?.kind !== "webhook";

const nameRun = (request: TracedRun): string => (hasName(request) ? `run ${request.workflow}` : "run");

function describeRun(span: Span, request: TracedRun): void {
	const { executionId, trigger, workflow, versionNumber, attempts = 0 } = request;
	span.set("tripline.execution.id", executionId);
	span.set("tripline.trigger", trigger);
	if (hasName(request)) span.set("tripline.workflow", workflow);
	if (versionNumber !== undefined) span.set("tripline.workflow.version", versionNumber);
	if (attempts > 0) span.set("tripline.attempts", attempts + 1);
}
