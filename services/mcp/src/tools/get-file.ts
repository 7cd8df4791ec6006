import { isTextType } from "@tripline/contract/file-values";
import { FileId, type StoredFile } from "@tripline/contract/files";
import * as z from "zod";
import { decodeText, readBeginning } from "../resources/file-content.ts";
import { buildWithin, takeBeginning } from "./budget.ts";
import { defineTool } from "./define-tool.ts";
import { MAX_PAGE_CHARS, next, offset } from "./fields.ts";
import { AnyValue } from "./reading.ts";
import { type ToolContext, ToolProblem } from "./tool.ts";

/** Of a text that is read in parts: each part reads it from the beginning. */
const MAX_READ_BYTES = 1024 * 1024;

export const getFile = defineTool({
	name: "get_file",
	title: "Get a file",
	description:
		"Returns a file's name, type and size, the content if it is text, in parts, and a link for the user to download it.",
	hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
	input: z.strictObject({ id: FileId.meta({ description: "$file of the file value" }), offset }),
	output: z.looseObject({ value: AnyValue, download_url: z.string(), next }),
	async call({ id, offset: from }, context) {
		const [file, link] = await Promise.all([context.executor.files.get(id), context.executor.files.link(id)]);
		if (file === null || link === null) throw createUnknown(id);
		const text = await readText(file, context);
		if (text !== null && from > text.length) throw createPastEnd(text);
		const { name, type, size, expires_at, kept_as } = file;
		const about = {
			value: { $file: id, name, type, size },
			kept_as,
			expires_at,
			download_url: link.url,
			download_until: link.expires_at,
		};
		if (text === null) return { structured: { ...about, content: null, next: NOT_TEXT } };
		return {
			structured: buildWithin(MAX_PAGE_CHARS, (room) => ({ ...about, ...readPart(file, text, from, room) })),
		};
	},
});

function readPart({ id, size }: StoredFile, text: string, from: number, room: number) {
	const content = takeBeginning(text.slice(from), room);
	const end = from + content.length;
	const next_offset = end < text.length ? end : null;
	const beyond = `These are its first ${MAX_READ_BYTES} bytes. For the rest, use the link or a workflow with parse.`;
	const readOn = next_offset === null ? "" : `Read on: get_file {"id":"${id}","offset":${next_offset}}.`;
	return { content, next_offset, next: readOn || (size > MAX_READ_BYTES ? beyond : "") };
}

const NOT_TEXT =
	"Its content is not text: give the user the link, or read it with the component parse in a workflow.";

async function readText({ id, type, size }: StoredFile, { executor }: ToolContext): Promise<string | null> {
	if (!isTextType(type)) return null;
	const bytes = await readBeginning(executor, id, Math.min(size, MAX_READ_BYTES));
	return bytes === null ? null : decodeText(bytes, size <= MAX_READ_BYTES);
}

const createUnknown = (id: string): ToolProblem =>
	new ToolProblem(`There is no file ${id}, or it has expired. Find files with list_files.`);

const createPastEnd = (text: string): ToolProblem =>
	new ToolProblem(
		`offset is past the end: ${text.length} characters can be read. Start again with offset 0.`,
	);
