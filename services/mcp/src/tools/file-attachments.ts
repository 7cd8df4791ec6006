import { isTextType, listFileValues } from "@tripline/contract/file-values";
import type { StoredFile } from "@tripline/contract/files";
import type { Json } from "@tripline/contract/json";
import type { Content } from "../protocol/content.ts";
import { decodeText, readBeginning } from "../resources/file-content.ts";
import { fileUri } from "../resources/uris.ts";
import type { ToolContext } from "./tool.ts";

/** Each costs calls to the executor, of which a Worker may make few. */
const MAX_FILES = 8;
const MAX_INLINE_BYTES = 8 * 1024;

/**
 * Links to the files in a run's output, and the content of small texts as far as the room allows. What is said about a
 * file comes from the store: the value in the output may be made up, and then names no file.
 */
export async function attachFiles(output: Json, room: number, context: ToolContext): Promise<Content[]> {
	const values = listFileValues(output, MAX_FILES);
	if (values.length === 0) return [];
	const found = await Promise.all(values.map(({ $file }) => context.executor.files.get($file)));
	const attached: Content[] = [];
	let left = room;
	for (const file of found) {
		if (file === null) continue;
		attached.push(toLink(file));
		const text = file.size <= Math.min(left, MAX_INLINE_BYTES) ? await readSmallText(file, context) : null;
		if (text === null) continue;
		attached.push({ type: "resource", resource: { uri: fileUri(file.id), mimeType: file.type, text } });
		left -= text.length;
	}
	return attached;
}

const toLink = ({ id, name, type, size }: StoredFile): Content => ({
	type: "resource_link",
	uri: fileUri(id),
	name,
	mimeType: type,
	size,
});

async function readSmallText({ id, type }: StoredFile, { executor }: ToolContext): Promise<string | null> {
	if (!isTextType(type)) return null;
	const bytes = await readBeginning(executor, id, MAX_INLINE_BYTES);
	return bytes === null ? null : decodeText(bytes, true);
}
