import {
	ConversationFacts,
	ConversationName,
	ConversationPage,
	ConversationQuery,
	DeletedConversation,
	TurnPage,
	TurnQuery,
} from "@tripline/contract/conversations";
import { encodeCursor, type Place } from "@tripline/contract/paging";
import { type Route, reply, route } from "@tripline/web/route";
import type { McpCaller } from "../../callers.ts";
import { type GuiParts, getExecutor, requireFound, TAG as tag } from "./parts.ts";

const CONVERSATION = "conversation";

/** A key may be any text, so it is not part of the path. */
export const conversationRoutes = (parts: GuiParts): Route<McpCaller>[] => [
	route({
		method: "GET",
		path: "/gui/conversations",
		tag,
		summary: "Conversations that agents remember, the latest started first",
		query: ConversationQuery,
		responses: { 200: { description: "A page", body: ConversationPage } },
		async handle(call) {
			return reply(200, await getExecutor(parts, call).conversations.list(toPage(call.query)));
		},
	}),

	route({
		method: "GET",
		path: "/gui/conversations/turns",
		tag,
		summary: "A conversation: its summary, and its turns, the latest first",
		query: TurnQuery,
		responses: { 200: { description: "A page", body: TurnPage } },
		async handle(call) {
			const { workflow, key, ...page } = call.query;
			const { conversations } = getExecutor(parts, call);
			return reply(
				200,
				requireFound(await conversations.read({ workflow, key }, toPage(page)), CONVERSATION),
			);
		},
	}),

	route({
		method: "GET",
		path: "/gui/conversations/facts",
		tag,
		summary: "Facts that a conversation has led to, the latest first",
		query: TurnQuery,
		responses: { 200: { description: "A page", body: ConversationFacts } },
		async handle(call) {
			const { workflow, key, ...page } = call.query;
			return reply(200, await getExecutor(parts, call).conversations.facts({ workflow, key }, toPage(page)));
		},
	}),

	route({
		method: "DELETE",
		path: "/gui/conversations",
		tag,
		summary: "Delete a conversation",
		description: "Deletes its turns and its summary. Facts that it has led to stay.",
		query: ConversationName,
		responses: { 200: { description: "Deleted", body: DeletedConversation } },
		async handle(call) {
			const deleted = await getExecutor(parts, call).conversations.delete(call.query);
			return reply(200, requireFound(deleted, CONVERSATION));
		},
	}),
];

const toPage = ({ limit, cursor }: { readonly limit: number; readonly cursor?: Place | undefined }) => ({
	limit,
	cursor: cursor && encodeCursor(cursor),
});
