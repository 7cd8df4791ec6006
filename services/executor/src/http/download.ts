import { notFound } from "@tripline/contract/failures";
import type { StoredFile } from "@tripline/contract/files";
import type { Incoming } from "@tripline/web/http-message";
import type { Reply } from "@tripline/web/route";
import { buildDisposition } from "../domain/content-disposition.ts";
import type { StoredFiles } from "../files/stored-files.ts";
import { parseRange } from "./byte-range.ts";

/** Whatever the bytes are, a browser saves them, and if it showed them they could do nothing. */
const INERT = {
	"content-security-policy": "sandbox; default-src 'none'",
	"x-content-type-options": "nosniff",
	"cache-control": "private, no-cache",
	"referrer-policy": "no-referrer",
	"accept-ranges": "bytes",
} as const;

/** The bytes of a file, or the part that the request asks for. */
export async function answerDownload(
	files: StoredFiles,
	owner: string,
	{ id, name, type, size }: StoredFile,
	{ headers }: Incoming,
): Promise<Reply> {
	// A file never changes, so its id says which bytes they are.
	const etag = `"${id}"`;
	const common = { ...INERT, etag, "content-disposition": buildDisposition("attachment", name) };
	if (hasTag(headers.get("if-none-match"), etag)) return { status: 304, headers: common };
	const ifRange = headers.get("if-range");
	const range = ifRange === null || ifRange === etag ? parseRange(headers.get("range"), size) : null;
	if (range === "unsatisfiable")
		return {
			status: 416,
			body: { error: `the file has ${size} bytes` },
			headers: { ...INERT, "content-range": `bytes */${size}` },
		};
	const { start, end } = range ?? { start: 0, end: size };
	const stream = await files.readBytes(owner, id, range ?? undefined);
	// The bytes may have been deleted since the row was read.
	if (stream === null) throw notFound("file not found");
	return {
		status: range === null ? 200 : 206,
		headers: {
			...common,
			"content-type": type,
			"content-length": String(end - start),
			...(range !== null && { "content-range": `bytes ${start}-${end - 1}/${size}` }),
		},
		stream,
	};
}

const hasTag = (header: string | null, etag: string): boolean =>
	header !== null &&
	(header.trim() === "*" || header.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag));
