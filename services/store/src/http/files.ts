import { Failed, notFound } from "@tripline/contract/failures";
import {
	CommitFile,
	ExpiredPendingFiles,
	ExpirePendingFiles,
	ExtendFile,
	encodeNameCursor,
	FileQuery,
	FileRecordAnswer,
	FileRecordPage,
	HeldFiles,
	HoldFiles,
	KeepFile,
	KeptFilesQuery,
	MarkedFiles,
	MarkFiles,
	MIN_CHARGED_BYTES,
	NewestFilesQuery,
	RemovedFiles,
	RemoveFiles,
	ReservedFile,
	ReserveFile,
	SweepFiles,
	UnkeptAnswer,
	UnkeptQuery,
} from "@tripline/contract/file-records";
import { FileId } from "@tripline/contract/files";
import { encodeCursor } from "@tripline/contract/paging";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import { assertInternal, type Caller } from "../domain/callers.ts";
import type { StoreParts } from "./deps.ts";

const tag = "Files";

/** Order of a file's life: reserve, extend as its bytes arrive, commit; mark, delete its bytes, remove. */
export function fileRoutes({ files, clock }: StoreParts): Route<Caller>[] {
	return [
		route({
			method: "POST",
			path: "/files/reserve",
			tag,
			summary: "Reserve room for a file before its bytes are written",
			description: `Internal callers only. Reserves at most what the owner has left, and nothing below ${MIN_CHARGED_BYTES} bytes, which every file counts at least. Files that are being written count too.`,
			body: ReserveFile,
			responses: { 200: { description: "What is reserved", body: ReservedFile } },
			async handle({ caller, body }) {
				assertInternal(caller);
				return reply(200, { reserved: await files.reserve({ ...body, now: clock.now() }) });
			},
		}),
		route({
			method: "POST",
			path: "/files/extend",
			tag,
			summary: "Reserve more room for a file that is being written",
			description: "Internal callers only.",
			body: ExtendFile,
			responses: {
				200: { description: "What is reserved; as before if nothing is left", body: ReservedFile },
			},
			async handle({ caller, body }) {
				assertInternal(caller);
				const reserved = await files.extend({ ...body, now: clock.now() });
				if (reserved === null) throw notWritten();
				return reply(200, { reserved });
			},
		}),
		route({
			method: "POST",
			path: "/files/commit",
			tag,
			summary: "Add a file whose bytes are written",
			description: "Internal callers only. 409 if it is not being written, or is larger than reserved.",
			body: CommitFile,
			responses: { 200: { description: "The file", body: FileRecordAnswer } },
			async handle({ caller, body }) {
				assertInternal(caller);
				const file = await files.commit({ ...body, now: clock.now() });
				if (file === null) throw notWritten();
				return reply(200, { file });
			},
		}),
		route({
			method: "GET",
			path: "/files",
			tag,
			summary: "List an owner's files, newest first",
			description: "Internal callers only.",
			query: NewestFilesQuery,
			responses: { 200: { description: "A page", body: FileRecordPage } },
			async handle({ caller, query: { owner_id, unkept, limit, cursor } }) {
				assertInternal(caller);
				const rows = await files.listNewest({
					owner_id,
					isUnkept: unkept === "true",
					limit: limit + 1,
					before: cursor?.seq,
					now: clock.now(),
				});
				const page = rows.slice(0, limit);
				const last = rows.length > limit ? page.at(-1) : undefined;
				return reply(200, {
					files: page.map(({ seq: _, ...file }) => file),
					next_cursor: last === undefined ? null : encodeCursor(last),
				});
			},
		}),
		route({
			method: "GET",
			path: "/files/kept",
			tag,
			summary: "List the files that an owner keeps, by name",
			description: "Internal callers only.",
			query: KeptFilesQuery,
			responses: { 200: { description: "A page", body: FileRecordPage } },
			async handle({ caller, query: { owner_id, name, prefix = "", limit, cursor } }) {
				assertInternal(caller);
				if (name !== undefined) {
					const file = await files.getKept(owner_id, name);
					return reply(200, { files: file === null ? [] : [file], next_cursor: null });
				}
				const rows = await files.listKept({ owner_id, prefix, limit: limit + 1, after: cursor });
				const page = rows.slice(0, limit);
				const last = rows.length > limit ? (page.at(-1)?.kept_as ?? null) : null;
				return reply(200, { files: page, next_cursor: last === null ? null : encodeNameCursor(last) });
			},
		}),
		route({
			method: "GET",
			path: "/files/{id}",
			tag,
			summary: "Get a file",
			description: "Internal callers only. 404 if it has expired and no unfinished run holds it.",
			params: z.object({ id: FileId }),
			query: FileQuery,
			responses: { 200: { description: "The file", body: FileRecordAnswer } },
			async handle({ caller, params: { id }, query: { owner_id } }) {
				assertInternal(caller);
				const file = await files.get({ owner_id, id, now: clock.now() });
				if (file === null) throw notFound("file not found");
				return reply(200, { file });
			},
		}),
		route({
			method: "POST",
			path: "/files/unkept",
			tag,
			summary: "Find the first of some files that is not kept",
			description: "Internal callers only.",
			body: UnkeptQuery,
			responses: { 200: { description: "The file, or null", body: UnkeptAnswer } },
			async handle({ caller, body: { owner_id, ids } }) {
				assertInternal(caller);
				return reply(200, { file: await files.findUnkept(owner_id, ids, clock.now()) });
			},
		}),
		route({
			method: "POST",
			path: "/files/keep",
			tag,
			summary: "Keep a file under a name",
			description:
				"Internal callers only. A name has one file: the one that had it before expires. A file that is kept under another name gets this one instead.",
			body: KeepFile,
			responses: { 200: { description: "The file", body: FileRecordAnswer } },
			async handle({ caller, body }) {
				assertInternal(caller);
				const file = await files.keep({ ...body, now: clock.now() });
				if (file === null) throw notFound("file not found");
				return reply(200, { file });
			},
		}),
		route({
			method: "POST",
			path: "/files/hold",
			tag,
			summary: "Keep files from being deleted while accepted runs have not ended",
			description: "Internal callers only. Unknown files are left out.",
			body: HoldFiles,
			responses: { 200: { description: "How many holds are new", body: HeldFiles } },
			async handle({ caller, body }) {
				assertInternal(caller);
				return reply(200, { held: await files.hold({ ...body, now: clock.now() }) });
			},
		}),
		route({
			method: "POST",
			path: "/files/mark",
			tag,
			summary: "Mark files as deleted",
			description:
				"Internal callers only. The caller deletes their bytes and removes them; otherwise the sweep does it.",
			body: MarkFiles,
			responses: { 200: { description: "The files that were there", body: MarkedFiles } },
			async handle({ caller, body: { owner_id, ids = [], kept_as } }) {
				assertInternal(caller);
				const which = kept_as === undefined ? { ids } : { kept_as };
				return reply(200, { files: await files.mark(owner_id, which, clock.now()) });
			},
		}),
		route({
			method: "POST",
			path: "/files/sweep",
			tag,
			summary: "Mark expired files of all owners and list marked ones",
			description:
				"Internal callers only. Also those that were being written when their process ended. A listed file is listed again after a minute if it is not removed.",
			body: SweepFiles,
			responses: { 200: { description: "Files whose bytes are to be deleted", body: MarkedFiles } },
			async handle({ caller, body }) {
				assertInternal(caller);
				return reply(200, { files: await files.sweep(body.limit, clock.now()) });
			},
		}),
		route({
			method: "POST",
			path: "/files/expire-pending",
			tag,
			summary: "Let the sweep find what an ended process was writing",
			description: "Internal callers only. For a process that knows that it is the only one.",
			body: ExpirePendingFiles,
			responses: { 200: { description: "How many there were", body: ExpiredPendingFiles } },
			async handle({ caller, body }) {
				assertInternal(caller);
				return reply(200, { expired: await files.expirePending(body.before) });
			},
		}),
		route({
			method: "POST",
			path: "/files/remove",
			tag,
			summary: "Remove marked files whose bytes are deleted",
			description: "Internal callers only. Files that are not marked stay.",
			body: RemoveFiles,
			responses: { 200: { description: "How many were removed", body: RemovedFiles } },
			async handle({ caller, body }) {
				assertInternal(caller);
				return reply(200, { removed: await files.remove(body.files) });
			},
		}),
	];
}

const notWritten = (): Failed =>
	new Failed({ kind: "conflict", message: "the file is not being written, or is larger than reserved" });
