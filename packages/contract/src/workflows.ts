import * as z from "zod";
import { durationUpTo } from "./durations.ts";
import { AnyJson, type Json } from "./json.ts";
import { nameUpTo, segmentUpTo } from "./names.ts";
import { Signature, webhookKeys } from "./webhook-trigger.ts";

export const WorkflowName = segmentUpTo(128).meta({
	description: "Workflow name: 1 to 128 characters of any script, without / and control characters",
});

export const WorkflowTag = z
	.string()
	.regex(
		/^[\p{L}\p{N}][\p{L}\p{M}\p{N}_.-]{0,39}$/u,
		"must be 1 to 40 letters, digits, _, . or -, starting with a letter or digit",
	)
	.meta({ description: "Tag of workflows: 1 to 40 letters of any script, digits, _, . or -" });

const MAX_TAGS = 16;

export const WorkflowTags = z
	.array(WorkflowTag)
	.max(MAX_TAGS)
	.refine((tags) => new Set(tags).size === tags.length, "must not have a tag twice")
	.meta({
		description:
			"Groups workflows: lists can be filtered by a tag, and an agent can have all of one as tools",
	});

const RELATIONS = [
	"ON_SUCCESS",
	"ON_FAIL",
	"ALWAYS",
	"ON_TRUE",
	"ON_FALSE",
	"CASE",
	"DEFAULT",
	"ON_WAIT",
	"FOREACH",
	"REPEAT",
] as const;
export type Relation = (typeof RELATIONS)[number];

/** Edges of these relations start a loop. */
export type LoopRelation = "FOREACH" | "REPEAT";

export const isLoopRelation = (relation: string): relation is LoopRelation =>
	relation === "FOREACH" || relation === "REPEAT";

/** The name of the trigger in triplets and edges. */
export const INPUT = "input";

const JsonObject = z.record(z.string(), AnyJson);

export const Retry = z
	.strictObject({
		max: z.int().min(0).max(20).meta({ description: "Retries after the first attempt" }),
		delay_ms: z
			.int()
			.min(0)
			.max(60_000)
			.optional()
			.meta({ description: "Delay before the first retry; default 1000" }),
		factor: z
			.number()
			.min(1)
			.max(10)
			.optional()
			.meta({ description: "Multiplier of the delay for each further retry; default 2" }),
	})
	.meta({ id: "Retry" });
export type Retry = z.infer<typeof Retry>;

/** Settings of a node besides its component's own parameters. */
export const nodeSettings = {
	credential: nameUpTo(128).optional(),
	retry: Retry.optional(),
	timeout_ms: z.int().min(1).max(600_000).optional().meta({ description: "Timeout of each attempt" }),
	concurrency: z
		.int()
		.min(1)
		.max(64)
		.optional()
		.meta({ description: "FOREACH: elements processed at a time; default 8" }),
	on_item_error: z
		.enum(["stop", "collect"])
		.optional()
		.meta({ description: "FOREACH: stop or collect when an element fails; default stop" }),
} as const;

export const GraphNode = z
	.strictObject({ id: nameUpTo(256), component: z.string(), params: JsonObject, ...nodeSettings })
	.meta({ id: "GraphNode" });
export type GraphNode = z.infer<typeof GraphNode>;

export const GraphEdge = z
	.strictObject({
		from: nameUpTo(256),
		to: nameUpTo(256),
		on: z.enum(RELATIONS),
		value: z.string().optional().meta({ description: "CASE: the value to compare the output with, as text" }),
		as: z
			.string()
			.optional()
			.meta({ description: "FOREACH: the element's name; REPEAT: the name of the turn's number" }),
	})
	.meta({ id: "GraphEdge" });
export type GraphEdge = z.infer<typeof GraphEdge>;

export const Graph = z
	.strictObject({
		id: nameUpTo(200).optional(),
		nodes: z.array(GraphNode),
		edges: z.array(GraphEdge),
		result: AnyJson.optional().meta({
			description: "Becomes the run's data: any JSON with templates, read when the last node has settled",
		}),
	})
	.meta({ id: "Graph" });
export type Graph = z.infer<typeof Graph>;

/** Of a whole mail, as it was sent. */
export const MAX_MAIL_BYTES = 25 * 1024 * 1024;

const OVERLAPS = ["allow", "skip", "queue"] as const;

