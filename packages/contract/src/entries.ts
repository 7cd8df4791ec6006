import * as z from "zod";
import { findUnstorableParsed } from "./json.ts";
import { EntryOwner, EntryType, Id, PageName } from "./names.ts";
import { Cursor, Instant, limit, NextCursor, OrderQuery } from "./paging.ts";
import { ValueFilterText } from "./value-filter.ts";
import { ChangeBy, VersionNumber } from "./workflow-versions.ts";

const MetadataJson = z
	.string()
	.superRefine((text, context) => {
		const problem = findMetadataProblem(text);
		if (problem !== null) context.addIssue({ code: "custom", message: problem });
	})
	.meta({ description: "A JSON object, as text" });

export const Entry = z
	.object({
		id: Id,
		entry_type: EntryType,
		owner_id: z.string(),
		page_name: z.string(),
		content: z.string(),
		metadata_json: z.string(),
		created_at: z.int().meta({ description: "Unix seconds" }),
		updated_at: z.int().meta({ description: "Unix seconds" }),
	})
	.meta({ id: "Entry" });
export type Entry = z.infer<typeof Entry>;

/** An entry with what only workflows have. */
export const VersionedEntry = Entry.extend({
	version: z.int().optional().meta({ description: "Of a workflow: the number of its current version" }),
	disabled: z.literal(true).optional().meta({ description: "Of a workflow: it is switched off" }),
}).meta({ id: "VersionedEntry" });
export type VersionedEntry = z.infer<typeof VersionedEntry>;

export const WriteEntry = z
	.strictObject({
		entry_type: EntryType,
		owner_id: EntryOwner,
		page_name: PageName,
		content: z.string(),
		metadata_json: MetadataJson.default("{}"),
	})
	.meta({ id: "WriteEntry" });
export type WriteEntry = z.infer<typeof WriteEntry>;

const KeptMetadata = MetadataJson.optional().meta({
	description: "A JSON object, as text. Absent: an existing entry keeps its own, a new one gets {}",
});

export const UpsertEntry = WriteEntry.extend({
	metadata_json: KeptMetadata,
	if_absent: z
		.boolean()
		.default(false)
		.meta({ description: "An existing entry is left unchanged and returned" }),
	if_version: VersionNumber.optional().meta({
		description: "Only if the entry is a workflow and this is its current version; else 412",
	}),
	publishes_draft: z.int().optional().meta({
		description: "Also deletes the workflow's draft, if this is its revision. Internal callers only",
	}),
	author: ChangeBy.shape.author.meta({
		description: "Who changes a workflow; default the owner. Internal callers only",
	}),
	client: ChangeBy.shape.client.meta({
		description: "By what a workflow is changed; default `store`. Internal callers only",
	}),
}).meta({ id: "UpsertEntry" });
export type UpsertEntry = z.infer<typeof UpsertEntry>;

export const ReplaceEntry = UpsertEntry.pick({ owner_id: true, content: true, metadata_json: true }).meta({
	id: "ReplaceEntry",
});

export const UpsertedEntry = z.object({
	success: z.literal(true),
	entry: VersionedEntry,
	created: z.boolean(),
});

export const AppendedEntry = z.object({ success: z.literal(true), entry: VersionedEntry });

export const EntryQuery = z.strictObject({
	entry_type: EntryType.optional(),
	owner_id: EntryOwner,
	page_name: PageName.optional(),
	since: Instant.optional(),
	until: Instant.optional(),
	cron: z.enum(["due", "unparked"]).optional().meta({
		description:
			"`due`: only entries that are due at `now`: workflows and accepted runs. `unparked`: the same without runs that wait for a time, an answer or an event",
	}),
	now: Instant.optional(),
	listens: z.enum(["true", "mail"]).optional().meta({
		description:
			"`true`: only workflows that an event or a mail starts. `mail`: only those that a mail starts",
	}),
	knowledge: z.literal("true").optional().meta({
		description: "If no type is given: exclude internal types and triplets",
	}),
	metadata: ValueFilterText.optional().meta({
		description:
			"A JSON object, as text, with up to 10 plain values: only entries whose metadata has these values, or lists that contain them. Null also matches a missing name",
	}),
	order: OrderQuery,
	limit: limit(100, 1000),
	cursor: Cursor.optional(),
});

export const EntryPage = z.object({
	entries: z.array(
		VersionedEntry.extend({
			next_run_at: z
				.int()
				.optional()
				.meta({ description: "Unix seconds: when a workflow with a schedule, or an accepted run, is due" }),
		}),
	),
	next_cursor: NextCursor,
	scheduled: z
		.int()
		.optional()
		.meta({ description: "With cron=due, for internal callers: the number of workflows with a schedule" }),
});

export type EntryPage = z.output<typeof EntryPage>;
export type ListedEntry = EntryPage["entries"][number];

export const StoreUsage = z.object({
	size_bytes: z
		.int()
		.nullable()
		.meta({ description: "Size of the whole database; null for a partner key, or if unknown" }),
	types: z
		.array(
			z.object({
				entry_type: EntryType,
				count: z.int(),
				more: z.boolean().meta({ description: "Whether there are more than were counted" }),
			}),
		)
		.meta({ description: "Types of the owner's entries, without internal types other than workflow" }),
});
export type StoreUsage = z.output<typeof StoreUsage>;

export const DeletedAnswer = z.object({ deleted: z.literal(true) });

function findMetadataProblem(text: string): string | null {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return "must be JSON";
	}
	if (typeof value !== "object" || value === null || Array.isArray(value)) return "must be a JSON object";
	return findUnstorableParsed(value, text);
}
