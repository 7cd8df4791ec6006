import {
	type AppendTurn,
	BYTES_PER_TOKEN,
	buildConversationPage,
	buildConversationUri,
	type Conversation,
	type ConversationName,
	MAX_TURNS,
} from "@tripline/contract/conversations";
import { CONVERSATION, CONVERSATION_TURN } from "@tripline/contract/entry-types";
import type { Place } from "@tripline/contract/paging";
import type { Triplet } from "@tripline/contract/triplets";
import { toIsoTime } from "@tripline/platform/clock";
import { type Sql, statement } from "@tripline/platform/sql";
import { toTriplet } from "../domain/triplets.ts";
import { buildUpsertKey, WIRE } from "./entries.ts";
import { type EntryRow, type Page, readPage } from "./pages.ts";

const encoder = new TextEncoder();

type Owned = ConversationName & { readonly owner_id: string };

/** Beyond the limit, deleted with each new turn. */
const TURNS_PER_DELETE = 10;
const MAX_COUNTED_FACTS = 1_000;
/** The first columns of the index `entries_page`. */
const OF_PAGE = "owner_id = ?1 and entry_type = ?2 and page_name = ?3 and webhook is null";

export function conversationStorage(sql: Sql) {
	return {
		/** Whether the turn is new. Turns that several runs append at once all stay. */
		async append(turn: AppendTurn & { readonly entryId: string; readonly now: number }): Promise<boolean> {
			const { owner_id, workflow, key, id, execution_id, messages_json, entryId, now } = turn;
			const page = buildConversationPage(turn);
			const upsertKey = buildUpsertKey({ owner_id, entry_type: CONVERSATION, page_name: page });
			const outcomes = await sql.write([
				statement(
					`insert into entries (${WIRE}, upsert_key) values (?1, ?2, ?3, ?4, '', ?5, ?6, ?6, ?7)
					on conflict (upsert_key) where upsert_key is not null do nothing`,
					...[entryId, CONVERSATION, owner_id, page, JSON.stringify({ workflow, key }), now, upsertKey],
				),
				statement(
					`insert into entries (${WIRE}) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)
					on conflict (id) do nothing returning id`,
					...[id, CONVERSATION_TURN, owner_id, page, messages_json, JSON.stringify({ execution_id }), now],
				),
				statement(
					`delete from entries where seq in (select seq from entries where ${OF_PAGE}
						order by created_at desc, seq desc limit ${TURNS_PER_DELETE} offset ${MAX_TURNS})`,
					...[owner_id, CONVERSATION_TURN, page],
				),
			]);
			return outcomes[1]?.rows.length === 1;
		},

		/** The latest started first. */
		async list(
			owner_id: string,
			place: { readonly limit: number; readonly after?: Page<unknown>["next"] | undefined },
		): Promise<Page<Conversation>> {
			const after = place.after ?? undefined;
			const { items, next } = await readPage(sql, { ...place, after, owner_id, entry_type: CONVERSATION });
			const pages = JSON.stringify(items.map(({ page_name }) => page_name));
			const counts = await sql.read<CountedTurns & { page_name: string }>(
				statement(
					`select page_name, count(*) as turns, max(created_at) as last_at, sum(octet_length(content)) as bytes
					from entries
					where owner_id = ?1 and entry_type = ?2 and page_name in (select value from json_each(?3))
					group by page_name`,
					...[owner_id, CONVERSATION_TURN, pages],
				),
			);
			const byPage = new Map(counts.map((count) => [count.page_name, count]));
			return { items: items.map((item) => toConversation(item, byPage.get(item.page_name))), next };
		},

		/** The active facts that a conversation has led to, the latest first. */
		async listFacts(
			conversation: Owned,
			{ limit, after }: { readonly limit: number; readonly after?: Place | undefined },
		): Promise<Page<Triplet>> {
			const uri = buildConversationUri(conversation);
			const rows = await sql.read<FactRow>(
				statement(
					`select entries.seq as seq, entries.id, entries.owner_id, metadata_json, created_at, updated_at
					from triplets cross join entries on entries.seq = triplets.seq
					where triplets.owner_id = ?1 and uri = ?2 and active = 1 and triplets.seq < ?3
					order by triplets.seq desc limit +?4`,
					...[conversation.owner_id, sql.shortenKey?.(uri) ?? uri],
					...[after?.seq ?? Number.MAX_SAFE_INTEGER, limit + 1],
				),
			);
			const page = rows.slice(0, limit);
			const last = page.at(-1);
			const next = rows.length > limit && last !== undefined ? last : null;
			return {
				items: page.map(toTriplet),
				next: next && { created_at: Number(next.created_at), seq: Number(next.seq) },
			};
		},

		/** How many turns were deleted, and how many facts of the conversation stay; null if there was none. */
		async delete(conversation: Owned): Promise<{ turns: number; facts: number } | null> {
			const { owner_id } = conversation;
			const page = buildConversationPage(conversation);
			const uri = buildConversationUri(conversation);
			const [turns, heads, facts] = await sql.write([
				statement(`delete from entries where ${OF_PAGE}`, owner_id, CONVERSATION_TURN, page),
				statement(`delete from entries where ${OF_PAGE}`, owner_id, CONVERSATION, page),
				statement(
					`select count(*) as facts from (select 1 from triplets
						where owner_id = ?1 and uri = ?2 and active = 1 limit ${MAX_COUNTED_FACTS}) as found`,
					...[owner_id, sql.shortenKey?.(uri) ?? uri],
				),
			]);
			const deleted = turns?.changes ?? 0;
			if (deleted + (heads?.changes ?? 0) === 0) return null;
			return { turns: deleted, facts: Number(facts?.rows[0]?.facts ?? 0) };
		},
	};
}

type FactRow = Parameters<typeof toTriplet>[0] & { readonly seq: number };

interface CountedTurns {
	readonly turns: number;
	readonly last_at: number;
	readonly bytes: number;
}

export type ConversationStorage = ReturnType<typeof conversationStorage>;

function toConversation(
	{ content, metadata_json, created_at }: EntryRow,
	counted: CountedTurns | undefined,
): Conversation {
	const { workflow, key } = JSON.parse(metadata_json) as ConversationName;
	return {
		...{ workflow, key, turns: Number(counted?.turns ?? 0), has_summary: content !== "" },
		tokens: Math.ceil((encoder.encode(content).length + Number(counted?.bytes ?? 0)) / BYTES_PER_TOKEN),
		started_at: toIsoTime(created_at * 1000),
		last_at: toIsoTime(Number(counted?.last_at ?? created_at) * 1000),
	};
}
