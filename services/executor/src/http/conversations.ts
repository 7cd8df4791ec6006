import {
	buildConversationPage,
	ConversationFacts,
	ConversationName,
	ConversationPage,
	ConversationQuery,
	DeletedConversation,
	TurnPage,
	TurnQuery,
} from "@tripline/contract/conversations";
import { CONVERSATION, CONVERSATION_TURN } from "@tripline/contract/entry-types";
import { type Failed, notFound } from "@tripline/contract/failures";
import { encodeCursor } from "@tripline/contract/paging";
import { toIsoTime } from "@tripline/platform/clock";
import { type Route, reply, route } from "@tripline/web/route";
import type { Caller } from "../domain/callers.ts";
import type { ExecutorParts } from "./deps.ts";

const tag = "Conversations";

/** A key may be any text, so it is not part of the path. */
export function conversationRoutes({ store }: ExecutorParts): Route<Caller>[] {
	return [
		route({
			method: "GET",
			path: "/conversations",
			tag,
			summary: "List the conversations that agents remember, the latest started first",
			query: ConversationQuery,
			responses: { 200: { description: "A page", body: ConversationPage } },
			async handle({ caller, query: { limit, cursor } }) {
				const page = { owner_id: caller.namespace, limit, ...(cursor && { cursor: encodeCursor(cursor) }) };
				return reply(200, await store.conversations.list(page));
			},
		}),

		route({
			method: "GET",
			path: "/conversations/turns",
			tag,
			summary: "Read a conversation: its summary, and its turns, the latest first",
			query: TurnQuery,
			responses: { 200: { description: "A page", body: TurnPage } },
			async handle({ caller, query: { workflow, key, limit, cursor } }) {
				const where = { owner_id: caller.namespace, page_name: buildConversationPage({ workflow, key }) };
				const page = {
					...{ ...where, entry_type: CONVERSATION_TURN, limit },
					...(cursor && { cursor: encodeCursor(cursor) }),
				};
				const [head, { entries, next_cursor }] = await Promise.all([
					store.entries.get(where.owner_id, CONVERSATION, where.page_name),
					store.entries.list(page),
				]);
				if (head === null) throw conversationNotFound();
				const turns = entries.map(({ id, content, metadata_json, created_at }) => ({
					...{ id, execution_id: JSON.parse(metadata_json).execution_id as string },
					...{ at: toIsoTime(created_at * 1000), messages: JSON.parse(content) },
				}));
				return reply(200, { summary: head.content || null, turns, next_cursor });
			},
		}),

		route({
			method: "GET",
			path: "/conversations/facts",
			tag,
			summary: "List the facts that a conversation has led to, the latest first",
			description:
				"Those that agents with `memory.facts` have written to the knowledge graph, also if the conversation was deleted since.",
			query: TurnQuery,
			responses: { 200: { description: "A page", body: ConversationFacts } },
			async handle({ caller, query: { cursor, limit, ...name } }) {
				const page = { ...name, limit, ...(cursor && { cursor: encodeCursor(cursor) }) };
				return reply(200, await store.conversations.listFacts({ owner_id: caller.namespace, ...page }));
			},
		}),

		route({
			method: "DELETE",
			path: "/conversations",
			tag,
			summary: "Delete a conversation",
			description:
				"Deletes its turns and its summary. Facts that it has led to stay; the answer tells their source and how many there are. A run that is in progress keeps its turn when it ends.",
			query: ConversationName,
			responses: { 200: { description: "Deleted", body: DeletedConversation } },
			async handle({ caller, query }) {
				const deleted = await store.conversations.delete({ owner_id: caller.namespace, ...query });
				if (deleted === null) throw conversationNotFound();
				return reply(200, deleted);
			},
		}),
	];
}

const conversationNotFound = (): Failed => notFound("conversation not found");
