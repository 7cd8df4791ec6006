import { GuiSearchRequest } from "@tripline/contract/gui";
import { Suggestions } from "@tripline/contract/search";
import { type Route, reply, route } from "@tripline/web/route";
import type { McpCaller } from "../../callers.ts";
import { type GuiParts, TAG as tag } from "./parts.ts";

export const searchRoutes = ({ store }: GuiParts): Route<McpCaller>[] => [
	route({
		method: "POST",
		path: "/gui/search",
		tag,
		summary: "Search entries by words and by meaning",
		description: 'The last word may be incomplete. To search workflows, set entry_types to ["workflow"].',
		body: GuiSearchRequest,
		responses: { 200: { description: "Best match first", body: Suggestions } },
		async handle({ caller, body }) {
			return reply(200, { suggestions: await store.search({ ...body, owner_id: caller.namespace }) });
		},
	}),
];
