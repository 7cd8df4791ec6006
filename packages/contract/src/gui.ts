import * as z from "zod";
import { ACCEPTED_BODIES, HANDSHAKE_SCHEMES, TRIGGER_METHODS } from "./calling/words.ts";
import { CredentialName } from "./credentials.ts";
import { ReplaceEntry, WriteEntry } from "./entries.ts";
import { ExecutionQuery, ExecutionRecord, ExecutionSummary, MAX_SUMMARY_HOURS } from "./execution-log.ts";
import { MailboxStatus, PollStatus, WorkflowDocument, WorkflowList } from "./executor.ts";
import { EntryType, PageName } from "./names.ts";
import { Cursor, Instant, limit, NextCursor } from "./paging.ts";
import { UpcomingRuns } from "./schedules.ts";
import { SearchRequest } from "./search.ts";
import { Triplet } from "./triplets.ts";
import { Auth, Signature } from "./webhook-trigger.ts";
import { WorkflowDraft } from "./workflow-versions.ts";
import { RunInput } from "./workflows.ts";

const Time = z.string().meta({ description: "ISO 8601, UTC" });

export const GuiSession = z
	.object({
		namespace: z.string(),
		by: z
			.enum(["oauth", "static", "partner", "plaintext"])
			.meta({ description: "The credential: an access token, MCP_STATIC_TOKEN, a partner key, a namespace" }),
		version: z.string(),
		mode: z.enum(["self-hosted", "multi-tenant"]),
		oauth: z.boolean().meta({ description: "Whether login is available" }),
		mcp_url: z.string().meta({ description: "The address to give to an assistant" }),
	})
	.meta({ id: "GuiSession" });

export const GuiOverviewQuery = z.strictObject({ hours: limit(24, MAX_SUMMARY_HOURS) });

const Count = z.object({
	count: z.int(),
	more: z.boolean().meta({ description: "Whether there are more than were counted" }),
});

export const GuiOverview = z
	.object({
		now: Time,
		hours: ExecutionSummary.shape.hours.meta({
			description: "Every requested hour, the current one last",
		}),
		truncated: ExecutionSummary.shape.truncated,
		failures: z.array(ExecutionRecord).meta({ description: "The latest ten, however old" }),
		upcoming: UpcomingRuns.shape.upcoming.meta({ description: "The next ten scheduled runs" }),
		execution_log: ExecutionSummary.pick({ mode: true, day: true, limit: true }).extend({
			written: z.int().nullable().meta({
				description: "Records written today; null in multi-tenant mode, where all tenants share the count",
			}),
		}),
		size_bytes: z
			.int()
			.nullable()
			.meta({ description: "Size of the whole store; null in multi-tenant mode, or if unknown" }),
		counts: z.object({ workflows: Count, entries: Count, triplets: Count }),
		entry_types: z
			.array(Count.extend({ entry_type: z.string() }))
			.meta({ description: "Number of entries by type" }),
	})
	.meta({ id: "GuiOverview" });
export type GuiOverview = z.output<typeof GuiOverview>;

const GuiCalling = z.object({
	webhook_url: z.string(),
	query_url: z
		.string()
		.nullable()
		.meta({ description: "Public GET address; null if `options.query` is not set" }),
	form_url: z.string().nullable().meta({ description: "Page of the form; null if the trigger has none" }),
	chat_url: z.string().nullable().meta({ description: "Page of the chat; null if the trigger has none" }),
	methods: z.array(z.enum(TRIGGER_METHODS)),
	accept: z
		.array(z.enum(ACCEPTED_BODIES))
		.nullable()
		.meta({ description: "Null: a JSON object is the input, and anything else is an empty one" }),
	max_bytes: z.int().nullable().meta({ description: "Null: the limit of the service" }),
	answer: z.enum(["result", "respond"]).meta({ description: "What shapes the response" }),
	auth: Auth.nullable().meta({ description: "Null if calls need no credential" }),
	handshake: z
		.enum(HANDSHAKE_SCHEMES)
		.nullable()
		.meta({ description: "Whose check of the URL is answered without a run" }),
	cors: z.array(z.string()).meta({ description: "Origins whose pages may call it" }),
	signature: z
		.object({
			...Signature.shape,
			headers: z.array(z.string()).meta({ description: "Headers of a signed call" }),
		})
		.nullable()
		.meta({ description: "Null if calls need no signature" }),
	idempotency_header: z.string().meta({ description: "Calls with the same value run once in 24 hours" }),
	curl: z.string().meta({
		description:
			"For a POSIX shell, with an empty input. A signed call reads the secret from the variable SECRET, auth from TOKEN or from USERNAME and PASSWORD. A comment if only the sender can make a call",
	}),
});

