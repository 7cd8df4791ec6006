import type { StoredFile } from "@tripline/contract/files";
import * as z from "zod";
import { shorten } from "./budget.ts";
import { defineTool } from "./define-tool.ts";
import { cursor, nextCursor } from "./fields.ts";
import { AnyValue } from "./reading.ts";

/** At most 900 characters each, so a page fits into an answer. */
const PAGE_SIZE = 20;
const MAX_NAME_CHARS = 200;

export const listFiles = defineTool({
	name: "list_files",
	title: "List files",
	description:
		"Lists files, newest first. Files expire unless a workflow keeps them with file_keep. get_file reads one.",
	hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
	input: z.strictObject({
		prefix: z
			.string()
			.max(512)
			.optional()
			.meta({ description: "Only files kept under names that begin with it" }),
		cursor,
	}),
	output: z.object({ files: z.array(AnyValue), next_cursor: nextCursor }),
	async call({ prefix, cursor: from }, { executor, signal }) {
		const filter = prefix === undefined ? {} : { kept: true, prefix };
		const page = await executor.files.list({ ...filter, limit: PAGE_SIZE, cursor: from }, { signal });
		return { structured: { files: page.files.map(toItem), next_cursor: page.next_cursor } };
	},
});

const toItem = ({ id, name, type, size, kept_as, created_at, expires_at }: StoredFile) => ({
	value: { $file: id, name: shorten(name, MAX_NAME_CHARS), type: shorten(type, MAX_NAME_CHARS), size },
	...(kept_as !== null && { kept_as: shorten(kept_as, MAX_NAME_CHARS) }),
	created_at,
	expires_at,
});
