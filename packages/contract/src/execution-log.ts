import * as z from "zod";
import { Id, nameUpTo, Owner } from "./names.ts";
import { Cursor, Instant, limit, NextCursor, OrderQuery } from "./paging.ts";

const Verdict = z.enum(["success", "failed"]);
const WorkflowName = nameUpTo(200).meta({ description: "Workflow identifier" });
const RunsOf = z.enum(["named", "webhook"]).meta({
	description:
		"Only runs of named workflows, however they started (`named`), or only those of token webhooks (`webhook`)",
});
export type RunsOf = z.infer<typeof RunsOf>;
const NodeReference = z.object({ id: z.string().max(256), component: z.string().max(256).nullish() });

export const ExecutionReport = z
	.strictObject({
		id: Id.optional().meta({ description: "Record id; an existing record with this id is kept" }),
		owner_id: Owner,
		workflow: WorkflowName,
		verdict: Verdict,
		duration_ms: z.number().min(0),
		error: z
			.string()
			.nullish()
			.meta({ description: "Kept to 200 characters for a success, 2000 for a failure" }),
		time: z.iso.datetime({ offset: true }).optional().meta({ description: "When it ran; default now" }),
		trigger: nameUpTo(64).optional().meta({
			description:
				"How it started: webhook, named, query, schedule, event, mcp, console, test, replay, workflow",
		}),
		version_number: z.int().min(1).optional().meta({ description: "The version of the workflow that ran" }),
		replay_of: Id.optional().meta({ description: "The run that it repeats" }),
		called_by: Id.optional().meta({ description: "The run that called it as a workflow" }),
		nodes: z.array(NodeReference).max(10_000).optional(),
		failed_node: z.string().max(256).nullish(),
		context: z
			.looseObject({})
			.nullish()
			.meta({ description: "Trigger context; only page_name or path is kept, as `target`" }),
	})
	.meta({ id: "ExecutionReport" });
export type ExecutionReport = z.infer<typeof ExecutionReport>;

/** The batch form comes first because the executor sends it. */
export const WriteExecutions = z.union([
	z.strictObject({ records: z.array(ExecutionReport).min(1).max(500, "at most 500 records") }),
	ExecutionReport,
]);

export const LoggingMode = z.enum(["normal", "failures_only", "stopped"]);
export type LoggingMode = z.infer<typeof LoggingMode>;

export const WroteExecutions = z.object({
	recorded: z.int().meta({ description: "Records written by this call, without those that existed already" }),
	dropped: z.int().meta({ description: "Records dropped because of the daily limit" }),
	mode: LoggingMode,
});

export const ExecutionRecord = z
	.object({
		id: Id,
		time: z.string(),
		workflow: z.string(),
		verdict: Verdict,
		duration_ms: z.number(),
		error: z.string(),
		target: z.string().nullable(),
		trigger: z.string().nullable(),
		version_number: z.int().optional().meta({
			description:
				"The version of the workflow that ran; absent for a draft, a token webhook and a legacy workflow",
		}),
		replay_of: Id.optional().meta({ description: "The run that it repeats; absent for other runs" }),
		called_by: Id.optional().meta({
			description: "The run that called it as a workflow; absent for other runs",
		}),
		failed_node: z.string().nullable().optional().meta({ description: "Failures only" }),
		nodes: z
			.array(z.object({ id: z.string(), component: z.string().nullable() }))
			.optional()
			.meta({ description: "Failures only" }),
	})
	.meta({ id: "ExecutionRecord" });
export type ExecutionRecord = z.infer<typeof ExecutionRecord>;

export const ExecutionQuery = z.strictObject({
	owner_id: Owner,
	workflow: WorkflowName.optional(),
	verdict: Verdict.optional(),
	runs_of: RunsOf.optional(),
	since: Instant.optional(),
	until: Instant.optional(),
	q: nameUpTo(200)
		.optional()
		.meta({ description: "Text in the workflow's name, the error or the target; A to Z in either case" }),
	order: OrderQuery,
	limit: limit(20, 100),
	cursor: Cursor.optional(),
});

export const ExecutionPage = z.object({ executions: z.array(ExecutionRecord), next_cursor: NextCursor });

export const EndedQuery = z.strictObject({
	owner_id: Owner,
	workflow: WorkflowName.optional(),
	verdict: Verdict.optional(),
	after: Cursor.optional().meta({
		description: "`next` of the previous answer; absent: only the present position is returned",
	}),
	limit: limit(100, 100),
});

export const EndedPage = z.object({
	executions: z.array(ExecutionRecord).meta({
		description: "In the order in which they were stored; after an interruption one may be repeated",
	}),
	next: z.string().meta({ description: "Position of the next answer" }),
	has_more: z.boolean().meta({ description: "Whether more is stored already" }),
});

/** The longest period of a summary. */
export const MAX_SUMMARY_HOURS = 168;

export const SummaryQuery = z.strictObject({
	owner_id: Owner,
	since: Instant.optional().meta({
		description: "Unix seconds or ISO 8601; default 24 hours before `until`",
	}),
	until: Instant.optional().meta({ description: "Unix seconds or ISO 8601; default now" }),
});

export const ExecutionSummary = z.object({
	hours: z
		.array(
			z.object({
				hour: z.string().meta({ description: "Start of the hour, ISO 8601, UTC" }),
				success: z.int(),
				failed: z.int(),
			}),
		)
		.meta({ description: "Oldest first; an hour without records is absent" }),
	truncated: z.boolean().meta({ description: "Whether an hour has more records than were counted" }),
	mode: LoggingMode.meta({ description: "The mode that applies to the next record" }),
	day: z.string().meta({ description: "The UTC day of `limit` and `written`, YYYY-MM-DD" }),
	limit: z.int().meta({ description: "Daily limit for all owners together" }),
	written: z.int().nullable().meta({
		description: "Records written that day by all owners; null for a partner key",
	}),
});
export type ExecutionSummary = z.infer<typeof ExecutionSummary>;

export const LatestQuery = z.strictObject({
	owner_id: Owner,
	workflow: z
		.union([
			WorkflowName.transform((name) => [name]),
			z.array(WorkflowName).max(1000, "at most 1000 workflows"),
		])
		.optional()
		.meta({ description: "May be repeated; absent: every workflow of the owner" }),
	runs_of: RunsOf.optional(),
});

export const LatestExecutions = z.object({
	latest: z
		.record(z.string(), ExecutionRecord)
		.meta({ description: "By workflow; one that never ran is absent" }),
});
