import type { Json } from "@tripline/contract/json";
import { McpServerName } from "@tripline/contract/mcp-servers";
import type { TenantExecutor } from "@tripline/executor/client";
import { ServiceRefused } from "@tripline/web/service-call";
import * as z from "zod";
import { buildWithin, fit, shorten } from "./budget.ts";
import { defineTool } from "./define-tool.ts";
import { next } from "./fields.ts";
import { createNotFound } from "./not-found.ts";
import { type ToolContext, ToolProblem } from "./tool.ts";

type Servers = TenantExecutor["mcpServers"];
type Server = NonNullable<Awaited<ReturnType<Servers["get"]>>>;
type Changes = NonNullable<Awaited<ReturnType<Servers["refresh"]>>>;

const MAX_CHARS = 20_000;
const MIN_ROOM = 700;

/** Accepting what a server has changed is for people: they pin what an assistant may use. */
export const manageMcpServers = defineTool({
	name: "manage_mcp_servers",
	title: "Manage MCP servers",
	description:
		"Adds an MCP server by url: its tools become components mcp:<name>.<tool>. Else shows one with its changes, or all.",
	hints: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
	input: z.strictObject({
		name: McpServerName.optional().meta({ description: "The server" }),
		url: z.string().min(1).max(2_000).optional().meta({ description: "Its address" }),
		credential: z.string().min(1).max(128).optional().meta({ description: "A stored one" }),
		sign_in: z.boolean().optional().meta({ description: "Get a link for the user" }),
	}),
	output: z.looseObject({ next }),
	async call({ name, url, credential, sign_in }, context) {
		const { mcpServers } = context.executor;
		if (name === undefined) return { structured: await listServers(mcpServers) };
		const server = await mcpServers.get(name);
		if (server === null && url === undefined) throw await createUnknown(name, mcpServers);
		if (server !== null && url !== undefined && server.url !== URL.parse(url)?.href)
			throw new ToolProblem(
				`The MCP server ${name} has another address, ${shorten(server.url, 200)}. Use another name, or ask the user to remove it in the console or with: tripline mcp remove ${name}`,
			);
		if (sign_in === true) return { structured: await createLink(mcpServers, name, url, context) };
		if (server !== null && (url === undefined || credential === undefined))
			return { structured: await showServer(mcpServers, server, context) };
		const added = await add(mcpServers, name, url as string, credential, context);
		return { structured: describe(added, null, "get_component describes each component.") };
	},
});

async function listServers(servers: Servers) {
	const { mcp_servers } = await servers.list();
	const listed = mcp_servers.map(({ name, url, title, components, offered }) => ({
		...{ name, url: shorten(url, 200), title, components, has_changed: offered !== null },
	}));
	const { value, truncated } = fit(listed as unknown as Json, MAX_CHARS);
	return { servers: value, truncated, next: "With name it shows one of them with its tools." };
}

async function createLink(servers: Servers, name: string, url: string | undefined, { signal }: ToolContext) {
	const link = await servers.signIn(name, url === undefined ? {} : { url }, { signal });
	if (link === null) throw await createUnknown(name, servers);
	return {
		...{ url: link.url, expires_at: link.expires_at },
		next: "Give the link to the user, do not open it: it works once, for 10 minutes. After the sign-in the server is added, or works again.",
	};
}

/** With what has changed since the user accepted its tools. */
async function showServer(servers: Servers, server: Server, { signal }: ToolContext) {
	try {
		const changes = await servers.refresh(server.name, { signal });
		const hasChanged =
			changes !== null && changes.added.length + changes.removed.length + changes.changed.length;
		return hasChanged
			? describe(
					server,
					changes,
					`Tell the user what has changed. It is used once they accept it in the console or with: tripline mcp accept ${server.name}`,
				)
			: describe(server, null, "get_component describes each component.");
	} catch (error) {
		if (!(error instanceof ServiceRefused)) throw error;
		const problem = explain(error);
		return describe(server, null, `The server could not be asked for changes: ${problem} ${HOW_TO_SIGN_IN}`);
	}
}

async function add(
	servers: Servers,
	name: string,
	url: string,
	credential: string | undefined,
	{ signal }: ToolContext,
): Promise<Server> {
	try {
		return await servers.put(name, { url, ...(credential !== undefined && { credential }) }, { signal });
	} catch (error) {
		const isOfCredential =
			error instanceof ServiceRefused && error.issues.some(({ path }) => path === "credential");
		throw isOfCredential ? new ToolProblem(`${explain(error)} ${HOW_TO_SIGN_IN}`) : error;
	}
}

const HOW_TO_SIGN_IN =
	"If it wants a sign-in, call this again with sign_in: true; if it wants a token, the user adds a bearer_token credential.";

function explain({ message, issues }: ServiceRefused): string {
	const said = issues.map((issue) => `${issue.path} ${issue.message}`.trim()).join("; ");
	return `${shorten(said === "" ? message : said, 500)}.`;
}

function describe(server: Server, changes: Changes | null, next: string) {
	const { name, url, title, credential, tools, skipped } = server;
	return buildWithin(MAX_CHARS, (room) => {
		const parts = {
			tools: tools.map(({ component, description, input_schema }) => ({
				...{ component, description, parameters: input_schema },
			})),
			...(changes !== null && { changes }),
			skipped,
		};
		const { value, truncated } = fit(parts as unknown as Json, Math.max(room, MIN_ROOM));
		return { name, url, title, credential, ...(value as object), truncated, next };
	});
}

async function createUnknown(name: string, servers: Servers): Promise<ToolProblem> {
	const { mcp_servers } = await servers.list();
	const names = mcp_servers.map((server) => server.name);
	return createNotFound("MCP server", name, names, "With url it is added.");
}
