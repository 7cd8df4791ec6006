import type { TenantExecutor } from "@tripline/executor/client";
import { CliProblem } from "../command.ts";
import { findNearest } from "../nearest.ts";

export type McpServer = NonNullable<Awaited<ReturnType<TenantExecutor["mcpServers"]["get"]>>>;

export async function findServer(executor: TenantExecutor, name: string): Promise<McpServer> {
	const server = await executor.mcpServers.get(name);
	if (server === null) throw await createUnknownServer(executor, name);
	return server;
}

export async function createUnknownServer(executor: TenantExecutor, name: string): Promise<CliProblem> {
	const { mcp_servers: servers } = await executor.mcpServers.list();
	const near = findNearest(
		name,
		servers.map((server) => server.name),
	);
	return new CliProblem(`there is no MCP server ${JSON.stringify(name)}`, {
		hint: near === null ? "tripline mcp list shows them" : `did you mean: ${near}`,
	});
}