export const Poll = z
	.strictObject({
		operation: z
			.string()
			.min(1)
			.meta({ description: "http_request, or an operation of a recipe such as github.list_issues" }),
		params: JsonObject.optional().meta({ description: "Its parameters, as of a node" }),
		credential: nameUpTo(128).optional().meta({ description: "Its credential, as of a node" }),
		items: z.string().max(500).optional().meta({
			description:
				"Path of the list in the operation's output; default the output itself, and data for http_request",
		}),
		key: z.string().max(500).meta({ description: "Path of what identifies an item, such as id" }),
		order: z
			.enum(["newest_first", "oldest_first"])
			.optional()
			.meta({ description: "Order of the list; default newest_first" }),
	})
	.meta({ id: "Poll" });
export type Poll = z.infer<typeof Poll>;

/** Text that a mail's sender or subject is compared with. */
const MailText = z.string().min(1).max(500);

export const EmailTrigger = z
	.strictObject({
		credential: nameUpTo(128).meta({ description: "A credential of the type imap" }),
		mailbox: z.string().min(1).max(500).optional().meta({ description: "Default INBOX" }),
		from: z
			.union([MailText, z.array(MailText).min(1).max(100)])
			.optional()
			.meta({
				description: "Only mails from this address, or from all of a domain: @example.com; or a list of them",
			}),
		subject: MailText.optional().meta({
			description: "Only mails whose subject contains this text, in upper or lower case",
		}),
		attachments: z.boolean().optional().meta({
			description: "Whether attachments become files; default true. Otherwise only their names are given",
		}),
		max_size: z.int().min(1_000).max(MAX_MAIL_BYTES).optional().meta({
			description:
				"Bytes of a whole mail, default and at most 26214400. Of a larger one only the head is read",
		}),
		mark_seen: z.boolean().optional().meta({ description: "Mark it as read when its run is stored" }),
		move_to: z
			.string()
			.min(1)
			.max(500)
			.optional()
			.meta({ description: "Move it to this mailbox, which must exist, when its run is stored" }),
	})
	.meta({ id: "EmailTrigger" });
export type EmailTrigger = z.infer<typeof EmailTrigger>;

export const Trigger = z
	.strictObject({
		type: z.enum(["schedule", "webhook", "event"]),
		cron: z.string().optional().meta({ description: "Five fields, or a nickname such as @hourly" }),
		timezone: z.string().optional().meta({ description: "IANA zone; default UTC" }),
		poll: Poll.optional().meta({
			description: "Of a schedule: what is read at each time. Each new item starts a run",
		}),
		event: z.string().optional().meta({ description: "Event type or pattern, such as order.*" }),
		email: EmailTrigger.optional().meta({
			description: "Of an event, instead of its type: each mail that arrives in a mailbox starts a run",
		}),
		overlap: z.enum(OVERLAPS).optional().meta({
			description:
				"When it fires while a run is in progress: allow (run too, the default), skip (do not run), queue (run afterwards)",
		}),
		...webhookKeys,
	})
	.meta({ id: "Trigger" });
export type Trigger = z.infer<typeof Trigger>;

/** What is kept of what nodes received and gave. */
export const Keep = z.enum(["memory", "failed", "all", "none"]);
export type Keep = z.infer<typeof Keep>;

export const Options = z
	.strictObject({
		expose: z.boolean().optional().meta({ description: "Expose it to assistants as a separate tool" }),
		query: z
			.boolean()
			.optional()
			.meta({ description: "GET /q/{namespace}/{name} answers without a credential" }),
		timeout_ms: z
			.int()
			.min(1)
			.optional()
			.meta({ description: "Deadline of a run; can only lower the service's own" }),
		timeout: durationUpTo(30).optional().meta({
			description:
				'Deadline of a durable run, from its start and across interruptions: "6 hours", "3 days". Default: the service\'s own',
		}),
		durable: z.boolean().optional().meta({
			description:
				"Whether runs whose caller waits are resumed after a crash, as all others are; default false. Only for workflows with effects",
		}),
		max_steps: z
			.int()
			.min(1)
			.max(1_000_000)
			.optional()
			.meta({ description: "How many nodes a run may start, those in loops each time; default 10000" }),
		concurrency: z
			.int()
			.min(1)
			.max(1_000)
			.optional()
			.meta({ description: "Maximum number of concurrent runs of this workflow; further runs wait" }),
		input_schema: JsonObject.optional().meta({ description: "JSON Schema of the trigger context" }),
		output_schema: JsonObject.optional().meta({
			description: "JSON Schema of the run's data; a run whose data does not match fails",
		}),
		keep: Keep.optional().meta({
			description:
				"Whose data is kept: recent runs in memory (`memory`), failed runs or all runs for 7 days, or none; default: the namespace's",
		}),
		signature: Signature.optional(),
	})
	.meta({ id: "WorkflowOptions" });
