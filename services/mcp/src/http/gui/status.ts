import { GuiStatus } from "@tripline/contract/status";
import { type Route, reply, route } from "@tripline/web/route";
import type { McpCaller } from "../../callers.ts";
import { type GuiCall, type GuiParts, getExecutor, TAG as tag } from "./parts.ts";

export const statusRoutes = (parts: GuiParts): Route<McpCaller>[] => [
	route({
		method: "GET",
		path: "/gui/status",
		tag,
		summary: "What needs attention",
		description: "In multi-tenant mode partners see only what concerns their own workflows.",
		responses: { 200: { description: "Notices; none if all is well", body: GuiStatus } },
		async handle(call: GuiCall) {
			const { settings } = parts;
			const isOwner = !settings.multiTenant || call.caller.by === "oauth" || call.caller.by === "static";
			const { attention } = await getExecutor(parts, call).status();
			return reply(200, {
				attention: isOwner ? attention : attention.filter(({ code }) => code === "trigger"),
				address: isOwner ? (settings.publicUrl ?? null) : null,
			});
		},
	}),
];
