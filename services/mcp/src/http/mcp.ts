import { AnyJson } from "@tripline/contract/json";
import { type Route, route } from "@tripline/web/route";
import * as z from "zod";
import { resolveOrigin } from "../addresses.ts";
import type { McpCaller } from "../callers.ts";
import type { Protocol } from "../protocol/protocol.ts";
import type { McpSettings } from "../settings.ts";

const Message = z.record(z.string(), AnyJson).meta({ description: "A JSON-RPC request or notification" });
const Messages = z
	.string()
	.meta({ description: "JSON-RPC messages as server-sent events; the response comes last" });

/** The MCP endpoint. The credential is checked first, whatever the method. */
export const mcpRoutes = (parts: {
	readonly protocol: Protocol;
	readonly settings: McpSettings;
}): Route<McpCaller>[] => [
	route({
		method: "ANY",
		path: "/mcp",
		tag: "MCP",
		summary: "The Model Context Protocol, revisions 2026-07-28 and 2025-11-25, without sessions",
		accepts: { "application/json": Message },
		responses: {
			200: {
				description: "A JSON-RPC response, or an event stream that ends with it",
				body: AnyJson,
				content: { "text/event-stream": Messages },
			},
			202: { description: "The notification was accepted" },
			401: { description: "No valid credential; WWW-Authenticate points to the metadata for logging in" },
			405: { description: "Only POST is supported: there are no sessions to GET or DELETE" },
		},
		handle: ({ caller, request, requestId }) =>
			parts.protocol.handle(request, caller, resolveOrigin(parts.settings, request), requestId),
	}),
];
