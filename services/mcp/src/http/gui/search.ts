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
		summary: "Find entries by their words and their meaning",
		description: 'The last word may be a beginning. Workflows are found with entry_types ["workflow"].',
		body: GuiSearchRequest,
		responses: { 200: { description: "The best first", body: Suggestions } },
		async handle({ caller, body }) {
			return reply(200, { suggestions: await store.search({ ...body, owner_id: caller.namespace }) });
		},
	}),
];
