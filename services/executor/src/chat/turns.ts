import { CHAT_TURN, type ChatTurn, isConversationId } from "@tripline/contract/chat";
import type { ListedEntry } from "@tripline/contract/entries";
import { notFound } from "@tripline/contract/failures";
import { type Clock, toIsoTime } from "@tripline/platform/clock";
import type { StoreClient } from "@tripline/store/client";
import type { StoredTurn } from "../domain/chat.ts";

/** The conversation of a workflow's chat. */
export interface ConversationKey {
	readonly namespace: string;
	readonly workflow: string;
	readonly id: string;
}

export interface BegunTurn {
	readonly id: string;
	end(outcome: Pick<StoredTurn, "reply" | "status">): Promise<void>;
}

interface ReadTurn extends StoredTurn {
	readonly id: string;
}

/** A Worker may make only so many calls. */
const DELETED_PER_CALL = 40;
const SHORTENED_LENGTH = 200;

export type ChatTurns = ReturnType<typeof chatTurns>;

/** The turns of conversations, as entries of the store. */
export function chatTurns({ store, clock }: { readonly store: StoreClient; readonly clock: Clock }) {
	return {
		/** The last turns, oldest first. Throws if there are none. */
		async read(key: ConversationKey, limit: number): Promise<ReadTurn[]> {
			const { entries } = await list(key, limit);
			return entries.map((entry) => ({ ...parseTurn(entry), id: entry.id })).reverse();
		},

		/** Null if there are none. */
		async findLast(key: ConversationKey): Promise<StoredTurn | null> {
			const { entries } = await listPage(key, 1);
			return entries[0] === undefined ? null : parseTurn(entries[0]);
		},

		/** Null if it was deleted. */
		async readOne(namespace: string, id: string): Promise<StoredTurn | null> {
			const entry = await store.entries.getById(namespace, id);
			return entry === null ? null : parseTurn(entry);
		},

		async begin(
			{ namespace, workflow, id }: ConversationKey,
			turn: Pick<StoredTurn, "number" | "message" | "files" | "execution_id">,
		): Promise<BegunTurn> {
			const begun: StoredTurn = { ...turn, at: clock.now(), reply: null, status: "unfinished" };
			const { entry } = await store.entries.append({
				owner_id: namespace,
				entry_type: CHAT_TURN,
				page_name: id,
				content: JSON.stringify(begun),
				metadata_json: JSON.stringify({ workflow }),
			});
			return {
				id: entry.id,
				async end(outcome) {
					const content = JSON.stringify({ ...begun, ...outcome });
					// Null: the conversation was deleted meanwhile.
					await store.entries.replace(entry.id, { owner_id: namespace, content });
				},
			};
		},

		/**
		 * Also what an agent of the workflow remembers under the id. Returns whether there is more to delete. Throws if there
		 * are no turns.
		 */
		async delete(key: ConversationKey): Promise<boolean> {
			const { entries, next_cursor } = await list(key, DELETED_PER_CALL);
			await store.conversations.delete({ owner_id: key.namespace, workflow: key.workflow, key: key.id });
			await Promise.all(entries.map(({ id }) => store.entries.delete(key.namespace, id)));
			return next_cursor !== null;
		},

		/** The conversations of a page of turns, last one first. */
		async listConversations(
			namespace: string,
			workflow: string,
			page: { readonly limit: number; readonly cursor?: string | undefined },
		) {
			const { entries, next_cursor } = await store.entries.list({
				...{ owner_id: namespace, entry_type: CHAT_TURN, metadata: JSON.stringify({ workflow }) },
				limit: page.limit,
				...(page.cursor !== undefined && { cursor: page.cursor }),
			});
			const conversations = new Map<string, { id: string; message: string; updated_at: string }>();
			for (const entry of entries) {
				const { page_name: id } = entry;
				if (conversations.has(id)) continue;
				const { message, at } = parseTurn(entry);
				const shortened = message.slice(0, SHORTENED_LENGTH).toWellFormed();
				conversations.set(id, { id, message: shortened, updated_at: toIsoTime(at) });
			}
			return { conversations: [...conversations.values()], next_cursor };
		},
	};

	async function list(key: ConversationKey, limit: number) {
		if (!isConversationId(key.id)) throw noConversation();
		const page = await listPage(key, limit);
		if (page.entries.length === 0) throw noConversation();
		return page;
	}

	function listPage({ namespace, workflow, id }: ConversationKey, limit: number) {
		return store.entries.list({
			owner_id: namespace,
			entry_type: CHAT_TURN,
			page_name: id,
			metadata: JSON.stringify({ workflow }),
			limit,
		});
	}
}

const noConversation = () => notFound("there is no such conversation");

const parseTurn = ({ content }: Pick<ListedEntry, "content">): StoredTurn =>
	JSON.parse(content) as StoredTurn;

export const describeTurn = (
	{ at, message, files, reply, status, execution_id }: StoredTurn,
	waitsFor: ChatTurn["waits_for"] = null,
): ChatTurn => ({
	time: toIsoTime(at),
	message,
	files: files.map(({ name, type, size }) => ({ name, type, size })),
	reply,
	status,
	waits_for: waitsFor,
	execution_id: execution_id ?? null,
});
