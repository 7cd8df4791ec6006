import type { ExecutionRecord } from "@tripline/contract/execution-log";
import type { Json } from "@tripline/contract/json";
import { Id } from "@tripline/contract/names";
import type { NodeTrace } from "@tripline/contract/workflows";
import type { TenantExecutor } from "@tripline/executor/client";
import * as z from "zod";
import { budgeted, firstFitting, shortened } from "./budget.ts";
import { tool } from "./described.ts";
import { maxChars, next, offset, select } from "./fields.ts";
import { TracedNode, traced } from "./node-trace.ts";
import { AnyValue, howToReadOn, reader, readingFields } from "./reading.ts";
import { readingCall } from "./running.ts";
import { ToolProblem } from "./tool.ts";

type Detail = NonNullable<Awaited<ReturnType<TenantExecutor["executions"]["get"]>>>;

export const getExecution = tool({
	name: "get_execution",
	title: "Get a run",
	description:
		"Returns one run: status, error, failed node, what each node did, and its output while it is available. Use it after a failed run, and to read a long output of run_workflow in parts with select and offset. Outputs are not stored: only those of runs started with these tools are held, for a limited time.",
	hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
	input: z.strictObject({
		execution_id: Id.meta({
			description: "The run's id, from run_workflow or list_recent_executions",
			examples: ["019a3f0e-7c1b-7c3d-9e2f-0123456789ab"],
		}),
		select,
		offset,
		max_chars: maxChars,
	}),
	output: z.object({
		execution_id: z.string(),
		status: z.enum(["accepted", "success", "failed"]).meta({ description: "accepted: still running" }),
		workflow: z.string().nullable(),
		time: z.string().nullable(),
		duration_ms: z.number().nullable(),
		trigger: z.string().nullable(),
		error: z.string().nullable(),
		failed_node: z.string().nullable(),
		nodes: z.array(TracedNode).meta({ description: "What each node did, as far as it is still available" }),
		more_nodes: z.int().meta({ description: "How many more nodes there were" }),
		output_held: z.boolean(),
		output: AnyValue.meta({
			description: "The output, or the part that select names; null if it is not available",
		}),
		...readingFields,
		next,
	}),
	async call({ execution_id, select, offset, max_chars }, { executor, outputs, namespace }) {
		const detail = await executor.executions.get(execution_id);
		if (detail === null) throw unknown(execution_id);
		const output = outputs.get(namespace, execution_id);
		if (output === undefined && (select !== undefined || offset > 0)) throw gone(execution_id);
		const readIn = reader(output ?? null, { select, offset });
		const structured = budgeted(max_chars, (room) => {
			const { value, ...rest } = readIn(room);
			const readOn = howToReadOn({ value, ...rest }, (place) => readingCall(execution_id, select, place));
			const told = { output_held: output !== undefined, output: value, ...rest };
			return { ...describe(detail, max_chars), ...told, next: nextStep(detail, output, readOn) };
		});
		return { structured };
	},
});

function describe({ execution_id, status, workflow, record, nodes }: Detail, maxChars: number) {
	const all =
		nodes === null ? (record?.nodes ?? []).map(unknownNode) : traced(nodes, Number.POSITIVE_INFINITY);
	const shown = firstFitting(all, maxChars / 6);
	const { error, failed_node } = record ?? failureIn(nodes ?? []);
	return {
		execution_id,
		status,
		workflow,
		time: record?.time ?? null,
		duration_ms: record?.duration_ms ?? null,
		trigger: record?.trigger ?? null,
		error: error === "" ? null : shortened(error, Math.min(2_000, maxChars / 6)),
		failed_node: failed_node == null ? null : shortened(failed_node, 256),
		nodes: shown,
		more_nodes: all.length - shown.length,
	};
}

/** The record is written some milliseconds after the run, or never if the daily limit dropped it. */
function failureIn(nodes: readonly NodeTrace[]): Pick<ExecutionRecord, "error" | "failed_node"> {
	const failed = nodes.findLast(({ status }) => status === "failed");
	return failed === undefined
		? { error: "" }
		: { error: `${failed.id}: ${failed.error ?? ""}`, failed_node: failed.id };
}

const unknownNode = ({ id, component }: { readonly id: string; readonly component: string | null }) => ({
	id,
	component,
	status: null,
	duration_ms: null,
	attempts: null,
});

function nextStep({ status, workflow }: Detail, output: Json | undefined, readOn: string): string {
	if (status === "accepted") return "The run has not ended: ask again in a few seconds.";
	if (readOn !== "") return readOn;
	if (status === "failed")
		return `Compare the failed node with get_workflow {"name":${JSON.stringify(workflow ?? "")}}, fix it with save_workflow, and run it again.`;
	return output === undefined ? "The output is not available: outputs are not stored." : "";
}

const unknown = (id: string): ToolProblem =>
	new ToolProblem(
		`There is no execution ${id}. Records are kept for a few weeks, and only your own are visible. Find runs with list_recent_executions.`,
	);

const gone = (id: string): ToolProblem =>
	new ToolProblem(
		`The output of ${id} is not available: outputs are not stored, only those of run_workflow are held for a limited time. If running it again does no harm, use run_workflow with select.`,
	);
