import type { ExecutionRecord } from "@tripline/contract/execution-log";
import type { UnfinishedExecution } from "@tripline/contract/executor";
import { Instant } from "@tripline/contract/paging";
import * as z from "zod";
import { shorten, takeFitting } from "./budget.ts";
import { defineTool } from "./define-tool.ts";
import { cursor, limit, MAX_PAGE_CHARS, next, nextCursor } from "./fields.ts";
import { type ToolContext, ToolProblem } from "./tool.ts";
import { toWaitFields, waitFields } from "./waits.ts";
import { createWorkflowNotFound, workflowName } from "./workflow-name.ts";

const MAX_LIST_CHARS = MAX_PAGE_CHARS - 1_000;

const time = (what: string) =>
	Instant.optional().meta({ description: `${what}: ISO 8601 with a zone, or Unix seconds` });

const MAX_UNFINISHED_PAGES = 5;

export const listRecentExecutions = defineTool({
	name: "list_recent_executions",
	title: "List recent runs",
	description:
		'Lists the latest runs of all workflows, or of one, newest first: when they ran, how long, whether they failed and why. To find out what went wrong, set verdict to "failed"; then get_execution returns the details. With status "unfinished": runs in progress or waiting, instead.',
	hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
	input: z.strictObject({
		workflow: workflowName.optional().meta({ description: "Only runs of this workflow" }),
		verdict: z.enum(["success", "failed"]).optional().meta({ description: "Only runs with this result" }),
		status: z.enum(["ended", "unfinished"]).default("ended").meta({
			description: "unfinished: runs that no caller waits for; not with verdict, since or until",
		}),
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
				verdict: z.enum(["success", "failed"]).nullable(),
				status: z
					.enum(["waiting", "running"])
					.optional()
					.meta({ description: "Of an unfinished run, whose time is that of its acceptance" }),
				...waitFields,
				duration_ms: z.number().nullable(),
				trigger: z.string().nullable(),
				failed_node: z.string().nullable(),
				error: z.string(),
			}),
		),
		next_cursor: nextCursor,
		next,
	}),
	async call({ status, ...args }, context) {
		const { executor } = context;
		const isUnfinished = status === "unfinished";
		if (isUnfinished) refuseFilters(args);
		const readPage = (limit: number): Promise<Page> =>
			isUnfinished ? readUnfinished({ ...args, limit }, context) : readEnded({ ...args, limit }, context);
		let page = await readPage(args.limit);
		const fitting = Math.max(1, takeFitting(page.executions, MAX_LIST_CHARS).length);
		// Read again with a smaller limit, because only the log can issue the cursor of a shorter page.
		if (fitting < page.executions.length) page = await readPage(fitting);
		if (page.executions.length === 0 && args.workflow !== undefined && !(await exists(args.workflow)))
			throw await createWorkflowNotFound(args.workflow, context);
		return { structured: { ...page, next: describeNext(page.executions.length, isUnfinished) } };

		/** Checked only when there are no runs, because records outlive deleted workflows. */
		async function exists(name: string): Promise<boolean> {
			const { workflows } = await executor.workflows.list();
			return workflows.some((workflow) => workflow.name === name);
		}
	},
});

interface Asked {
	readonly workflow?: string | undefined;
	readonly verdict?: "success" | "failed" | undefined;
	readonly since?: number | undefined;
	readonly until?: number | undefined;
	readonly limit: number;
	readonly cursor?: string | undefined;
}

interface Page {
	readonly executions: ReturnType<typeof toItem | typeof toUnfinishedItem>[];
	readonly next_cursor: string | null;
}

function refuseFilters(args: Omit<Asked, "limit">): void {
	const given = (["verdict", "since", "until"] as const).filter((name) => args[name] !== undefined);
	if (given.length > 0)
		throw new ToolProblem(`Runs that have not ended cannot be filtered by ${given.join(", ")}: omit it.`);
}

async function readEnded(asked: Asked, { executor, signal }: ToolContext): Promise<Page> {
	const given = Object.entries(asked).filter(([, value]) => value !== undefined);
	// The executor reads the store's log, and first stores the runs that have just ended.
	const page = await executor.executions.list(Object.fromEntries(given), { signal });
	return { executions: page.executions.map(toItem), next_cursor: page.next_cursor };
}

/** The first page that has runs of the workflow; after some without any, an empty one that can be continued. */
async function readUnfinished({ workflow, limit, cursor }: Asked, { executor }: ToolContext): Promise<Page> {
	let after = cursor;
	for (let pages = 1; ; pages++) {
		const page = await executor.executions.unfinished({ limit, cursor: after });
		const found = page.executions.filter((run) => workflow === undefined || run.workflow === workflow);
		const { next_cursor } = page;
		if (found.length > 0 || next_cursor === null || pages === MAX_UNFINISHED_PAGES)
			return { executions: found.map(toUnfinishedItem), next_cursor };
		after = next_cursor;
	}
}

const toUnfinishedItem = (run: UnfinishedExecution) => ({
	execution_id: run.id,
	workflow: run.workflow,
	time: run.time,
	verdict: null,
	status: run.status,
	...toWaitFields(run),
	duration_ms: null,
	trigger: run.trigger,
	failed_node: null,
	error: "",
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

function describeNext(count: number, isUnfinished: boolean): string {
	if (count === 0)
		return isUnfinished
			? "No unfinished runs found. A run whose caller waits is not listed until it has ended."
			: "No runs found. Omit filters, or run a workflow with run_workflow.";
	return isUnfinished
		? "cancel_execution ends a run, get_execution returns its status."
		: "get_execution returns the details of a run.";
}
