import { GuiSession } from "@tripline/contract/gui";
import { type Route, reply, route } from "@tripline/web/route";
import { resolveOrigin, toResource } from "../../addresses.ts";
import type { McpCaller } from "../../callers.ts";
import { type GuiCall, type GuiParts, TAG as tag } from "./parts.ts";

export const sessionRoutes = ({ settings, version, tokens }: GuiParts): Route<McpCaller>[] => [
	route({
		method: "GET",
		path: "/gui/session",
		tag,
		summary: "The current session",
		responses: { 200: { description: "The session", body: GuiSession } },
		handle({ caller: { namespace, by }, request }: GuiCall) {
			return reply(200, {
				namespace,
				by,
				version,
				mode: settings.multiTenant ? "multi-tenant" : "self-hosted",
				oauth: tokens !== null && settings.ownerSecret !== undefined,
				mcp_url: toResource(resolveOrigin(settings, request)),
			});
		},
	}),
];
