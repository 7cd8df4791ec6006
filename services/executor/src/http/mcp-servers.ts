import { DeletedAnswer } from "@tripline/contract/entries";
import { notFound } from "@tripline/contract/failures";
import {
	AcceptMcpTools,
	McpServer,
	McpServerList,
	McpServerName,
	type McpServerWithName,
	McpToolChanges,
	toMcpComponentId,
	WriteMcpServer,
} from "@tripline/contract/mcp-servers";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { Caller } from "../domain/callers.ts";
import type { McpServers } from "../mcp-servers/servers.ts";

const tag = "MCP servers";
const NewName = z.object({ name: McpServerName });
/** What cannot be a name is one that is not found. */
const Name = z.object({ name: z.string() });
const UNREACHABLE = {
	description: "The server cannot be reached, or does not answer as the protocol demands",
};

export function mcpServerRoutes({ mcpServers }: { readonly mcpServers: McpServers }): Route<Caller>[] {
	return [
		route({
			method: "GET",
			path: "/mcp-servers",
			tag,
			summary: "List the tenant's MCP servers",
			responses: { 200: { description: "By name", body: McpServerList } },
			async handle({ caller }) {
				const servers = await mcpServers.list(caller.namespace);
				return reply(200, { mcp_servers: servers.map(toSummary) });
			},
		}),
		route({
			method: "GET",
			path: "/mcp-servers/{name}",
			tag,
			summary: "Get an MCP server with its accepted tools",
			params: Name,
			responses: { 200: { description: "The server", body: McpServer } },
			async handle({ caller, params: { name } }) {
				return reply(200, toDetail(await mcpServers.get(caller.namespace, name)));
			},
		}),
		route({
			method: "PUT",
			path: "/mcp-servers/{name}",
			tag,
			summary: "Add an MCP server with all its tools, or change its credential",
			description:
				"Contacts the server and lists its tools. Each becomes a component, `mcp:<name>.<tool>`, as it is now: a later change is used only once it is accepted. If the server is there already, with the same address, its tools stay as they were accepted.",
			params: NewName,
			body: WriteMcpServer,
			responses: {
				200: { description: "Replaced", body: McpServer },
				201: { description: "Added", body: McpServer },
				502: UNREACHABLE,
			},
			async handle({ caller, params: { name }, body }) {
				const { server, created } = await mcpServers.put(caller.namespace, name, body);
				return reply(created ? 201 : 200, toDetail(server));
			},
		}),
		route({
			method: "DELETE",
			path: "/mcp-servers/{name}",
			tag,
			summary: "Remove an MCP server",
			description: "Workflows that use its tools fail from then on.",
			params: Name,
			responses: { 200: { description: "Removed", body: DeletedAnswer } },
			async handle({ caller, params: { name } }) {
				if (!(await mcpServers.delete(caller.namespace, name))) throw notFound("MCP server not found");
				return reply(200, { deleted: true });
			},
		}),
		route({
			method: "POST",
			path: "/mcp-servers/{name}/refresh",
			tag,
			summary: "Show how an MCP server's tools have changed",
			description: "Lists the tools again and compares them with the accepted ones. Nothing new is used.",
			params: Name,
			responses: { 200: { description: "The difference", body: McpToolChanges }, 502: UNREACHABLE },
			async handle({ caller, params: { name } }) {
				return reply(200, await mcpServers.refresh(caller.namespace, name));
			},
		}),
		route({
			method: "POST",
			path: "/mcp-servers/{name}/accept",
			tag,
			summary: "Accept an MCP server's tools as a refresh has shown them",
			description: "The hash is that of the refresh. If the tools have changed since, nothing is accepted.",
			params: Name,
			body: AcceptMcpTools,
			responses: {
				200: { description: "Accepted", body: McpServer },
				409: { description: "The tools have changed since the refresh" },
				502: UNREACHABLE,
			},
			async handle({ caller, params: { name }, body: { hash } }) {
				return reply(200, toDetail(await mcpServers.accept(caller.namespace, name, hash)));
			},
		}),
	];
}

function toSummary({ instructions: _, tools, skipped: __, ...described }: McpServerWithName) {
	const components = tools.map((tool) => toMcpComponentId(described.name, tool.name));
	return { ...described, components, error: described.error ?? null };
}

const toDetail = (server: McpServerWithName) => ({
	...server,
	tools: server.tools.map((tool) => ({ ...tool, component: toMcpComponentId(server.name, tool.name) })),
	skipped: [...server.skipped],
	error: server.error ?? null,
});
