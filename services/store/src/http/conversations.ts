import {
	AppendedTurn,
	AppendTurn,
	buildConversationUri,
	ConversationFacts,
	ConversationPage,
	DeletedConversation,
	OwnedConversation,
	OwnedConversationQuery,
	OwnedFactQuery,
} from "@tripline/contract/conversations";
import { notFound } from "@tripline/contract/failures";
import { uuidv7 } from "@tripline/contract/ids";
import { encodeCursor } from "@tripline/contract/paging";
import { toIsoTime, unixSeconds } from "@tripline/platform/clock";
import { type Route, reply, route } from "@tripline/web/route";
import { assertInternal, type Caller } from "../domain/callers.ts";
import type { StoreParts } from "./deps.ts";

const tag = "Conversations";

/** The turns themselves are entries of the type `agent_turn`. */
export function conversationRoutes({ conversations, clock }: StoreParts): Route<Caller>[] {
	return [
		route({
			method: "POST",
			path: "/conversations/turns",
			tag,
			summary: "Append a turn to a conversation with an agent",
			description:
				"Internal callers only. Creates the conversation with its first turn. A turn whose id is there already is not written again; concurrent calls lose nothing. The oldest turns beyond the limit are deleted.",
			body: AppendTurn,
			responses: { 200: { description: "The turn is kept", body: AppendedTurn } },
			async handle({ caller, body }) {
				assertInternal(caller);
				const turn = { ...body, entryId: uuidv7(clock.now()), now: unixSeconds(clock) };
				return reply(200, { appended: await conversations.append(turn) });
			},
		}),
		route({
			method: "GET",
			path: "/conversations",
			tag,
			summary: "List the conversations of an owner, the latest started first",
			description: "Internal callers only.",
			query: OwnedConversationQuery,
			responses: { 200: { description: "A page", body: ConversationPage } },
			async handle({ caller, query: { owner_id, limit, cursor } }) {
				assertInternal(caller);
				const page = await conversations.list(owner_id, { limit, after: cursor });
				return reply(200, {
					conversations: [...page.items],
					next_cursor: page.next && encodeCursor(page.next),
				});
			},
		}),
		route({
			method: "GET",
			path: "/conversations/facts",
			tag,
			summary: "List the facts that a conversation has led to, the latest first",
			description: "Internal callers only. Also those of a conversation that was deleted.",
			query: OwnedFactQuery,
			responses: { 200: { description: "A page", body: ConversationFacts } },
			async handle({ caller, query: { limit, cursor, ...name } }) {
				assertInternal(caller);
				const page = await conversations.listFacts(name, { limit, after: cursor });
				return reply(200, {
					source: buildConversationUri(name),
					facts: page.items.map(({ id, subject, predicate, object, block_id, created_at }) => ({
						...{ id, subject, predicate, object, execution_id: block_id },
						at: toIsoTime(created_at * 1000),
					})),
					next_cursor: page.next && encodeCursor(page.next),
				});
			},
		}),
		route({
			method: "DELETE",
			path: "/conversations",
			tag,
			summary: "Delete a conversation",
			description: "Internal callers only. Deletes its turns and its summary, but no facts.",
			query: OwnedConversation,
			responses: { 200: { description: "Deleted", body: DeletedConversation } },
			async handle({ caller, query }) {
				assertInternal(caller);
				const deleted = await conversations.delete(query);
				if (deleted === null) throw notFound("conversation not found");
				const facts = { source: buildConversationUri(query), count: deleted.facts };
				return reply(200, { deleted: true, turns: deleted.turns, facts });
			},
		}),
	];
}
