import type { ExecutionRecord } from "@tripline/contract/execution-log";
import type { Json } from "@tripline/contract/json";
import { Id } from "@tripline/contract/names";
import type { NodeTrace } from "@tripline/contract/workflows";
import type { TenantExecutor } from "@tripline/executor/client";
import * as z from "zod";
import { buildWithin, shorten, takeFitting } from "./budget.ts";
import { defineTool } from "./define-tool.ts";
import { maxChars, next, offset, select } from "./fields.ts";
import { explainMissingField } from "./missing-field.ts";
import { readNodeData } from "./node-data.ts";
import { TracedNode, toTrace } from "./node-trace.ts";
import { createUnknownExecution } from "./not-found.ts";
import { AnyValue, createReader, describeReadOn, readingFields } from "./reading.ts";
import { renderReadCall } from "./running.ts";
import { ToolProblem } from "./tool.ts";
import { describeTimedWait, toWaitFields, waitFields } from "./waits.ts";

type Detail = NonNullable<Awaited<ReturnType<TenantExecutor["executions"]["get"]>>>;

export const getExecution = defineTool({
	name: "get_execution",
	title: "Get a run",
	description:
		"Returns one run: status, error, failed node, what each node did. Use it after a failed run, and to read a long output of run_workflow in parts with select and offset: outputs are not stored, only those of runs started with these tools are held for a few minutes. With node, output is what that node received and gave, if options.keep of the workflow keeps it.",
	hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
	input: z.strictObject({
		execution_id: Id.meta({ description: "The run's id" }),
		node: z.string().min(1).max(256).optional().meta({ description: "Read the data of this node" }),
		place: z.string().max(256).optional().meta({ description: "Its place in loops, such as 0.2" }),
		select,
		offset,
		max_chars: maxChars,
	}),
	output: z.object({
		execution_id: z.string(),
		status: z
			.enum(["accepted", "success", "failed", "cancelled"])
			.meta({ description: "accepted: it has not ended" }),
		...waitFields,
		workflow: z.string().nullable(),
		time: z.string().nullable(),
		duration_ms: z.number().nullable(),
		trigger: z.string().nullable(),
		called_by: z.string().optional().meta({ description: "The run that called it as a workflow" }),
		error: z.string().nullable(),
		failed_node: z.string().nullable(),
		nodes: z.array(TracedNode),
		more_nodes: z.int(),
		output_held: z.boolean(),
		output: AnyValue,
		...readingFields,
		next,
	}),
	async call({ execution_id, node, place, select, offset, max_chars }, { executor, outputs, namespace }) {
		if (place !== undefined && node === undefined)
			throw new ToolProblem("place needs node: name the node too.");
		const detail = await executor.executions.get(execution_id);
		if (detail === null) throw createUnknownExecution(execution_id);
		const output =
			node === undefined
				? await outputs.find(namespace, execution_id)
				: await readNodeData(executor, { execution_id, node, place });
		if (output === undefined && (select !== undefined || offset > 0)) throw createOutputGone(execution_id);
		const readIn = createReader(output ?? null, { select, offset });
		const cause = await explainFailure(detail, executor);
		const structured = buildWithin(max_chars, (room) => {
			const { value, ...rest } = readIn(room);
			const readOn = describeReadOn({ value, ...rest }, (part) =>
				renderReadCall(execution_id, select, part, { node, place }),
			);
			const told = { output_held: output !== undefined, output: value, ...rest };
			return {
				...describeExecution(detail, max_chars),
				...told,
				next: nextStep(detail, output, readOn, cause),
			};
		});
		return { structured };
	},
});

function describeExecution(detail: Detail, maxChars: number) {
	const { execution_id, status, workflow, record, nodes } = detail;
	const all =
		nodes === null ? (record?.nodes ?? []).map(toUnknownNode) : toTrace(nodes, Number.POSITIVE_INFINITY);
	const shown = takeFitting(all, maxChars / 6);
	const { error, failed_node } = record ?? findFailure(nodes ?? []);
	return {
		execution_id,
		status,
		...toWaitFields(detail.unfinished),
		workflow,
		time: record?.time ?? null,
		duration_ms: record?.duration_ms ?? null,
		trigger: record?.trigger ?? null,
		...(record?.called_by !== undefined && { called_by: record.called_by }),
		error: error === "" ? null : shorten(error, Math.min(2_000, maxChars / 6)),
		failed_node: failed_node == null ? null : shorten(failed_node, 256),
		nodes: shown,
		more_nodes: all.length - shown.length,
	};
}

/** The record is written some milliseconds after the run, or never if the daily limit dropped it. */
function findFailure(nodes: readonly NodeTrace[]): Pick<ExecutionRecord, "error" | "failed_node"> {
	const failed = nodes.findLast(({ status }) => status === "failed");
	return failed === undefined
		? { error: "" }
		: { error: `${failed.id}: ${failed.error ?? ""}`, failed_node: failed.id };
}

const toUnknownNode = ({ id, component }: { readonly id: string; readonly component: string | null }) => ({
	id,
	component,
	status: null,
	duration_ms: null,
	attempts: null,
});

async function explainFailure(detail: Detail, executor: TenantExecutor): Promise<string | null> {
	const { workflow, record } = detail;
	const nodes = detail.nodes ?? record?.nodes ?? [];
	const { error } = record ?? findFailure(detail.nodes ?? []);
	return error === "" ? null : explainMissingField({ error, workflow: workflow ?? "", nodes }, executor);
}

function nextStep(
	{ execution_id, status, workflow, unfinished }: Detail,
	output: Json | undefined,
	readOn: string,
	cause: string | null,
): string {
	if (status === "accepted" && unfinished?.until !== undefined)
		return describeTimedWait(execution_id, unfinished.until);
	if (status === "accepted") return "The run has not ended: ask again in a few seconds.";
	if (readOn !== "") return readOn;
	if (status === "failed")
		return `${cause === null ? "" : `${cause} `}Compare the failed node with get_workflow {"name":${JSON.stringify(workflow ?? "")}}, fix it with save_workflow, and run it again.`;
	return output === undefined ? "The output is not available: outputs are not stored." : "";
}

const createOutputGone = (id: string): ToolProblem =>
	new ToolProblem(
		`The output of ${id} is not available: outputs are not stored, only those of run_workflow are held for a limited time. If running it again does no harm, use run_workflow with select.`,
	);
