import { GuiConnect, GuiVerifyReport } from "@tripline/contract/gui";
import { type Route, reply, route } from "@tripline/web/route";
import { resolveOrigin, toResource } from "../../addresses.ts";
import type { McpCaller } from "../../callers.ts";
import { clientInstructions } from "../../connect/clients.ts";
import { type GuiCall, type GuiParts, TAG as tag } from "./parts.ts";

export const connectRoutes = ({ settings, verify }: GuiParts): Route<McpCaller>[] => [
	route({
		method: "GET",
		path: "/gui/connect",
		tag,
		summary: "How to connect an assistant",
		responses: { 200: { description: "The URL, and instructions for each client", body: GuiConnect } },
		handle({ request }: GuiCall) {
			// The public address, even if this request came by a loopback name.
			const origin = settings.publicUrl ?? resolveOrigin(settings, request);
			const mcp_url = toResource(origin);
			const { redirectHosts } = settings;
			return reply(200, {
				mcp_url,
				clients: clientInstructions({ mcpUrl: mcp_url, origin, redirectHosts }),
			});
		},
	}),

	route({
		method: "POST",
		path: "/gui/connect/verify",
		tag,
		summary: "Check the connection as a client would",
		description: "Changes nothing. Reports what is wrong and how to fix it.",
		responses: { 200: { description: "The result of each check", body: GuiVerifyReport } },
		async handle({ request }: GuiCall) {
			return reply(200, await verify(request));
		},
	}),
];
