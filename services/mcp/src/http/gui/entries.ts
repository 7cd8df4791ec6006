import { AppendedEntry, DeletedAnswer, Entry, EntryPage } from "@tripline/contract/entries";
import { isInternal } from "@tripline/contract/entry-types";
import { invalid } from "@tripline/contract/failures";
import { GuiEntryQuery, GuiReplaceEntry, GuiTakenPage, GuiWriteEntry } from "@tripline/contract/gui";
import { Id } from "@tripline/contract/names";
import { encodeCursor } from "@tripline/contract/paging";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { McpCaller } from "../../callers.ts";
import { createNotFound, type GuiParts, requireFound, TAG as tag } from "./parts.ts";

const EntryId = z.object({ id: Id });
const OneEntry = z.object({ entry: Entry });
const ENTRY = "entry";

export function entryRoutes({ store }: GuiParts): Route<McpCaller>[] {
	return [
		route({
			method: "GET",
			path: "/gui/entries",
			tag,
			summary: "Knowledge entries, newest first",
			query: GuiEntryQuery,
			responses: { 200: { description: "A page", body: EntryPage } },
			async handle({ caller, query: { cursor, ...query } }) {
				if (query.entry_type !== undefined) assertKnowledge(query.entry_type);
				const page = await store.entries.list({
					...query,
					owner_id: caller.namespace,
					knowledge: "true",
					cursor: cursor && encodeCursor(cursor),
				});
				return reply(200, page);
			},
		}),

		route({
			method: "POST",
			path: "/gui/entries",
			tag,
			summary: "Create an entry",
			body: GuiWriteEntry,
			responses: {
				201: { description: "The new entry", body: AppendedEntry },
				409: { description: "An entry with this type and page exists", body: GuiTakenPage },
			},
			async handle({ caller, body }) {
				assertKnowledge(body.entry_type);
				const { entry, created } = await store.entries.createOnce({ ...body, owner_id: caller.namespace });
				if (created) return reply(201, { success: true, entry });
				const error = `an entry of type ${entry.entry_type} with this page already exists`;
				return reply(409, { error, id: entry.id });
			},
		}),

		route({
			method: "GET",
			path: "/gui/entries/{id}",
			tag,
			summary: "One entry",
			params: EntryId,
			responses: { 200: { description: "The entry", body: OneEntry } },
			async handle({ caller, params }) {
				return reply(200, { entry: await requireKnowledge(caller, params.id) });
			},
		}),

		route({
			method: "PUT",
			path: "/gui/entries/{id}",
			tag,
			summary: "Replace an entry's content and metadata",
			description:
				"The type and the page cannot be changed; omitted metadata is kept. Triplets and entities are written only by ingest.",
			params: EntryId,
			body: GuiReplaceEntry,
			responses: { 200: { description: "The entry", body: OneEntry } },
			async handle({ caller, params, body }) {
				await requireKnowledge(caller, params.id);
				const entry = await store.entries.replace(params.id, { ...body, owner_id: caller.namespace });
				return reply(200, { entry: requireFound(entry, ENTRY) });
			},
		}),

		route({
			method: "DELETE",
			path: "/gui/entries/{id}",
			tag,
			summary: "Delete an entry",
			params: EntryId,
			responses: { 200: { description: "Deleted", body: DeletedAnswer } },
			async handle({ caller, params }) {
				await requireKnowledge(caller, params.id);
				if (!(await store.entries.delete(caller.namespace, params.id))) throw createNotFound(ENTRY);
				return reply(200, { deleted: true });
			},
		}),
	];

	/** Internal entries are not found. */
	async function requireKnowledge({ namespace }: McpCaller, id: string): Promise<Entry> {
		const entry = await store.entries.getById(namespace, id);
		if (entry === null || isInternal(entry.entry_type)) throw createNotFound(ENTRY);
		return entry;
	}
}

function assertKnowledge(entryType: string): void {
	if (!isInternal(entryType)) return;
	const message = `${entryType} is reserved for internal use: choose another type`;
	throw invalid([{ path: "entry_type", message }]);
}
