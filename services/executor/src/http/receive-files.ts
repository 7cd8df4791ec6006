import { toFileName, toFileType } from "@tripline/contract/files";
import type { JsonObject } from "@tripline/contract/workflows";
import type { Incoming } from "@tripline/web/http-message";
import { type FileFields, toInput } from "./bodies/fields.ts";
import { findFileName } from "./bodies/part-head.ts";
import { prepend, readFileParts } from "./bodies/read-files.ts";
import type { FileBody } from "./bodies/read-input.ts";
import type { Upload } from "./upload.ts";

/** What a request with files sent. */
export interface FilesInput {
	readonly input: JsonObject;
	/** Stands for the body where calls are compared: fields, and names, types and sizes of files. */
	readonly body: Uint8Array<ArrayBuffer>;
}

const encoder = new TextEncoder();

/** Writes the files of a body as they come. Null if there is no body. */
export async function readFilesInput(
	{ headers }: Pick<Incoming, "headers">,
	content: AsyncIterable<Uint8Array>,
	body: FileBody,
	upload: Upload,
	maxTextBytes: number,
): Promise<FilesInput | null> {
	if (body.kind === "parts") {
		const fields = await readFileParts(content, body.type, {
			maxTextBytes,
			write: (field, file, bytes) => upload.write(field, file, bytes),
		});
		return fields === null ? null : { input: toInput(fields), body: describeFields(fields) };
	}
	const pieces = content[Symbol.asyncIterator]();
	const first = await pieces.next();
	if (first.done === true) return null;
	const file = {
		name: toFileName(findFileName(headers.get("content-disposition")) ?? ""),
		type: toFileType(headers.get("content-type")),
	};
	const rest = { [Symbol.asyncIterator]: () => pieces };
	const value = await upload.write(null, file, prepend(first, rest));
	return { input: { file: value }, body: describeFields(new Map([["file", [value]]])) };
}

/** Two uploads of the same files have different ids. */
const describeFields = (fields: FileFields): Uint8Array<ArrayBuffer> =>
	encoder.encode(JSON.stringify([...fields], (key, value: unknown) => (key === "$file" ? undefined : value)));

/** A body that was read as a whole. */
export async function* streamBytes(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	if (bytes.length > 0) yield bytes;
}
