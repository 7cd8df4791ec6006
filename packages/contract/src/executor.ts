import * as z from "zod";
import { ExecutionRecord } from "./execution-log.ts";
import { AnyJson } from "./json.ts";
import { Id, nameUpTo } from "./names.ts";
import { Cursor, Instant, limit, NextCursor } from "./paging.ts";
import { ComponentVersion, Sha256 } from "./registry.ts";
import { Diagnostic, Graph, NodeTrace, Options, Trigger, WorkflowTags } from "./workflows.ts";

const JsonObject = z.record(z.string(), AnyJson);
const Time = z.string().meta({ description: "ISO 8601, UTC" });

/** Defines a graph by one of `graph`, `triplets` (or `flow`), or `nodes` and `edges`. The compiler validates it strictly. */
const source = {
	graph: JsonObject.optional().meta({ description: "{ id?, nodes, edges, result? }" }),
	triplets: z
		.array(z.string())
		.optional()
		.meta({ description: "subject >> relation >> object", examples: [["input >> ON_SUCCESS >> greet"]] }),
	flow: z.array(z.string()).optional().meta({ description: "Alias of triplets" }),
	nodes: z.array(JsonObject).optional(),
	edges: z.array(JsonObject).optional(),
	config: z.record(z.string(), JsonObject).optional().meta({ description: "Settings by node name" }),
	context: JsonObject.optional().meta({ description: "Default variables" }),
	options: Options.optional(),
	result: AnyJson.optional().meta({ description: "Becomes the run's data: any JSON with templates" }),
};

export const WebhookSource = z
	.object({ ...source, name: z.string().optional(), description: z.string().optional() })
	.meta({ id: "WebhookSource" });

export const WorkflowSource = z
	.object({
		name: z.string(),
		description: z.string(),
		version: z.string().optional(),
		tags: WorkflowTags.optional(),
		trigger: Trigger.optional(),
		...source,
	})
	.meta({ id: "WorkflowSource" });

export const WorkflowDocument = z
	.object({
		name: z.string(),
		description: z.string(),
		version: z.string(),
		tags: WorkflowTags.optional(),
		trigger: Trigger.optional(),
		id: z.string().optional(),
		triplets: z.array(z.string()),
		config: source.config,
		context: source.context,
		options: source.options,
		result: source.result,
	})
	.meta({ id: "WorkflowDocument" });

export const CreatedWebhook = z.object({
	token: z.string(),
	webhook_url: z.string(),
	description: z.string(),
	created_at: Time,
});

export const WebhookList = z.object({
	webhooks: z.array(CreatedWebhook.extend({ name: z.string().nullable() })),
	next_cursor: NextCursor,
});

export const SavedWorkflow = z.object({
	name: z.string(),
	description: z.string(),
	created: z.boolean(),
	webhook_url: z.string(),
	graph: Graph,
	cron_expr: z.string().nullable(),
	version: z.string(),
	version_number: z.int().meta({ description: "The number of the saved version, also in the header ETag" }),
	updated_at: Time,
	diagnostics: z.array(Diagnostic).meta({ description: "Warnings" }),
});

const workflowItem = {
	name: z.string(),
	description: z.string(),
	version: z.string(),
	tags: z.array(z.string()),
	trigger: Trigger.nullable(),
	cron_expr: z.string().nullable(),
	expose: z.boolean().meta({ description: "Whether assistants see it as a separate tool" }),
	input_schema: JsonObject.nullable().meta({
		description: "JSON Schema of the input, for an exposed workflow that has one",
	}),
	output_schema: JsonObject.nullable().meta({
		description: "JSON Schema of the data, for an exposed workflow that has one",
	}),
	next_run_at: Time.nullable().meta({ description: "ISO 8601, UTC; null without a schedule" }),
	webhook_url: z.string(),
	source: z.enum(["store", "kv"]).meta({ description: "kv: the legacy key-value store" }),
	updated_at: Time.nullable(),
	version_number: z.int().nullable().meta({ description: "Its current version; null in the legacy store" }),
	enabled: z.boolean().meta({ description: "Whether its triggers are switched on" }),
};
export const WorkflowList = z.object({ workflows: z.array(z.object(workflowItem)) });

