import * as z from "zod";
import { fromBase64, toBase64Url } from "./bytes.ts";
import { FileId, FileName, FileType, KeptName } from "./files.ts";
import { Id, Namespace } from "./names.ts";
import { Cursor, limit, NextCursor } from "./paging.ts";

/** What a file counts at least: a namespace must not have any number of empty ones. */
export const MIN_CHARGED_BYTES = 4_096;
/** Files and runs of one call. A hold is a row for each pair. */
export const MAX_HOLDS = 10_000;
export const MAX_FILES_PER_CALL = 1_000;

const Milliseconds = z.int().min(0).meta({ description: "Unix milliseconds" });
const Bytes = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const MaxTotal = Bytes.meta({ description: "Maximum size of all files of the owner together" });
const Ids = z.array(FileId).max(MAX_FILES_PER_CALL);
const owned = { owner_id: Namespace, id: FileId };

/** What the store knows about a file. Its bytes are elsewhere, under the owner and the id. */
export const FileRecord = z
	.object({
		...owned,
		name: FileName,
		type: FileType,
		size: Bytes,
		kept_as: KeptName.nullable(),
		kept_at: Milliseconds.nullable(),
		execution_id: Id.nullable(),
		created_at: Milliseconds,
		expires_at: Milliseconds.nullable().meta({ description: "Null if it is kept" }),
	})
	.meta({ id: "FileRecord" });
export type FileRecord = z.output<typeof FileRecord>;
export const FileRecordAnswer = z.object({ file: FileRecord });

export const ReserveFile = z
	.strictObject({
		...owned,
		name: FileName,
		type: FileType,
		execution_id: Id.nullable(),
		bytes: Bytes.min(MIN_CHARGED_BYTES).meta({ description: "How much to reserve, if so much is left" }),
		max_total: MaxTotal,
	})
	.meta({ id: "ReserveFile" });
export type ReserveFile = z.input<typeof ReserveFile>;

export const ExtendFile = z
	.strictObject({
		...owned,
		bytes: Bytes.min(1).meta({ description: "How much more to reserve, if so much is left" }),
		max_total: MaxTotal,
	})
	.meta({ id: "ExtendFile" });
export type ExtendFile = z.input<typeof ExtendFile>;

export const ReservedFile = z.object({
	reserved: Bytes.meta({ description: "What the file may have in all; 0 if nothing is left" }),
});

export const CommitFile = z
	.strictObject({
		...owned,
		size: Bytes.meta({ description: "At most what is reserved" }),
		retention_ms: Milliseconds.meta({ description: "How long it lives from now on, unless it is kept" }),
	})
	.meta({ id: "CommitFile" });
export type CommitFile = z.input<typeof CommitFile>;

export const FileQuery = z.strictObject({
	owner_id: Namespace.optional().meta({ description: "Without it the file is found by its id alone" }),
});

/** The position in a list by name: the last name. */
const NameCursor = z
	.string()
	.max(4_096, "is not a cursor of this list")
	.transform((text, context): string => {
		const bytes = fromBase64(text);
		const name = bytes === null ? undefined : KeptName.safeParse(new TextDecoder().decode(bytes)).data;
		if (name !== undefined) return name;
		context.addIssue({ code: "custom", message: "is not a cursor of this list" });
		return z.NEVER;
	})
	.meta({ description: "`next_cursor` of the previous page" });

export const encodeNameCursor = (name: string): string => toBase64Url(new TextEncoder().encode(name));

export const MAX_LISTED_FILES = 1_000;
const Limit = limit(100, MAX_LISTED_FILES);

export const NewestFilesQuery = z.strictObject({
	owner_id: Namespace,
	unkept: z
		.enum(["true", "false"])
		.default("false")
		.meta({ description: "true: only files that are not kept" }),
	limit: Limit,
	cursor: Cursor.optional(),
});

export const KeptFilesQuery = z.strictObject({
	owner_id: Namespace,
	name: KeptName.optional().meta({ description: "Only the file of exactly this name" }),
	prefix: KeptName.optional().meta({ description: "Only names that begin with it" }),
	limit: Limit,
	cursor: NameCursor.optional(),
});

export const FileRecordPage = z.object({ files: z.array(FileRecord), next_cursor: NextCursor });
export type FileRecordPage = z.output<typeof FileRecordPage>;

export const UnkeptQuery = z.strictObject({ owner_id: Namespace, ids: Ids }).meta({ id: "UnkeptQuery" });
export const UnkeptAnswer = z.object({
	file: FileRecord.nullable().meta({ description: "The first that is there and not kept" }),
});

export const KeepFile = z
	.strictObject({
		...owned,
		name: KeptName,
		retention_ms: Milliseconds.meta({
			description: "How long the file lives that had the name before, from now on",
		}),
	})
	.meta({ id: "KeepFile" });
export type KeepFile = z.input<typeof KeepFile>;

export const HoldFiles = z
	.strictObject({
		owner_id: Namespace,
		ids: Ids.min(1),
		execution_ids: z.array(Id).min(1).max(MAX_FILES_PER_CALL).meta({ description: "Accepted runs" }),
	})
	.refine(({ ids, execution_ids }) => ids.length * execution_ids.length <= MAX_HOLDS, {
		path: ["ids"],
		message: `must be at most ${MAX_HOLDS} pairs of files and runs`,
	})
	.meta({ id: "HoldFiles" });
export type HoldFiles = z.input<typeof HoldFiles>;
export const HeldFiles = z.object({ held: z.int().meta({ description: "How many holds are new" }) });

export const MarkFiles = z
	.strictObject({
		owner_id: Namespace,
		ids: Ids.optional(),
		kept_as: KeptName.optional().meta({ description: "The file that is kept under this name" }),
	})
	.refine(({ ids, kept_as }) => (ids === undefined) !== (kept_as === undefined), {
		path: ["ids"],
		message: "must be given, or kept_as instead",
	})
	.meta({ id: "MarkFiles" });
export type MarkFiles = z.input<typeof MarkFiles>;

const FileKey = z.strictObject(owned);
export type FileKey = z.output<typeof FileKey>;

export const MarkedFiles = z.object({
	files: z.array(FileKey).meta({ description: "Their bytes are to be deleted, then their rows removed" }),
});
export type MarkedFiles = z.output<typeof MarkedFiles>;

export const SweepFiles = z
	.strictObject({ limit: z.int().min(1).max(MAX_FILES_PER_CALL) })
	.meta({ id: "SweepFiles" });

export const ExpirePendingFiles = z
	.strictObject({ before: Milliseconds.meta({ description: "Only those that were begun before" }) })
	.meta({ id: "ExpirePendingFiles" });
export const ExpiredPendingFiles = z.object({ expired: z.int() });

export const RemoveFiles = z
	.strictObject({ files: z.array(FileKey).max(MAX_FILES_PER_CALL) })
	.meta({ id: "RemoveFiles" });
export const RemovedFiles = z.object({ removed: z.int() });
