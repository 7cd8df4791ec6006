import type { Command } from "../command.ts";
import { signInFlags } from "../credentials/sign-in-flags.ts";
import { planFlags } from "../plan.ts";

const name = { name: "name", about: "the MCP server" } as const;
const clientFlags = [
	{
		name: "client-id",
		value: "id",
		about: "a client that you registered, if the server registers none; its secret is asked for",
	},
	{ name: "scope", value: "scopes", about: "rights to ask for in addition, separated by spaces" },
	...signInFlags,
] as const;

export const mcpAddCommand: Command = {
	name: "mcp add",
	about: "add an MCP server, whose tools become components",
	positionals: [
		{ name: "name", about: "lowercase letters, digits, _ and -; part of its components' names" },
		{ name: "url", about: "its address, of streamable HTTP" },
	],
	flags: [
		{ name: "credential", value: "name", about: "a stored credential that authorizes every request" },
		{ name: "token", about: "store a bearer token: asked for, or read from standard input" },
		{ name: "sign-in", about: "sign in as a person, in a browser" },
		...clientFlags,
	],
	examples: [
		{ line: "tripline mcp add docs https://docs.example.com/mcp", about: "a server that anyone may use" },
		{ line: "tripline mcp add crm https://crm.example.com/mcp --sign-in", about: "prints a link, and waits" },
		{
			line: "tripline mcp add crm https://crm.example.com/mcp --token < token.txt",
			about: "stores the token as the credential mcp_crm_token",
		},
	],
	details: `Its tools are listed once and pinned: what the server changes later is used after tripline mcp accept.
A tool is the component mcp:<name>.<tool>.`,
	load: () => import("../mcp-servers/add.ts"),
};

export const mcpListCommand: Command = {
	name: "mcp list",
	about: "list the MCP servers, and which of them have changed",
	positionals: [],
	flags: [],
	examples: [{ line: "tripline mcp list", about: "each with its address, credential and number of tools" }],
	load: async () => ({ run: (await import("../mcp-servers/servers.ts")).list }),
};

export const mcpShowCommand: Command = {
	name: "mcp show",
	about: "show an MCP server's tools with their parameters",
	positionals: [name],
	flags: [],
	examples: [
		{ line: "tripline mcp show crm", about: "the tools as they were accepted" },
		{ line: "tripline mcp show crm --json | jq -r '.tools[].component'", about: "the components' names" },
	],
	load: async () => ({ run: (await import("../mcp-servers/servers.ts")).show }),
};

export const mcpRefreshCommand: Command = {
	name: "mcp refresh",
	about: "show how an MCP server's tools differ from the accepted ones",
	positionals: [name],
	flags: [],
	examples: [{ line: "tripline mcp refresh crm", about: "lists them again; changes nothing that runs" }],
	load: async () => ({ run: (await import("../mcp-servers/servers.ts")).refresh }),
};

export const mcpAcceptCommand: Command = {
	name: "mcp accept",
	about: "use an MCP server's tools as they are now",
	positionals: [name],
	flags: planFlags,
	examples: [{ line: "tripline mcp accept crm", about: "shows what has changed, and asks" }],
	load: async () => ({ run: (await import("../mcp-servers/servers.ts")).accept }),
};

export const mcpRemoveCommand: Command = {
	name: "mcp remove",
	about: "remove an MCP server and its sign-in",
	positionals: [name],
	flags: planFlags,
	examples: [{ line: "tripline mcp remove crm", about: "asks before it removes" }],
	load: async () => ({ run: (await import("../mcp-servers/servers.ts")).remove }),
};

export const mcpSignInCommand: Command = {
	name: "mcp sign-in",
	about: "sign in at an MCP server as a person, in a browser",
	positionals: [
		{ name: "name", about: "the MCP server" },
		{ name: "url", about: "its address, to add it", isOptional: true },
	],
	flags: clientFlags,
	examples: [
		{ line: "tripline mcp sign-in crm", about: "again, after its sign-in has ended" },
		{ line: "tripline mcp sign-in crm --scope files:write", about: "for more rights" },
		{ line: "tripline mcp sign-in crm --client-id 4711", about: "as a client that you registered there" },
	],
	details: `The server says where to sign in. The service registers there by itself, or shows who it is with a document,
if the authorization server supports one of the two.

The link can be used once, within 10 minutes, in any browser.`,
	load: () => import("../mcp-servers/sign-in.ts"),
};
