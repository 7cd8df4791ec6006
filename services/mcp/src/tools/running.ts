import type { AcceptedRun } from "@tripline/contract/executor";
import type { JsonObject, RunResult } from "@tripline/contract/workflows";
import { ExecutorRefused, ExecutorUnavailable } from "@tripline/executor/client";
import { LARGE_BODY_LENGTH, yieldTurn } from "@tripline/web/service-call";
import * as z from "zod";
import { buildWithin, shorten } from "./budget.ts";
import { next } from "./fields.ts";
import { attachFiles } from "./file-attachments.ts";
import { explainMissingField } from "./missing-field.ts";
import { findFailedNode, isNoteworthy, TracedNode, toTrace } from "./node-trace.ts";
import { AnyValue, createReader, describeReadOn, type Reading, readingFields } from "./reading.ts";
import { type ToolContext, ToolProblem } from "./tool.ts";
import { describeTimedWait, toWaitFields, waitFields } from "./waits.ts";
import { createWorkflowNotFound } from "./workflow-name.ts";

/** The output of every tool that runs a workflow. */
export const RunOutput = z.object({
	success: z
		.boolean()
		.nullable()
		.meta({ description: "null: it has not ended and goes on by itself; see next" }),
	execution_id: z.string(),
	workflow: z.string(),
	...waitFields,
	duration_ms: z.number().nullable(),
	data: AnyValue.meta({
		description: "The last node's output, or an object by node name if several nodes ended the run",
	}),
	error: z.string().nullable().meta({ description: "<node>: <message>" }),
	failed_node: z.object({ id: z.string(), component: z.string() }).nullable(),
	nodes: z.array(TracedNode),
	...readingFields,
	next,
});

export interface RunRequest {
	readonly name: string;
	readonly input: JsonObject;
	readonly select?: string | undefined;
	readonly trace: boolean;
	readonly maxChars: number;
}

/** Runs a workflow, holds its output for a limited time, and returns as much of it as fits. */
export async function runAndDescribe(request: RunRequest, context: ToolContext) {
	const { name, input } = request;
	await context.progress(0, 1, `Running ${shorten(name, 128)}`);
	const result = await start(name, input, context);
	if (!("success" in result)) {
		await context.progress(1, 1, "The run goes on by itself");
		return { structured: await describeContinuing(result.execution_id, name, context), isError: false };
	}
	await context.progress(1, 1, result.success ? "The run succeeded" : "The run failed");
	const output = result.data ?? null;
	const size = context.outputs.hold(context.namespace, result.execution_id, output);
	const isLarge = size > LARGE_BODY_LENGTH;
	// Each step walks the whole output; in one turn they would block other requests for the sum of their times.
	if (isLarge) await yieldTurn();
	const { readIn, problem } = createOutputReader(result, request.select);
	if (isLarge) await yieldTurn();
	const { error, workflow, nodes = [] } = result;
	const cause =
		error === undefined ? null : await explainMissingField({ error, workflow, nodes }, context.executor);
	const structured = buildWithin(request.maxChars, (room) =>
		describeRun(result, request, readIn(room), { problem, cause }),
	);
	const attachments = await attachFiles(
		output,
		request.maxChars - JSON.stringify(structured).length,
		context,
	);
	return { structured, attachments, isError: !result.success };
}

async function start(
	name: string,
	input: JsonObject,
	context: ToolContext,
): Promise<RunResult | AcceptedRun> {
	try {
		const result = await context.executor.workflows.run(name, input, { signal: context.signal });
		if (result !== null) return result;
	} catch (error) {
		throw context.signal?.aborted === true ? error : explainError(error, name);
	}
	throw await createWorkflowNotFound(name, context);
}

