import * as z from "zod";
import { FILE_ID } from "./file-id.ts";
import { Id, nameUpTo } from "./names.ts";

/** 128 random bits, so that an id cannot be guessed. Knowing one is still not a right to open the file. */
export const FILE_ID_BYTES = 16;
export const FileId = z.string().regex(FILE_ID, "must be the id of a file").meta({ description: "File id" });

const MAX_NAME_CHARACTERS = 255;
const MAX_TYPE_CHARACTERS = 255;

export const FileName = nameUpTo(MAX_NAME_CHARACTERS)
	.refine((name) => !/[/\\]/.test(name), "must not contain / or \\")
	.meta({ description: "File name, without a folder" });

export const FileType = z
	.string()
	.max(MAX_TYPE_CHARACTERS)
	.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+\/[\x20-\x7e]+$/, "must be a media type such as text/csv")
	.meta({ description: "Media type, as given by the sender" });

/** The name by which a namespace keeps a file beyond its retention. */
export const KeptName = nameUpTo(512).meta({ description: "Name under which the file is kept" });

/** A file as it travels through templates, nodes and events. It names a file; a run opens only those it was given. */
export const FileValue = z
	.object({
		$file: FileId,
		name: FileName,
		type: FileType,
		size: z.int().min(0).meta({ description: "Size in bytes" }),
	})
	.meta({ id: "FileValue", description: "A file: its id, name, media type and size" });
export type FileValue = z.output<typeof FileValue>;

/** Whether a value names a file, and only that. */
export const isFileValue = (value: unknown): value is FileValue =>
	typeof value === "object" &&
	value !== null &&
	Object.hasOwn(value, "$file") &&
	FileId.safeParse((value as FileValue).$file).success;

export const DEFAULT_FILE_TYPE = "application/octet-stream";

/**
 * The last segment of what a sender calls a file, without characters that are unsafe in a file name or that would make it
 * look like another one, such as a change of writing direction.
 */
export function toFileName(given: string): string {
	const segment = given.toWellFormed().split(/[/\\]/).at(-1) ?? "";
	const cleaned = segment
		.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "")
		.trim()
		.replace(/^\.+/, "");
	const name = [...cleaned].slice(0, MAX_NAME_CHARACTERS).join("");
	return name === "" ? "file" : name;
}

/** The media type if it can be one, else that of any bytes. */
export const toFileType = (given: string | null | undefined): string =>
	FileType.safeParse(given?.trim()).data ?? DEFAULT_FILE_TYPE;

const IsoTime = z.iso.datetime();

/** A file in the executor's API. */
export const StoredFile = z
	.object({
		id: FileId,
		name: FileName,
		type: FileType,
		size: z.int().min(0),
		kept_as: KeptName.nullable().meta({ description: "The name given by file_keep; null if it expires" }),
		execution_id: Id.nullable().meta({ description: "The run that it was sent to or made by" }),
		created_at: IsoTime,
		expires_at: IsoTime.nullable().meta({ description: "Null if it is kept" }),
	})
	.meta({ id: "StoredFile" });
export type StoredFile = z.output<typeof StoredFile>;

export const StoredFileList = z.object({
	files: z.array(StoredFile).meta({ description: "Newest first" }),
	next_cursor: z.string().nullable(),
});

export const DEFAULT_LINK_MINUTES = 10;
export const MAX_LINK_MINUTES = 1440;
export const LinkMinutes = z.int().min(1).max(MAX_LINK_MINUTES).default(DEFAULT_LINK_MINUTES);

export const CreateFileLink = z.strictObject({ minutes: LinkMinutes }).meta({ id: "CreateFileLink" });

export const FileLink = z
	.object({
		url: z.url().meta({ description: "Anyone who has it can download the file until it expires" }),
		expires_at: IsoTime,
	})
	.meta({ id: "FileLink" });
export type FileLink = z.output<typeof FileLink>;