export const GuiWorkflow = z
	.object({
		workflow: WorkflowList.shape.workflows.element.meta({ description: "As in the list" }),
		document: WorkflowDocument,
		text: z.string().meta({
			description: "The document as YAML; the original text with comments if it was saved as YAML",
		}),
		draft: WorkflowDraft.nullable().meta({ description: "Its unpublished text, if there is one" }),
		call: GuiCalling.meta({ description: "How others start it" }),
		executions: z.array(ExecutionRecord).meta({ description: "The latest twenty" }),
		mailbox: MailboxStatus.nullable().meta({ description: "Of a workflow that mails start" }),
		poll: PollStatus.nullable().meta({ description: "Of a workflow that polls" }),
	})
	.meta({ id: "GuiWorkflow" });

export const GuiExecutionQuery = ExecutionQuery.omit({ owner_id: true, order: true });

export const GuiEntryQuery = z.strictObject({
	entry_type: EntryType.optional().meta({
		description: "No internal type. Triplets are listed only if this is `triplet`",
	}),
	page_name: PageName.optional(),
	since: Instant.optional(),
	until: Instant.optional(),
	limit: limit(20, 100),
	cursor: Cursor.optional(),
});

export const GuiWriteEntry = WriteEntry.omit({ owner_id: true }).meta({ id: "GuiWriteEntry" });
export const GuiReplaceEntry = ReplaceEntry.omit({ owner_id: true }).meta({ id: "GuiReplaceEntry" });

export const GuiTakenPage = z.object({
	error: z.string(),
	id: z.string().meta({ description: "Id of the entry that has this page name" }),
});

export const GuiSearchRequest = SearchRequest.pick({ q: true, limit: true, entry_types: true }).meta({
	id: "GuiSearchRequest",
});

export const GuiGraphStartQuery = z.strictObject({ limit: limit(20, 100) });

const Facts = z.int().meta({ description: "In how many of the facts examined it occurs" });

export const GuiGraphStart = z
	.object({
		nodes: z
			.array(z.object({ name: z.string(), facts: Facts }))
			.meta({ description: "The most connected first" }),
		predicates: z
			.array(z.object({ predicate: z.string(), facts: Facts }))
			.meta({ description: "All of them, the most used first" }),
		latest: z
			.array(
				Triplet.pick({
					id: true,
					subject: true,
					predicate: true,
					object: true,
					source_uri: true,
					created_at: true,
				}),
			)
			.meta({ description: "The latest facts" }),
		looked_at: z.int(),
		more: z.boolean().meta({ description: "Whether there are older facts that were not examined" }),
	})
	.meta({ id: "GuiGraphStart" });
export type GuiGraphStart = z.output<typeof GuiGraphStart>;

/** Runs a component once. */
export const GuiTestComponent = z.strictObject({
	params: RunInput.meta({ description: "As in the config of a node" }),
	credential: CredentialName.optional(),
});

export const GuiMarketQuery = z.strictObject({
	q: z.string().max(200).optional().meta({ description: "Words in id, title, description and tags" }),
	tag: z.string().max(64).optional(),
	sort: z.enum(["downloads", "recent"]).optional(),
	limit: limit(20, 100),
	cursor: z.string().max(400).optional().meta({ description: "`next_cursor` of the previous page" }),
});

export const GuiTokenQuery = z.strictObject({
	cursor: z.string().min(1).max(1000).optional().meta({ description: "`next_cursor` of the previous page" }),
});

export const GuiTokens = z
	.object({
		tokens: z.array(
			z.object({
				id: z.string().meta({ description: "The token's hash" }),
				client_id: z.string(),
				client_name: z.string().nullable(),
				issued_at: Time,
				expires_at: Time,
				current: z.boolean().meta({ description: "Whether this request uses it" }),
			}),
		),
		next_cursor: NextCursor,
	})
	.meta({ id: "GuiTokens" });

export const GuiRevoked = z.object({ revoked: z.literal(true) });

const Snippet = z.object({ language: z.enum(["sh", "json"]), text: z.string() }).nullable();

export const GuiConnect = z
	.object({
		mcp_url: z.string(),
		clients: z.array(
			z.object({
				id: z.string(),
				title: z.string(),
				needs_public_url: z.boolean(),
				redirect_hosts: z
					.array(z.string())
					.meta({ description: "Hosts that MCP_ALLOWED_REDIRECT_HOSTS must include" }),
				redirect_hosts_missing: z
					.array(z.string())
					.meta({ description: "Those of them that it does not include" }),
				steps: z.array(z.string()),
				snippet: Snippet,
				token_snippet: Snippet.meta({ description: "With MCP_STATIC_TOKEN instead of the login" }),
				note: z.string().nullable(),
			}),
		),
	})
	.meta({ id: "GuiConnect" });

export const GuiVerifyReport = z
	.object({
		ok: z.boolean().meta({ description: "Whether all checks passed" }),
		origin: z.string(),
		checks: z.array(
			z.object({
				id: z.string(),
				title: z.string(),
				ok: z.boolean(),
				message: z.string(),
				fix: z.string().nullable().meta({ description: "What to do about it" }),
			}),
		),
		clients: z.array(
			z.object({
				id: z.string(),
				title: z.string(),
				accepted: z.boolean().meta({ description: "Whether its login can start" }),
				fix: z.string().nullable(),
			}),
		),
	})
	.meta({ id: "GuiVerifyReport" });