/** The run is under way, so a failure to read its status must not hide its id. */
async function describeContinuing(execution_id: string, workflow: string, { executor }: ToolContext) {
	const detail = await executor.executions.get(execution_id).catch(() => null);
	const unfinished = detail?.unfinished ?? null;
	const { value: data, ...rest } = createReader(null)(Number.POSITIVE_INFINITY);
	return {
		success: null,
		execution_id,
		workflow,
		...toWaitFields(unfinished),
		duration_ms: null,
		data,
		error: null,
		failed_node: null,
		nodes: [],
		...rest,
		next:
			unfinished?.until === undefined
				? `The run goes on by itself, so do not run it again: get_execution {"execution_id":"${execution_id}"} returns its status.`
				: describeTimedWait(execution_id, unfinished.until),
	};
}

function explainError(error: unknown, name: string): unknown {
	if (error instanceof ExecutorRefused && error.issues.length > 0) {
		const lines = error.issues.map(({ path, message }) => `\n- ${path === "" ? "input" : path}: ${message}`);
		return new ToolProblem(
			`The workflow was not run: the input does not match its input_schema.${lines.join("")}\nget_workflow {"name":${JSON.stringify(name)},"select":"options.input_schema"} shows what it needs.`,
		);
	}
	if (error instanceof ExecutorUnavailable) {
		return new ToolProblem(
			`${error.message}. The run may have started: check list_recent_executions before you run it again.`,
		);
	}
	return error;
}

function describeRun(
	result: RunResult,
	{ select, trace, maxChars }: RunRequest,
	{ value, ...rest }: Reading,
	{ problem, cause }: { readonly problem: string | null; readonly cause: string | null },
) {
	const { success, execution_id, workflow, duration_ms, nodes = [] } = result;
	const error = result.error === undefined ? null : shorten(result.error, Math.min(2_000, maxChars / 6));
	const failed = result.error === undefined ? undefined : findFailedNode(result.error, nodes);
	const readOn = describeReadOn({ value, ...rest }, (place) => renderReadCall(execution_id, select, place));
	return {
		success,
		execution_id,
		workflow,
		duration_ms,
		data: value,
		error,
		failed_node: failed === undefined ? null : { id: shorten(failed.id, 256), component: failed.component },
		nodes: toTrace(trace ? nodes : nodes.filter(isNoteworthy), maxChars / 6),
		...rest,
		next: success
			? [problem, rest.truncated ? `The output is truncated. ${readOn}` : null].filter(Boolean).join(" ")
			: describeFix(result, failed?.component, cause),
	};
}

/** The run has ended, so an invalid path must not hide its output. A failed run has no output to select from. */
function createOutputReader({ success, data = null }: RunResult, select: string | undefined) {
	if (!success || select === undefined) return { readIn: createReader(data), problem: null };
	try {
		return { readIn: createReader(data, { select }), problem: null };
	} catch (error) {
		if (!(error instanceof ToolProblem)) throw error;
		return {
			readIn: createReader(data),
			problem: `The run succeeded and the whole output is returned, because select is not valid: ${error.message}`,
		};
	}
}

/** `part` is the argument that reads on; `node` is given if its data is read. */
export function renderReadCall(
	executionId: string,
	select: string | undefined,
	part: string,
	node: { readonly node?: string | undefined; readonly place?: string | undefined } = {},
): string {
	const same = part.startsWith('"select"') ? node : { ...node, select };
	const given = JSON.stringify({ execution_id: executionId, ...same });
	return `get_execution ${given.slice(0, -1)},${part}}`;
}

/** `cause` points to what produced a missing value, which the failed node's own component does not explain. */
function describeFix(
	{ execution_id }: RunResult,
	component: string | undefined,
	cause: string | null,
): string {
	const check =
		component === undefined
			? "Read the error."
			: `Read the error and check the node's settings against get_component {"id":${JSON.stringify(component)}}.`;
	return `${cause ?? check} Read the definition with get_workflow and fix it with save_workflow; get_execution {"execution_id":"${execution_id}"} shows what each node did.`;
}