export const PollStatus = z.object({
	since: Time.nullable().meta({ description: "ISO 8601: the first poll that succeeded; null before" }),
	remembered: z.int().meta({ description: "Number of items that start no further run" }),
	failures: z.int().meta({ description: "Polls that failed since the last one that succeeded" }),
	error: z.string().nullable().meta({ description: "Of the last poll, if it failed" }),
	retry_at: Time.nullable().meta({
		description: "ISO 8601: after failures, times before this one are passed over",
	}),
});

export const MailboxStatus = z.object({
	read_by: z.enum(["this_process", "another_process"]).nullable().meta({
		description: "The process that reads it, as seen by the one that answers; null if none does",
	}),
	connected_at: Time.nullable().meta({
		description: "ISO 8601: since when there is a connection; null without one",
	}),
	since: Time.nullable().meta({ description: "ISO 8601: since when mails start runs; null before" }),
	last_mail_at: Time.nullable().meta({ description: "ISO 8601: when the last mail started a run" }),
	failures: z.int().meta({ description: "Attempts to read the mailbox that failed in a row" }),
	error: z.string().nullable().meta({ description: "Of the last attempt, if it failed" }),
	retry_at: Time.nullable().meta({ description: "ISO 8601: when it is tried again after failures" }),
});

export const PortalWorkflows = z.object({
	workflows: z.array(
		z.object({
			...workflowItem,
			last_execution: z
				.object({ time: Time, verdict: z.string(), duration_ms: z.number(), error: z.string() })
				.nullable(),
		}),
	),
});

export const Validation = z.object({
	valid: z.boolean(),
	diagnostics: z.array(Diagnostic),
	missing: z.array(z.string()).meta({ description: "Nodes whose component does not exist" }),
	graph: Graph.nullable(),
	form: z
		.object({ html: z.string(), style: z.string() })
		.nullable()
		.optional()
		.meta({ description: "The page of its form and its style sheet, if asked for" }),
});

/** The language of the form's page; without it, none is drawn. */
export const ValidationQuery = z.object({
	form: z.enum(["en", "zh-Hant"]).optional().meta({ description: "Also draw its form, in this language" }),
});

export const Backfilled = z.object({
	backfilled: z.int().meta({ description: "Legacy workflows that are now in the store" }),
	unchanged: z
		.int()
		.meta({ description: "Workflows that were already in the store and were left unchanged" }),
	needs_description: z.array(z.string()).meta({ description: "Names of workflows without a description" }),
});

export const AcceptedRun = z.object({ execution_id: z.string(), status: z.literal("accepted") });
export type AcceptedRun = z.infer<typeof AcceptedRun>;

export const WaitsFor = z.enum(["start", "time", "answer", "event", "resumption"]);

/** A run that has not ended. */
const UnfinishedExecution = z
	.object({
		id: z.string(),
		time: z.string().meta({ description: "When it was accepted, ISO 8601, UTC" }),
		workflow: z.string(),
		status: z.enum(["waiting", "running"]),
		waits_for: WaitsFor.nullable().meta({
			description:
				"`start`: for a place, or for other runs of its workflow. `time`: until a node has waited long enough. `answer`: a node asks a person. `event`: for an event. `resumption`: its process or invocation is gone, and the next one continues it",
		}),
		until: z.string().optional().meta({
			description:
				"When it goes on, if it waits for a time; when it does at the latest, for an answer or event",
		}),
		since: z.string().meta({ description: "Since when it waits, or when a process last took it" }),
		trigger: z.string(),
		attempts: z.int().meta({ description: "How often a process took it" }),
		replay_of: Id.optional().meta({ description: "The run that it repeats" }),
	})
	.meta({ id: "UnfinishedExecution" });

export const ExecutionDetail = z.object({
	execution_id: z.string(),
	status: z.enum(["accepted", "success", "failed", "cancelled"]).meta({
		description: "`accepted`: it has not ended. The record of a cancelled run is that of a failed one",
	}),
	workflow: z.string().nullable(),
	record: ExecutionRecord.nullable().meta({
		description: "Null while it runs, or if the daily limit dropped it",
	}),
	unfinished: UnfinishedExecution.nullable().meta({
		description: "Whether it runs or waits; null once it has ended",
	}),
	nodes: z
		.array(NodeTrace)
		.nullable()
		.meta({ description: "The node trace, while it is in memory: the last 1,000 runs" }),
});

export type UnfinishedExecution = z.infer<typeof UnfinishedExecution>;

export const UnfinishedQuery = z.strictObject({ limit: limit(20, 100), cursor: Cursor.optional() });
export const UnfinishedPage = z.object({
	executions: z.array(UnfinishedExecution),
	next_cursor: NextCursor,
});

