import {
	AppendedEntry,
	DeletedAnswer,
	type Entry,
	EntryPage,
	EntryQuery,
	type ListedEntry,
	ReplaceEntry,
	UpsertEntry,
	UpsertedEntry,
	VersionedEntry,
	WriteEntry,
} from "@tripline/contract/entries";
import { isIngested, isInternal, isPrivate, isStoreKept } from "@tripline/contract/entry-types";
import { Failed, notFound, staleVersion } from "@tripline/contract/failures";
import { uuidv7 } from "@tripline/contract/ids";
import { EntryOwner, Id } from "@tripline/contract/names";
import { encodeCursor } from "@tripline/contract/paging";
import { matchesFilter } from "@tripline/contract/value-filter";
import { ChangeBy, TRASH_DAYS, VersionNumberText } from "@tripline/contract/workflow-versions";
import { unixSeconds } from "@tripline/platform/clock";
import type { Incoming } from "@tripline/web/http-message";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import {
	assertInternal,
	assertOwned,
	type Caller,
	nameChange,
	resolveOwner,
	resolveOwnerFilter,
} from "../domain/callers.ts";
import { toColumns } from "../domain/columns.ts";
import { createIngestOnlyError } from "../domain/triplets.ts";
import type { EntryChange, NewEntry } from "../storage/entries.ts";
import type { EntryRow } from "../storage/pages.ts";
import type { StoreParts } from "./deps.ts";

const tag = "Entries";
const EntryId = z.object({ id: Id });
const Owner = z.strictObject({ owner_id: EntryOwner });

