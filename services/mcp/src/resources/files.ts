import { toBase64 } from "@tripline/contract/bytes";
import { isTextType } from "@tripline/contract/file-values";
import type { StoredFile } from "@tripline/contract/files";
import type { ReadResult } from "../protocol/surface.ts";
import { shorten } from "../tools/budget.ts";
import type { ToolContext } from "../tools/tool.ts";
import { decodeText, readBeginning } from "./file-content.ts";

/** Clients stop at about 150,000 characters, and models handle far fewer well. */
const MAX_TEXT_LENGTH = 60_000;
/** A character has at most four bytes. */
const MAX_TEXT_BYTES = 4 * MAX_TEXT_LENGTH;
/** Of images and other binary files, which clients do not pass to the model as text. */
const MAX_BLOB_BYTES = 1024 * 1024;

/** Null if there is no such file of the tenant. */
export async function readFileResource(
	uri: string,
	id: string,
	context: ToolContext,
): Promise<ReadResult | null> {
	const file = await context.executor.files.get(id);
	if (file === null) return null;
	const text = isTextType(file.type) ? await readText(file, context) : null;
	if (text !== null) return { contents: [{ uri, mimeType: file.type, text }] };
	if (file.size > MAX_BLOB_BYTES) return describeLarge(uri, file, context);
	const bytes = await readBeginning(context.executor, id, MAX_BLOB_BYTES);
	return bytes === null ? null : { contents: [{ uri, mimeType: file.type, blob: toBase64(bytes) }] };
}

async function readText({ id, size }: StoredFile, { executor }: ToolContext): Promise<string | null> {
	const bytes = await readBeginning(executor, id, Math.min(size, MAX_TEXT_BYTES));
	const text = bytes === null ? null : decodeText(bytes, size <= MAX_TEXT_BYTES);
	if (text === null || (text.length <= MAX_TEXT_LENGTH && size <= MAX_TEXT_BYTES)) return text;
	const shown = shorten(text, MAX_TEXT_LENGTH);
	const end = shown.length - 1;
	return `${shown}\n\n[Truncated: the first ${end} characters of a file of ${size} bytes. Read on: get_file {"id":"${id}","offset":${end}}.]`;
}

async function describeLarge(
	uri: string,
	{ id, name, type, size }: StoredFile,
	{ executor }: ToolContext,
): Promise<ReadResult | null> {
	const link = await executor.files.link(id);
	if (link === null) return null;
	const text = `${name} (${type}, ${size} bytes) is too large to be read here. It can be downloaded until ${link.expires_at}, without a login: ${link.url}`;
	return { contents: [{ uri, mimeType: "text/plain", text }] };
}