export const CancelledExecution = z.object({
	execution_id: z.string(),
	status: z
		.enum(["cancelled", "cancelling"])
		.meta({ description: "`cancelling`: it cleans up, for 30 seconds at most, and has not ended yet" }),
});

export const ReplayExecution = z
	.strictObject({
		from: z.enum(["start", "failed"]).default("start").meta({
			description:
				"`failed`: outputs of steps that were completed are taken over, and the run goes on with the node that failed",
		}),
		version: z
			.enum(["same", "current"])
			.default("same")
			.meta({ description: "The version of the workflow that ran, or the current one" }),
		input: z
			.record(z.string(), AnyJson)
			.optional()
			.meta({ description: "Another trigger context; only from the start" }),
	})
	.refine(({ from, input }) => from === "start" || input === undefined, {
		path: ["input"],
		error: "a run that is repeated from where it failed has the input that it had",
	})
	.meta({ id: "ReplayExecution" });

/** The most runs that one filter repeats. */
const MAX_REPLAYED_RUNS = 1_000;

export const ReplayExecutions = z
	.strictObject({
		verdict: z.literal("failed").default("failed"),
		workflow: nameUpTo(200).optional().meta({ description: "Only runs of this workflow" }),
		since: Instant.meta({ description: "Unix seconds or ISO 8601" }),
		until: Instant.optional().meta({ description: "Unix seconds or ISO 8601; default now" }),
		limit: z
			.int()
			.min(1)
			.max(MAX_REPLAYED_RUNS)
			.default(20)
			.meta({ description: "How many runs at most, over all answers" }),
		from: ReplayExecution.shape.from,
		version: ReplayExecution.shape.version,
		dry_run: z.boolean().default(false).meta({ description: "Only list the runs" }),
		cursor: z
			.string()
			.max(64, "is not a cursor of this list")
			.optional()
			.meta({ description: "`next_cursor` of the previous answer, with the same other fields" }),
	})
	.meta({ id: "ReplayExecutions" });

const ReplayedExecution = z
	.object({
		id: z.string().meta({ description: "Of the failed run" }),
		time: Time,
		workflow: z.string(),
		failure: z.string().meta({ description: "Why it failed" }),
		result: z.enum(["started", "refused", "unknown", "listed"]).meta({
			description: "`unknown`: it may have been started; `listed`: by a dry run",
		}),
		execution_id: z.string().nullable().meta({ description: "Of the new run" }),
		error: z.string().nullable().meta({ description: "Why it was refused" }),
	})
	.meta({ id: "ReplayedExecution" });
export type ReplayedExecution = z.infer<typeof ReplayedExecution>;

export const ReplayedExecutions = z.object({
	executions: z.array(ReplayedExecution),
	next_cursor: NextCursor,
});

export const RaisedEvents = z.object({
	matched: z.int().meta({ description: "How many workflows it started" }),
	woken: z.int().meta({ description: "How many waits of runs it ended" }),
	executions: z.array(z.string()).meta({ description: "Execution ids" }),
});

export const InstallComponent = z
	.strictObject({ version: ComponentVersion, sha256: Sha256 })
	.meta({ id: "InstallComponent" });
export const InstalledComponent = z.object({
	id: z.string(),
	version: z.string(),
	sha256: z.string(),
	installed_at: Time,
	hosts: z.array(z.string()).meta({ description: "Hosts it may call" }),
	credentials: z.array(z.string()).meta({ description: "Auth recipes whose credentials it accepts" }),
	components: z.array(z.string()).meta({ description: "Components that nodes can now use" }),
});

const componentItem = {
	id: z.string(),
	version: z.string(),
	title: z.string(),
	description: z.string(),
	source: z.enum(["built-in", "recipe", "installed", "mcp"]),
};
export const ComponentList = z.object({ components: z.array(z.object(componentItem)) });
export const ComponentDetail = z.object({
	...componentItem,
	params: JsonObject.meta({ description: "JSON Schema" }),
	output: JsonObject.meta({ description: "JSON Schema" }),
	expressions: z
		.record(z.string(), z.string())
		.meta({ description: "Parameters that are CEL expressions, and how they are evaluated" }),
	hosts: z.array(z.string()),
	takes_credentials: z.boolean(),
	auth_recipes: z
		.array(z.string())
		.nullable()
		.meta({ description: "Auth recipes that its credential may use; null means any" }),
	examples: z.array(JsonObject),
});
