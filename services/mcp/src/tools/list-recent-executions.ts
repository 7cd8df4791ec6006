import type { ExecutionRecord } from "@tripline/contract/execution-log";
import { Instant } from "@tripline/contract/paging";
import * as z from "zod";
import { shorten, takeFitting } from "./budget.ts";
import { defineTool } from "./define-tool.ts";
import { cursor, limit, MAX_PAGE_CHARS, next, nextCursor } from "./fields.ts";
import { createWorkflowNotFound, workflowName } from "./workflow-name.ts";

const MAX_LIST_CHARS = MAX_PAGE_CHARS - 1_000;

const time = (what: string) =>
	Instant.optional().meta({ description: `${what}: ISO 8601 with a zone, or Unix seconds` });

export const listRecentExecutions = defineTool({
	name: "list_recent_executions",
	title: "List recent runs",
	description:
		'Lists the latest runs of all workflows, or of one, newest first: when they ran, how long, whether they failed and why. To find out what went wrong, set verdict to "failed"; then get_execution returns the details.',
	hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
	input: z.strictObject({
		workflow: workflowName.optional().meta({ description: "Only runs of this workflow" }),
		verdict: z.enum(["success", "failed"]).optional().meta({ description: "Only runs with this result" }),
		since: time("Earliest time"),
		until: time("Latest time"),
		limit: limit(20, 100),
		cursor,
	}),
	output: z.object({
		executions: z.array(
			z.object({
				execution_id: z.string(),
				workflow: z.string(),
				time: z.string(),
				verdict: z.enum(["success", "failed"]),
				duration_ms: z.number(),
				trigger: z.string().nullable(),
				failed_node: z.string().nullable(),
				error: z.string(),
			}),
		),
		next_cursor: nextCursor,
		next,
	}),
	async call(args, context) {
		const { executor, signal } = context;
		const readPage = async (count: number) => {
			const given = Object.entries({ ...args, limit: count }).filter(([, value]) => value !== undefined);
			// The executor reads the store's log, and first stores the runs that have just ended.
			const page = await executor.executions.list(Object.fromEntries(given), { signal });
			return { executions: page.executions.map(toItem), next_cursor: page.next_cursor };
		};
		let page = await readPage(args.limit);
		const fitting = Math.max(1, takeFitting(page.executions, MAX_LIST_CHARS).length);
		// Read again with a smaller limit, because only the log can issue the cursor of a shorter page.
		if (fitting < page.executions.length) page = await readPage(fitting);
		if (page.executions.length === 0 && args.workflow !== undefined && !(await exists(args.workflow)))
			throw await createWorkflowNotFound(args.workflow, context);
		return { structured: { ...page, next: nextStep(page.executions.length) } };

		/** Checked only when there are no runs, because records outlive deleted workflows. */
		async function exists(name: string): Promise<boolean> {
			const { workflows } = await executor.workflows.list();
			return workflows.some((workflow) => workflow.name === name);
		}
	},
});

const toItem = (record: ExecutionRecord) => ({
	execution_id: record.id,
	workflow: record.workflow,
	time: record.time,
	verdict: record.verdict,
	duration_ms: record.duration_ms,
	trigger: record.trigger,
	failed_node: record.failed_node ?? null,
	error: shorten(record.error, 300),
});

const nextStep = (count: number): string =>
	count > 0
		? "get_execution returns the details of a run."
		: "No runs found. Omit filters, or run a workflow with run_workflow.";
