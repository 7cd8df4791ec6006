import {
	AppendedEntry,
	DeletedAnswer,
	Entry,
	EntryPage,
	EntryQuery,
	UpsertedEntry,
	WriteEntry,
} from "@tripline/contract/entries";
import { isIngested, isStoreKept } from "@tripline/contract/entry-types";
import { Failed, invalid, notFound } from "@tripline/contract/failures";
import { uuidv7 } from "@tripline/contract/ids";
import { Id, Namespace } from "@tripline/contract/names";
import { encodeCursor } from "@tripline/contract/paging";
import { unixSeconds } from "@tripline/platform/clock";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import { assertOwned, type Caller, ownerFilter, ownerFor } from "../domain/callers.ts";
import { scheduleOf } from "../domain/schedule.ts";
import type { EntryRow, NewEntry } from "../storage/entries.ts";
import type { StoreParts } from "./deps.ts";

const tag = "Entries";
const EntryId = z.object({ id: Id });
const Owner = z.strictObject({ owner_id: Namespace.optional() });

export function entryRoutes({ entries, semantic, clock }: StoreParts): Route<Caller>[] {
	return [
		route({
			method: "PUT",
			path: "/entries",
			tag,
			summary: "Create or replace the entry of an owner, page and type",
			description:
				"Finds the entry by owner_id, page_name and entry_type. Several match: the oldest is updated. None does: one is created. Parallel calls leave one entry.",
			body: WriteEntry,
			responses: {
				200: { description: "An existing entry was updated", body: UpsertedEntry },
				201: { description: "A new entry was made", body: UpsertedEntry },
			},
			async handle({ caller, body }) {
				const { entry, created } = await entries.upsert(newEntry(caller, body));
				semantic.wrote(body.metadata_json);
				return reply(created ? 201 : 200, { success: true, entry, created });
			},
		}),
		route({
			method: "POST",
			path: "/entries",
			tag,
			summary: "Append an entry",
			description: "Always makes a new entry, beside others of the same owner, page and type.",
			body: WriteEntry,
			responses: { 201: { description: "The new entry", body: AppendedEntry } },
			async handle({ caller, body }) {
				const entry = await entries.append(newEntry(caller, body));
				semantic.wrote(body.metadata_json);
				return reply(201, { success: true, entry });
			},
		}),
		route({
			method: "GET",
			path: "/entries",
			tag,
			summary: "List entries, newest first",
			description:
				"By created_at, then by insertion, both descending. since and until are inclusive. A page of very large entries ends early; next_cursor goes on.",
			query: EntryQuery,
			responses: { 200: { description: "A page", body: EntryPage } },
			async handle({ caller, query }) {
				const due = query.cron === "due";
				const page = await entries.list({
					owner_id: ownerFilter(caller, query.owner_id),
					entry_type: query.entry_type,
					page_name: query.page_name,
					since: query.since,
					until: query.until,
					dueAt: due ? (query.now ?? unixSeconds(clock)) : undefined,
					after: query.cursor,
					limit: query.limit,
				});
				return reply(200, {
					entries: page.items.map((row) =>
						due ? { ...toEntry(row), next_run_at: row.next_run_at } : toEntry(row),
					),
					next_cursor: page.next && encodeCursor(page.next),
				});
			},
		}),
		route({
			method: "GET",
			path: "/entries/{id}",
			tag,
			summary: "One entry",
			params: EntryId,
			query: Owner,
			responses: { 200: { description: "The entry", body: z.object({ entry: Entry }) } },
			async handle({ caller, params, query }) {
				const owner = ownerFor(caller, query.owner_id);
				const entry = await entries.get(params.id);
				if (entry === null) throw notFound();
				assertOwned(entry.owner_id, owner);
				return reply(200, { entry });
			},
		}),
		route({
			method: "DELETE",
			path: "/entries/{id}",
			tag,
			summary: "Delete an entry",
			params: EntryId,
			query: Owner,
			responses: { 200: { description: "Deleted", body: DeletedAnswer } },
			async handle({ caller, params, query }) {
				if (!(await entries.delete(params.id, ownerFor(caller, query.owner_id)))) throw notFound();
				return reply(200, { deleted: true });
			},
		}),
	];

	function newEntry(caller: Caller, body: WriteEntry): NewEntry {
		if (isIngested(body.entry_type)) {
			throw invalid([
				{ path: "entry_type", message: `${body.entry_type} is written by POST /triplets/ingest` },
			]);
		}
		if (caller.kind === "partner" && isStoreKept(body.entry_type)) {
			throw new Failed({ kind: "forbidden", message: `entry_type ${body.entry_type} is kept by the store` });
		}
		const now = clock.now();
		const schedule = body.entry_type === "workflow" ? scheduleOf(body.metadata_json, now) : null;
		return {
			...body,
			id: uuidv7(now),
			owner_id: ownerFor(caller, body.owner_id),
			now: Math.floor(now / 1000),
			schedule: schedule?.schedule ?? null,
			next_run_at: schedule?.nextRunAt ?? null,
		};
	}
}

const toEntry = (row: EntryRow): Entry => ({
	id: row.id,
	entry_type: row.entry_type,
	owner_id: row.owner_id,
	page_name: row.page_name,
	content: row.content,
	metadata_json: row.metadata_json,
	created_at: row.created_at,
	updated_at: row.updated_at,
});
