import * as z from "zod";
import { Id, Namespace, nameUpTo } from "./names.ts";
import { Cursor, limit, NextCursor } from "./paging.ts";
import { WorkflowName } from "./workflows.ts";

/** Who changed a workflow, and by what. Only internal callers may name them; they have authenticated their callers. */
export const AUTHOR_HEADER = "x-change-author";
/** Both are percent-encoded, because a header has no other way to carry every character. */
export const CLIENT_HEADER = "x-change-client";
/** All other clients are assistants, none of which may claim one of these names. */
export const OWN_CLIENTS: ReadonlySet<string> = new Set(["api", "cli", "console", "legacy", "store"]);

/** How long a deleted workflow can be restored. */
export const TRASH_DAYS = 30;

export const VersionNumber = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

/** A version number in a path or a query. */
export const VersionNumberText = z
	.string()
	.regex(/^[1-9]\d{0,14}$/, "must be a version number")
	.transform(Number)
	.meta({ description: "Version number" });

const Author = nameUpTo(200).nullable().meta({
	description: "Who made it: the namespace, or a name that an internal caller gave; null if unknown",
});
const Client = nameUpTo(200).nullable().meta({
	description:
		"By what: `api`, `cli`, `console`, `store`, or the name of an assistant's client; null if unknown",
});
const Time = z.string().meta({ description: "ISO 8601, UTC" });
const Name = z.string().meta({ description: "The workflow's name at that time" });

/** Sent with a change by internal callers. */
export const ChangeBy = z.object({ author: nameUpTo(200).optional(), client: nameUpTo(200).optional() });
export type ChangeBy = z.output<typeof ChangeBy>;

/** A version without its text. */
export const WorkflowVersion = z
	.object({ number: z.int(), name: Name, created_at: Time, author: Author, client: Client })
	.meta({ id: "WorkflowVersion" });
export type WorkflowVersion = z.output<typeof WorkflowVersion>;

export const WorkflowVersionPage = z.object({
	versions: z.array(WorkflowVersion).meta({ description: "Newest first" }),
	next_cursor: NextCursor,
});
export type WorkflowVersionPage = z.output<typeof WorkflowVersionPage>;

export const VersionQuery = z.strictObject({ limit: limit(50, 200), cursor: Cursor.optional() });

/** A version as the store keeps it: the entry's content and metadata, byte for byte. */
export const StoredVersion = WorkflowVersion.extend({ content: z.string(), metadata_json: z.string() });
export type StoredVersion = z.output<typeof StoredVersion>;

export const DeletedWorkflow = z
	.object({
		id: Id,
		name: z.string(),
		version_number: z.int().meta({ description: "Its newest version" }),
		deleted_at: Time,
		purged_at: Time.meta({ description: "When it can no longer be restored" }),
		author: Author,
		client: Client,
	})
	.meta({ id: "DeletedWorkflow" });
export type DeletedWorkflow = z.output<typeof DeletedWorkflow>;

export const DeletedWorkflowPage = z.object({
	workflows: z.array(DeletedWorkflow).meta({ description: "Last deleted first" }),
	next_cursor: NextCursor,
});
export type DeletedWorkflowPage = z.output<typeof DeletedWorkflowPage>;

const DraftFormat = z.enum(["yaml", "json"]);

export const WorkflowDraft = z
	.object({
		revision: z.int().meta({ description: "Counts the times that it was saved" }),
		base: z
			.int()
			.meta({ description: "The version that it changes; publishing requires it to be the current one" }),
		saved_at: Time,
		author: Author,
		client: Client,
		format: DraftFormat,
		text: z.string().meta({ description: "As it was sent" }),
	})
	.meta({ id: "WorkflowDraft" });
export type WorkflowDraft = z.output<typeof WorkflowDraft>;

// The store's own interface, for internal callers.

const which = { owner_id: Namespace, name: WorkflowName };

export const OwnedWorkflow = z.strictObject(which);
export const OwnedVersionQuery = VersionQuery.extend(which);
export const OwnedVersion = z.strictObject({ ...which, number: VersionNumberText });
export const OwnedDeletedQuery = z.strictObject({
	owner_id: Namespace,
	limit: limit(50, 200),
	cursor: Cursor.optional(),
});
export const OwnedDeleted = z.strictObject({ owner_id: Namespace, id: Id });

export const SetEnabled = z.strictObject({ ...which, enabled: z.boolean() });

export const RenameWorkflow = z.strictObject({
	...which,
	to: WorkflowName,
	metadata_json: z
		.string()
		.optional()
		.meta({ description: "Replaces the metadata in the same unit of work" }),
	if_version: VersionNumber,
	...ChangeBy.shape,
});
export type RenameWorkflow = z.input<typeof RenameWorkflow>;

/** Sent beside the draft's text, which is the body: as a member of it a text at the limit would no longer fit. */
export const SaveDraftQuery = z.strictObject({
	...which,
	format: DraftFormat,
	base: VersionNumberText.optional().meta({
		description: "Default: that of the existing draft, else the current version",
	}),
	...ChangeBy.shape,
});

export const FormerNames = z.object({
	names: z
		.array(z.object({ name: z.string(), until: z.int().meta({ description: "Unix seconds" }) }))
		.meta({ description: "Last one first" }),
});
export type FormerNames = z.output<typeof FormerNames>;

// What the executor answers.

export const WorkflowVersionText = WorkflowVersion.extend({
	text: z.string().meta({
		description: "The original text with its comments if it was saved as YAML, else the document as YAML",
	}),
}).meta({ id: "WorkflowVersionText" });

/** A version by its number, or the draft. */
const Compared = z
	.string()
	.regex(/^(?:draft|[1-9]\d{0,14})$/, "must be a version number or draft")
	.transform((text) => (text === "draft" ? ("draft" as const) : Number(text)));

export const DiffQuery = z.strictObject({
	from: Compared.optional().meta({
		description: "A version number, or draft; default the version before `to`",
	}),
	to: Compared.optional().meta({ description: "A version number, or draft; default the current version" }),
});

const Side = z.union([z.int(), z.literal("draft")]);
const NodeNames = z.array(z.string());

export const WorkflowDiff = z
	.object({
		from: Side,
		to: Side,
		hunks: z
			.array(
				z.object({
					from_line: z.int().meta({ description: "Where its lines start, from 1" }),
					to_line: z.int(),
					lines: z.array(
						z.object({
							change: z.enum(["same", "removed", "added"]),
							text: z.string().meta({
								description:
									"A line with its end. Where more than 10,000 lines changed, all that were removed or added",
							}),
						}),
					),
				}),
			)
			.meta({ description: "The changed lines, with three unchanged ones around them" }),
		nodes: z
			.object({ added: NodeNames, removed: NodeNames, changed: NodeNames })
			.nullable()
			.meta({ description: "Nodes of the graph by their ids; null if one of the texts cannot be read" }),
	})
	.meta({ id: "WorkflowDiff" });
export type WorkflowDiff = z.output<typeof WorkflowDiff>;

export const RollBack = z.strictObject({ version: VersionNumber });
export const Rename = z.strictObject({ to: WorkflowName });
export const Enabled = z.strictObject({ enabled: z.boolean() });

export const ChangedWorkflow = z.object({
	name: z.string(),
	version_number: z.int().meta({ description: "The number of its current version" }),
	enabled: z.boolean(),
	updated_at: Time,
});

export const DraftQuery = z.strictObject({
	base: VersionNumberText.optional().meta({
		description:
			"The version that the draft changes; default that of the existing draft, else the current one",
	}),
});