export type Options = z.infer<typeof Options>;

export const Diagnostic = z
	.object({
		severity: z.enum(["error", "warning"]),
		code: z.string(),
		message: z.string(),
		path: z.string().meta({ description: "Dotted path into the document" }),
		line: z.int().optional().meta({ description: "From 1; only if the source is YAML" }),
		column: z.int().optional(),
		hint: z.string().optional(),
	})
	.meta({ id: "Diagnostic" });
export type Diagnostic = z.infer<typeof Diagnostic>;

export const NodeStatus = z.enum(["success", "failed", "skipped", "cancelled"]);
export type NodeStatus = z.infer<typeof NodeStatus>;

export const NodeTrace = z
	.object({
		id: z.string(),
		component: z.string(),
		status: NodeStatus,
		duration_ms: z.number(),
		attempts: z.int().meta({ description: "In a loop, those of the element with the most" }),
		error: z.string().optional(),
		log: z.array(z.string()).optional().meta({
			description: "Lines that `code` printed, retries of calls, and how many elements of a loop failed",
		}),
		pinned: z.literal(true).optional().meta({
			description: "In a test: the node did not run and gave its pinned output",
		}),
	})
	.meta({ id: "NodeTrace" });
export type NodeTrace = z.infer<typeof NodeTrace>;

/** The progress of a node during a run. */
export const NodeEvent = z
	.object({
		id: z.string(),
		component: z.string(),
		status: z.enum(["running", "retrying", ...NodeStatus.options]),
		attempt: z.int().meta({ description: "The latest attempt, from 1; 0 if none" }),
		duration_ms: z
			.number()
			.optional()
			.meta({ description: "Set once it has ended; in a loop, the sum over all elements so far" }),
		error: z.string().optional(),
		elements: z
			.object({
				total: z
					.int()
					.nullable()
					.meta({ description: "Null in a nested loop and in a REPEAT, where it is not known" }),
				ended: z.int().meta({ description: "Elements for which the node ended or was skipped" }),
				failed: z.int(),
			})
			.optional()
			.meta({ description: "Set for a node in a loop" }),
	})
	.meta({ id: "NodeEvent" });
export type NodeEvent = z.infer<typeof NodeEvent>;

export const RunStarted = z.object({ execution_id: z.string() }).meta({ id: "RunStarted" });

/** Why there is no result. */
export const RunProblem = z.object({ status: z.int(), error: z.string() }).meta({ id: "RunProblem" });
export type RunProblem = z.infer<typeof RunProblem>;

export const RunResult = z
	.object({
		success: z.boolean(),
		duration_ms: z.number(),
		execution_id: z.string(),
		workflow: z.string().meta({ description: "Workflow name, graph id or token" }),
		data: AnyJson.meta({
			description:
				"The workflow's result if it defines one; else the output of the node that ended the run, or an object by node name if several did",
		}),
		nodes: z.array(NodeTrace).optional().meta({ description: "Omitted with ?trace=false" }),
		error: z.string().optional().meta({ description: "When the run failed: <node>: <message>" }),
	})
	.meta({ id: "RunResult" });
export type RunResult = z.infer<typeof RunResult>;

export type JsonObject = { [key: string]: Json };

/** A custom check, because a record schema would silently skip `__proto__`. */
const AnyObject = z.custom<JsonObject>(
	(value) => typeof value === "object" && value !== null && !Array.isArray(value),
	"must be an object",
);

export const RunInput = AnyObject.meta({
	type: "object",
	description: "The trigger context; `{}` for none",
});

export const TestRun = z
	.strictObject({
		input: RunInput.optional(),
		pinned: AnyObject.optional().meta({
			type: "object",
			description:
				"Outputs by node name, any JSON each. These nodes do not run and give their outputs, in a loop for every element",
		}),
	})
	.meta({ id: "TestRun" });
export type TestRun = z.infer<typeof TestRun>;
