import { DeletedAnswer } from "@tripline/contract/entries";
import { notFound } from "@tripline/contract/failures";
import { MAX_LISTED_FILES } from "@tripline/contract/file-records";
import {
	CreateFileLink,
	DEFAULT_LINK_MINUTES,
	FileId,
	FileLink,
	KeptName,
	StoredFile,
	StoredFileList,
	toFileName,
	toFileType,
} from "@tripline/contract/files";
import { limit } from "@tripline/contract/paging";
import { streamBody } from "@tripline/web/body";
import { type Reply, type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { Caller } from "../domain/callers.ts";
import type { ExecutorParts } from "./deps.ts";
import { answerDownload } from "./download.ts";
import { getBaseUrl } from "./urls.ts";

const tag = "Files";
/** Any text: an id that cannot exist is not found, like one that does not. */
const params = z.object({ id: z.string() });
const Bytes = z.string().meta({ description: "The bytes", format: "binary" });

const ListQuery = z.strictObject({
	kept: z.enum(["true", "false"], "must be true or false").optional().meta({
		description: "true: only kept files, by the name under which they are kept; false: only others",
	}),
	prefix: KeptName.optional().meta({ description: "Only kept files whose name begins with it" }),
	limit: limit(100, MAX_LISTED_FILES),
	cursor: z.string().max(4_096).optional().meta({ description: "`next_cursor` of the previous page" }),
});

const Signed = z.object({
	expires: z
		.string()
		.optional()
		.meta({ description: "From a link: until when it is valid, in Unix seconds" }),
	signature: z.string().optional().meta({ description: "From a link" }),
});

export function fileRoutes(parts: ExecutorParts): Route<Caller>[] {
	const { files, links, settings } = parts;
	return [
		route({
			method: "POST",
			path: "/files",
			tag,
			summary: "Upload a file",
			description: `The body is the file, its content type the file's type. At most ${settings.maxFileBytes} bytes. A workflow that is called with the tenant's credential can open the file if its input names it. The file is deleted after FILE_RETENTION_HOURS unless a workflow keeps it.`,
			query: z.strictObject({
				name: z.string().max(1_024).default("file").meta({ description: "The file's name" }),
			}),
			accepts: { "*/*": Bytes },
			responses: {
				201: { description: "Stored", body: StoredFile },
				413: { description: "The file, or all files of the namespace together, would be too large" },
				503: { description: "This service has no place for files" },
			},
			async handle({ caller: { namespace }, query, request }) {
				const file = {
					name: toFileName(query.name),
					type: toFileType(request.headers.get("content-type")),
					executionId: null,
				};
				const maxBytes = settings.maxFileBytes;
				const { $file } = await files.write(namespace, file, streamBody(request, maxBytes), { maxBytes });
				return reply(201, await require(namespace, $file));
			},
		}),

		route({
			method: "GET",
			path: "/files",
			tag,
			summary: "List the tenant's files, newest first, or those it keeps, by name",
			query: ListQuery,
			responses: { 200: { description: "A page", body: StoredFileList } },
			async handle({ caller: { namespace }, query: { kept, prefix, ...page } }) {
				if (kept !== "true" && prefix === undefined)
					return reply(200, await files.listNewest(namespace, { ...page, isUnkept: kept === "false" }));
				const { files: found, next_cursor } = await files.listKept(namespace, { ...page, prefix });
				return reply(200, { files: found.map(({ kept_at: _, ...file }) => file), next_cursor });
			},
		}),

		route({
			method: "GET",
			path: "/files/{id}",
			tag,
			summary: "Get a file's name, type, size and lifetime",
			params,
			responses: { 200: { description: "The file", body: StoredFile } },
			handle: async ({ caller: { namespace }, params: { id } }) => reply(200, await require(namespace, id)),
		}),

		route({
			method: "GET",
			path: "/files/{id}/content",
			tag,
			open: true,
			summary: "Download a file",
			description:
				"With the tenant's credential, or by a link that was made for it. Always as an attachment, in a sandbox.",
			params,
			query: Signed,
			headers: {
				Range: "One range of bytes",
				"If-None-Match": "304 if it is the file's ETag",
			},
			responses: {
				200: { description: "The bytes", content: { "*/*": Bytes } },
				206: { description: "The range", content: { "*/*": Bytes } },
				304: { description: "Not changed" },
				404: { description: "There is no such file, or the link is not valid or has expired" },
				416: { description: "The range is not in the file" },
			},
			async handle({ params: { id }, query, request }): Promise<Reply> {
				const isLink = query.expires !== undefined || query.signature !== undefined;
				const owner = isLink
					? await findLinked(id, query)
					: (await parts.tenants.requireCaller(request)).namespace;
				return answerDownload(files, owner, await require(owner, id), request);
			},
		}),

		route({
			method: "POST",
			path: "/files/{id}/link",
			tag,
			summary: "Make a link by which anyone can download a file for some minutes",
			params,
			body: CreateFileLink.optional(),
			responses: { 200: { description: "The link", body: FileLink } },
			async handle({ caller: { namespace }, params: { id }, body, request }) {
				await require(namespace, id);
				const { minutes } = body ?? { minutes: DEFAULT_LINK_MINUTES };
				return reply(200, await links.create(getBaseUrl(settings, request), id, minutes));
			},
		}),

		route({
			method: "DELETE",
			path: "/files/{id}",
			tag,
			summary: "Delete a file with its bytes",
			params,
			responses: { 200: { description: "Deleted", body: DeletedAnswer } },
			async handle({ caller: { namespace }, params: { id } }) {
				if (!FileId.safeParse(id).success || (await files.delete(namespace, [id])) === 0)
					throw notFound("file not found");
				return reply(200, { deleted: true });
			},
		}),
	];

	async function require(owner: string, id: string): Promise<StoredFile> {
		const file = FileId.safeParse(id).success ? await files.find(owner, id) : null;
		if (file === null) throw notFound("file not found");
		return file;
	}

	/** Whatever is wrong with a link, the answer is the same. */
	async function findLinked(
		id: string,
		{ expires = "", signature = "" }: z.output<typeof Signed>,
	): Promise<string> {
		const isValid = await links.verify(id, expires, signature);
		const owner = isValid ? await files.findOwner(id) : null;
		if (owner === null) throw notFound("file not found");
		return owner;
	}
}
