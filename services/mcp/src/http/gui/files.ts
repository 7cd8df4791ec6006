import { DeletedAnswer } from "@tripline/contract/entries";
import {
	CreateFileLink,
	FileId,
	FileLink,
	StoredFile,
	StoredFileList,
	toFileName,
	toFileType,
} from "@tripline/contract/files";
import { limit } from "@tripline/contract/paging";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { McpCaller } from "../../callers.ts";
import { createNotFound, type GuiParts, getExecutor, readLength, requireFound, TAG as tag } from "./parts.ts";

const FILE = "file";
const OneFile = z.object({ id: FileId });
const Bytes = z.string().meta({ format: "binary" });

/** A file may be a page or a script: nothing must take it for a part of the console. */
const CONTENT_HEADERS = {
	"content-type": "application/octet-stream",
	"content-disposition": "attachment",
	"content-security-policy": "default-src 'none'; sandbox",
	"x-content-type-options": "nosniff",
	"cross-origin-resource-policy": "same-origin",
	"cache-control": "no-store",
};

/** Passes files on as they arrive; the executor checks their size. */
export const fileRoutes = (parts: GuiParts): Route<McpCaller>[] => [
	route({
		method: "GET",
		path: "/gui/files",
		tag,
		summary: "The files, newest first",
		query: z.object({
			kept: z.enum(["true", "false"]).optional().meta({ description: "Only kept files, or only others" }),
			prefix: z.string().max(512).optional().meta({ description: "Of the name under which a file is kept" }),
			limit: limit(50, 100),
			cursor: z.string().max(4096).optional().meta({ description: "`next_cursor` of the previous page" }),
		}),
		responses: { 200: { description: "A page of files", body: StoredFileList } },
		async handle(call) {
			const { kept, ...query } = call.query;
			const filter = { ...query, ...(kept !== undefined && { kept: kept === "true" }) };
			return reply(200, await getExecutor(parts, call).files.list(filter));
		},
	}),

	route({
		method: "POST",
		path: "/gui/files",
		tag,
		summary: "Upload a file",
		description: "The body is the file's content, its content type the file's type.",
		query: z.object({ name: z.string().min(1).max(1000).meta({ description: "The file's name" }) }),
		accepts: { "*/*": Bytes },
		responses: { 201: { description: "The file; it expires unless a workflow keeps it", body: StoredFile } },
		async handle(call) {
			const { request, query } = call;
			const stored = await getExecutor(parts, call).files.upload(
				{
					name: toFileName(query.name),
					type: toFileType(request.headers.get("content-type")),
					size: readLength(request),
				},
				request.stream(Number.POSITIVE_INFINITY),
			);
			return reply(201, stored);
		},
	}),

	route({
		method: "GET",
		path: "/gui/files/{id}",
		tag,
		summary: "A file's name, type, size and retention",
		params: OneFile,
		responses: { 200: { description: "The file", body: StoredFile } },
		async handle(call) {
			return reply(200, requireFound(await getExecutor(parts, call).files.get(call.params.id), FILE));
		},
	}),

	route({
		method: "GET",
		path: "/gui/files/{id}/content",
		tag,
		summary: "A file's content, for a preview",
		description: "Always as bytes without a type, which no browser displays.",
		params: OneFile,
		responses: {
			200: { description: "The content", content: { "application/octet-stream": Bytes } },
		},
		async handle(call) {
			const content = requireFound(await getExecutor(parts, call).files.content(call.params.id), FILE);
			if (call.request.method === "HEAD") await content.cancel();
			return new Response(call.request.method === "HEAD" ? null : content, { headers: CONTENT_HEADERS });
		},
	}),

	route({
		method: "POST",
		path: "/gui/files/{id}/link",
		tag,
		summary: "An address that downloads a file without a login, for a limited time",
		params: OneFile,
		body: CreateFileLink.optional(),
		responses: { 200: { description: "The address", body: FileLink } },
		async handle(call) {
			const link = await getExecutor(parts, call).files.link(call.params.id, call.body);
			return reply(200, requireFound(link, FILE));
		},
	}),

	route({
		method: "DELETE",
		path: "/gui/files/{id}",
		tag,
		summary: "Delete a file and its content",
		params: OneFile,
		responses: { 200: { description: "Deleted", body: DeletedAnswer } },
		async handle(call) {
			if (!(await getExecutor(parts, call).files.delete(call.params.id))) throw createNotFound(FILE);
			return reply(200, { deleted: true });
		},
	}),
];

/** The number of bytes that the sender announces. */
