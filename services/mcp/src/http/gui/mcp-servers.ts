import { SignInLink } from "@tripline/contract/credentials";
import { DeletedAnswer } from "@tripline/contract/entries";
import {
	AcceptMcpTools,
	McpServer,
	McpServerList,
	McpServerName,
	McpToolChanges,
	WriteMcpServer,
} from "@tripline/contract/mcp-servers";
import { McpSignIn } from "@tripline/contract/mcp-sign-in";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { McpCaller } from "../../callers.ts";
import {
	createNotFound,
	type GuiCall,
	type GuiParts,
	getExecutor,
	requireFound,
	TAG as tag,
} from "./parts.ts";

const SERVER = "MCP server";
const Name = z.object({ name: McpServerName });

export const mcpServerRoutes = (parts: GuiParts): Route<McpCaller>[] => [
	route({
		method: "GET",
		path: "/gui/mcp-servers",
		tag,
		summary: "The MCP servers, and which of them have changed",
		responses: { 200: { description: "By name", body: McpServerList } },
		async handle(call: GuiCall) {
			return reply(200, await getExecutor(parts, call).mcpServers.list());
		},
	}),

	route({
		method: "GET",
		path: "/gui/mcp-servers/{name}",
		tag,
		summary: "An MCP server with its accepted tools",
		params: Name,
		responses: { 200: { description: "The server", body: McpServer } },
		async handle(call) {
			return reply(
				200,
				requireFound(await getExecutor(parts, call).mcpServers.get(call.params.name), SERVER),
			);
		},
	}),

	route({
		method: "PUT",
		path: "/gui/mcp-servers/{name}",
		tag,
		summary: "Add an MCP server with all its tools, or change its credential",
		params: Name,
		body: WriteMcpServer,
		responses: { 200: { description: "Added", body: McpServer } },
		async handle(call) {
			return reply(200, await getExecutor(parts, call).mcpServers.put(call.params.name, call.body));
		},
	}),

	route({
		method: "DELETE",
		path: "/gui/mcp-servers/{name}",
		tag,
		summary: "Remove an MCP server and its sign-in",
		params: Name,
		responses: { 200: { description: "Removed", body: DeletedAnswer } },
		async handle(call) {
			if (!(await getExecutor(parts, call).mcpServers.delete(call.params.name))) throw createNotFound(SERVER);
			return reply(200, { deleted: true });
		},
	}),

	route({
		method: "POST",
		path: "/gui/mcp-servers/{name}/refresh",
		tag,
		summary: "Show how an MCP server's tools have changed",
		params: Name,
		responses: { 200: { description: "The difference", body: McpToolChanges } },
		async handle(call) {
			const { mcpServers } = getExecutor(parts, call);
			return reply(200, requireFound(await mcpServers.refresh(call.params.name), SERVER));
		},
	}),

	route({
		method: "POST",
		path: "/gui/mcp-servers/{name}/accept",
		tag,
		summary: "Accept an MCP server's tools as a refresh has shown them",
		params: Name,
		body: AcceptMcpTools,
		responses: { 200: { description: "Accepted", body: McpServer } },
		async handle(call) {
			const { mcpServers } = getExecutor(parts, call);
			return reply(200, requireFound(await mcpServers.accept(call.params.name, call.body.hash), SERVER));
		},
	}),

	route({
		method: "POST",
		path: "/gui/mcp-servers/{name}/sign-in",
		tag,
		summary: "Get a link with which the owner signs in at an MCP server",
		params: Name,
		body: McpSignIn.optional(),
		responses: { 201: { description: "The link", body: SignInLink } },
		async handle(call) {
			const { mcpServers } = getExecutor(parts, call);
			return reply(201, requireFound(await mcpServers.signIn(call.params.name, call.body), SERVER));
		},
	}),
];
