import { GuiConnect, GuiVerifyReport } from "@tripline/contract/gui";
import { type Route, reply, route } from "@tripline/web/route";
import { originOf, resourceOf } from "../../addresses.ts";
import type { McpCaller } from "../../callers.ts";
import { clientInstructions } from "../../connect/clients.ts";
import { type GuiCall, type GuiParts, TAG as tag } from "./parts.ts";

export const connectRoutes = ({ settings, verify }: GuiParts): Route<McpCaller>[] => [
	route({
		method: "GET",
		path: "/gui/connect",
		tag,
		summary: "How to connect an assistant",
		responses: { 200: { description: "The address, and instructions for each client", body: GuiConnect } },
		handle({ request }: GuiCall) {
			// Where others reach it, even if the one who asks came by a loopback name.
			const origin = settings.publicUrl ?? originOf(settings, request);
			const mcp_url = resourceOf(origin);
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
		summary: "Try to connect as a client does",
		description: "It changes nothing, and says in plain words what is wrong and how to mend it.",
		responses: { 200: { description: "What works, and what does not", body: GuiVerifyReport } },
		async handle({ request }: GuiCall) {
			return reply(200, await verify(request));
		},
	}),
];