export function entryRoutes({ entries, semantic, clock, announce }: StoreParts): Route<Caller>[] {
	return [
		route({
			method: "PUT",
			path: "/entries",
			tag,
			summary: "Create or replace the entry of an owner, page and type",
			description:
				"Finds the entry by owner_id, page_name and entry_type. If several match, the oldest is updated; if none does, one is created. Omitted metadata stays unchanged, with its schedule and the events it listens for; {} clears it. Parallel calls leave one entry. A workflow whose text changes gets a new version; with if_version it is replaced only if that is its current version, and of parallel calls with the same one exactly one succeeds. With if_absent an existing entry is returned unchanged with created false; of parallel calls exactly one creates it.",
			body: UpsertEntry,
			responses: {
				200: { description: "An existing entry was updated", body: UpsertedEntry },
				201: { description: "A new entry was created", body: UpsertedEntry },
			},
			async handle({ caller, body: { if_absent, if_version, publishes_draft, ...body }, request }) {
				assertMayName(caller, { ...body, publishes_draft });
				const fresh = buildEntry(caller, body);
				const change = { ...fresh, metadata_json: body.metadata_json };
				if (if_version !== undefined) {
					const entry = await replaceVersion(change, {
						ifVersion: if_version,
						publishesDraft: publishes_draft,
					});
					startFollowUps(entry, false, request);
					return reply(200, { success: true, entry, created: false });
				}
				const { entry, created } = await (if_absent ? entries.insertOnce(fresh) : entries.upsert(change));
				if (created || !if_absent) startFollowUps(entry, created, request);
				return reply(created ? 201 : 200, { success: true, entry, created });
			},
		}),
		route({
			method: "POST",
			path: "/entries",
			tag,
			summary: "Append an entry",
			description: "Always creates a new entry, even if others have the same owner, page and type.",
			body: WriteEntry,
			responses: { 201: { description: "The new entry", body: AppendedEntry } },
			async handle({ caller, body, request }) {
				const entry = await entries.append(buildEntry(caller, body));
				startFollowUps(entry, true, request);
				return reply(201, { success: true, entry });
			},
		}),
		route({
			method: "GET",
			path: "/entries",
			tag,
			summary: "List entries, newest first",
			description:
				"Ordered by created_at, then by insertion, both descending, or both ascending with order=oldest. since and until are inclusive. Entries that only internal callers may read are listed when their type is named, and with cron=due. A page of very large entries ends early; continue with next_cursor. With metadata a page looks at a bounded number of entries: it may hold few or none and still have a next_cursor.",
			query: EntryQuery,
			responses: { 200: { description: "A page", body: EntryPage } },
			async handle({ caller, query }) {
				const due = query.cron !== undefined;
				const owner_id = resolveOwnerFilter(caller, query.owner_id);
				const filter = {
					owner_id,
					entry_type: resolveListedType(caller, query.entry_type, due),
					page_name: query.page_name,
					since: query.since,
					until: query.until,
					dueAt: due ? (query.now ?? unixSeconds(clock)) : undefined,
					isUnparked: query.cron === "unparked",
					listens: query.listens === "true" ? ("any" as const) : query.listens,
					knowledge: isKnowledgeQuery(query),
					order: query.order,
					after: query.cursor,
					limit: query.limit,
				};
				const wanted = query.metadata;
				const listing = entries.list(filter, wanted && ((metadata) => matchesFilter(metadata, wanted)));
				const counting = due && caller.kind === "internal" ? entries.countScheduled() : undefined;
				// Both queries run in parallel: on D1 each is a network round trip.
				const [page, scheduled] = await Promise.all([listing, counting]);
				return reply(200, {
					entries: page.items.map(toListedEntry),
					next_cursor: page.next && encodeCursor(page.next),
					scheduled,
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
			responses: { 200: { description: "The entry", body: z.object({ entry: VersionedEntry }) } },
			async handle({ caller, params, query }) {
				const owner = resolveOwner(caller, query.owner_id);
				const entry = await entries.get(params.id);
				if (entry === null || isHidden(caller, entry)) throw notFound();
				assertOwned(entry.owner_id, owner);
				return reply(200, { entry });
			},
		}),
		route({
			method: "PUT",
			path: "/entries/{id}",
			tag,
			summary: "Replace an entry's content and metadata",
			description: "Type, page and omitted metadata stay unchanged.",
			params: EntryId,
			body: ReplaceEntry,
			responses: { 200: { description: "The entry", body: z.object({ entry: VersionedEntry }) } },
			async handle({ caller, params, body, request }) {
				const owner = resolveOwner(caller, body.owner_id);
				const known = await entries.get(params.id);
				if (known === null || isHidden(caller, known)) throw notFound();
				assertOwned(known.owner_id, owner);
				const { entry_type, page_name } = known;
				const fresh = buildEntry(caller, { ...body, entry_type, page_name });
				const change = { ...fresh, id: params.id, metadata_json: body.metadata_json };
				const entry = await entries.replace(change);
				if (entry === null) throw notFound();
				startFollowUps(entry, false, request);
				return reply(200, { entry });
			},
		}),
		route({
			method: "DELETE",
			path: "/entries/{id}",
			tag,
			summary: "Delete an entry",
			description: `A workflow can be restored for ${TRASH_DAYS} days.`,
			params: EntryId,
			query: Owner.extend({
				if_version: VersionNumberText.optional().meta({
					description: "Only a workflow whose current version this is; else 412",
				}),
				...ChangeBy.shape,
			}),
			responses: { 200: { description: "Deleted", body: DeletedAnswer } },
			async handle({ caller, params, query: { owner_id, if_version, ...by } }) {
				assertMayName(caller, by);
				const owner = resolveOwner(caller, owner_id);
				if (caller.kind === "partner" && isHidden(caller, await entries.get(params.id))) throw notFound();
				const deletion = { ...nameChange(owner, by), now: unixSeconds(clock), ifVersion: if_version };
				if (await entries.delete(params.id, owner, deletion)) return reply(200, { deleted: true });
				const known = if_version === undefined ? null : await entries.get(params.id);
				if (known === null || known.owner_id !== owner || if_version === undefined) throw notFound();
				throw staleVersion(if_version, known.version ?? null);
			},
		}),
	];

	async function replaceVersion(
		change: EntryChange,
		condition: { readonly ifVersion: number; readonly publishesDraft: number | undefined },
	): Promise<VersionedEntry> {
		const entry = await entries.replaceVersion(change, condition);
		if (entry !== null) return entry;
		const { owner_id, entry_type, page_name } = change;
		const { items } = await entries.list({ owner_id, entry_type, page_name, limit: 1 });
		throw staleVersion(condition.ifVersion, items[0]?.version ?? null);
	}

	function buildEntry(caller: Caller, body: WrittenEntry): NewEntry {
		if (isIngested(body.entry_type)) throw createIngestOnlyError("entry_type", body.entry_type);
		if (caller.kind === "partner" && isStoreKept(body.entry_type)) {
			throw new Failed({ kind: "forbidden", message: `entry_type ${body.entry_type} is kept by the store` });
		}
		const now = clock.now();
		const seconds = Math.floor(now / 1000);
		const { metadata_json = "{}" } = body;
		const owner_id = resolveOwner(caller, body.owner_id);
		return {
			...body,
			...(body.entry_type === "workflow" && nameChange(owner_id, body)),
			metadata_json,
			id: uuidv7(now),
			owner_id,
			now: seconds,
			...toColumns(body.entry_type, metadata_json, seconds),
		};
	}

	/** Starts the work that follows a write after the response. */
	function startFollowUps(entry: Entry, created: boolean, request: Incoming): void {
		semantic.scheduleEmbedding(entry.metadata_json);
		if (isInternal(entry.entry_type)) return;
		const { id, entry_type, page_name } = entry;
		announce(request, entry.owner_id, () => [
			{ type: "entry.upserted", data: { id, entry_type, page_name, created } },
		]);
	}
}

type WrittenEntry = Omit<UpsertEntry, "if_absent" | "if_version" | "publishes_draft">;

function assertMayName(
	caller: Caller,
	{ author, client, publishes_draft }: ChangeBy & { readonly publishes_draft?: number | undefined },
): void {
	if (author !== undefined || client !== undefined || publishes_draft !== undefined) assertInternal(caller);
}

const isKnowledgeQuery = ({ knowledge, entry_type, cron, listens }: z.output<typeof EntryQuery>): boolean =>
	knowledge === "true" && entry_type === undefined && cron === undefined && listens === undefined;

const isHidden = (caller: Caller, entry: Entry | null): boolean =>
	caller.kind === "partner" && entry !== null && isPrivate(entry.entry_type);

/** Among due entries, a partner key sees only workflows. */
function resolveListedType(caller: Caller, given: string | undefined, due: boolean): string | undefined {
	if (caller.kind === "internal") return given;
	if (given !== undefined && isPrivate(given)) {
		throw new Failed({ kind: "forbidden", message: `entry_type ${given} is kept by the store` });
	}
	return given ?? (due ? "workflow" : undefined);
}

function toListedEntry(row: EntryRow): ListedEntry {
	const entry: Writable<ListedEntry> = {
		id: row.id,
		entry_type: row.entry_type,
		owner_id: row.owner_id,
		page_name: row.page_name,
		content: row.content,
		metadata_json: row.metadata_json,
		created_at: row.created_at,
		updated_at: row.updated_at,
	};
	if (row.next_run_at !== null) entry.next_run_at = row.next_run_at;
	if (row.version !== null) entry.version = row.version;
	if (row.disabled !== null) entry.disabled = true;
	return entry;
}

type Writable<Fields> = { -readonly [Name in keyof Fields]: Fields[Name] };
