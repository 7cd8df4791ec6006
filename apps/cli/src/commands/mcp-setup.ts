import type { Command } from "../command.ts";

export const mcpSetupCommand: Command = {
	name: "mcp-setup",
	about: "connect assistants: write the project's .mcp.json",
	positionals: [],
	flags: [
		{ name: "verify", about: "then connect as a client would, and report what is wrong" },
		{
			name: "static-token-env",
			value: "name",
			about: "clients send the token in this environment variable instead of logging in",
		},
	],
	examples: [
		{ line: "tripline mcp-setup", about: "writes .mcp.json for the configured mcp_url" },
		{ line: "tripline mcp-setup --verify", about: "and checks that a client can connect" },
		{
			line: "tripline mcp-setup --static-token-env MCP_STATIC_TOKEN",
			about: "for clients on this machine that cannot log in",
		},
	],
	details: `.mcp.json is in the project's folder (see tripline config --help). Other servers in it are kept.
The address is <mcp_url>/mcp: tripline config get mcp_url --where
--verify tests the protocol with the token in MCP_STATIC_TOKEN (environment or .env), if there is one.
It exits with 1 if something is wrong, and changes nothing on the server.`,
	load: () => import("../mcp-setup/setup.ts"),
};
