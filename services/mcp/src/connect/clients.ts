import { isLoopbackHost } from "../addresses.ts";
import { isOnList } from "../oauth/redirect-uri.ts";
import { KNOWN_CLIENTS, type KnownClient } from "./known-clients.ts";
import {
	claudeCodeCommand,
	desktopFile,
	editorFile,
	projectFile,
	remoteCommand,
	type Snippet,
} from "./snippets.ts";

export interface ClientInstruction {
	readonly id: string;
	readonly title: string;
	readonly needs_public_url: boolean;
	/** Hosts that MCP_ALLOWED_REDIRECT_HOSTS must include. */
	readonly redirect_hosts: readonly string[];
	/** Those of them that it does not include. */
	readonly redirect_hosts_missing: readonly string[];
	readonly steps: readonly string[];
	readonly snippet: Snippet | null;
	/** Uses MCP_STATIC_TOKEN instead of the login; null: the client cannot send a header. */
	readonly token_snippet: Snippet | null;
	readonly note: string | null;
}

interface Server {
	/** The URL of the MCP endpoint. */
	readonly mcpUrl: string;
	readonly origin: string;
	/** The allowed hosts. */
	readonly redirectHosts: readonly string[];
}

type Guide = Pick<ClientInstruction, "steps" | "snippet" | "token_snippet" | "note">;

/** How to connect each known client to this server. Missing settings come as the first steps. */
export const clientInstructions = (server: Server): ClientInstruction[] => [
	buildInstruction(KNOWN_CLIENTS.claude, claude(server), server),
	buildInstruction(KNOWN_CLIENTS.claudeDesktop, claudeDesktop(server), server),
	buildInstruction(KNOWN_CLIENTS.claudeCode, claudeCode(server), server),
	buildInstruction(KNOWN_CLIENTS.cursor, cursor(server), server),
	buildInstruction(KNOWN_CLIENTS.vsCode, vsCode(server), server),
	buildInstruction(KNOWN_CLIENTS.chatGpt, chatGpt(server), server),
	buildInstruction(KNOWN_CLIENTS.mcpRemote, mcpRemote(server), server),
];

function buildInstruction(client: KnownClient, guide: Guide, server: Server): ClientInstruction {
	const { id, title, callsFromVendor, redirectHosts } = client;
	const missing = redirectHosts.filter((host) => !isOnList(host, server.redirectHosts));
	return {
		id,
		title,
		needs_public_url: callsFromVendor,
		redirect_hosts: redirectHosts,
		redirect_hosts_missing: missing,
		...guide,
		steps: [
			...(callsFromVendor ? listAddressSteps(server) : []),
			...(missing.length > 0 ? [describeAllowHosts(missing)] : []),
			...guide.steps,
		],
	};
}

function listAddressSteps(server: Server): string[] {
	if (isPublic(server)) return [];
	const { hostname } = new URL(server.origin);
	return [
		`Give Tripline a public https address with a tunnel or a reverse proxy, set MCP_URL to it and restart: ${explainAddress(hostname)}.`,
	];
}

const explainAddress = (hostname: string): string =>
	isLoopbackHost(hostname)
		? `${hostname} can be reached only from this machine, and this client calls from its vendor's servers`
		: "this client does not accept plain http";

function isPublic({ origin }: Server): boolean {
	const { protocol, hostname } = new URL(origin);
	return protocol === "https:" && !isLoopbackHost(hostname);
}

/** The server under a placeholder address, for clients that need a public address it does not have yet. */
const toPublicServer = (server: Server): Server =>
	isPublic(server) ? server : { ...server, origin: PUBLIC_PLACEHOLDER, mcpUrl: `${PUBLIC_PLACEHOLDER}/mcp` };

const PUBLIC_PLACEHOLDER = "https://<your public address>";

/** A plus sign adds to the default hosts. */
export const describeAllowHosts = (hosts: readonly string[]): string =>
	`Set MCP_ALLOWED_REDIRECT_HOSTS=${hosts.map((host) => `+${host}`).join(",")} (if it is already set, append it after a comma) and restart.`;

const describeLogin = ({ origin }: Server): string =>
	`Your browser opens ${origin}/authorize: enter the owner secret and choose Allow access.`;

const claude = (server: Server): Guide => ({
	steps: [
		"On claude.ai open Customize > Connectors, choose + and then Add custom connector.",
		`Enter the name Tripline and the address ${toPublicServer(server).mcpUrl}. Leave the advanced settings empty. Choose Add.`,
		"Choose Connect next to the new connector.",
		describeLogin(toPublicServer(server)),
	],
	snippet: null,
	token_snippet: null,
	note: "On Team and Enterprise plans an owner must first add the connector for the organization. The mobile apps use the connectors added on the web.",
});

const claudeDesktop = (server: Server): Guide => ({
	steps: [
		"In Claude Desktop open Customize > Connectors, choose + and then Add custom connector.",
		`Enter the name Tripline and the address ${toPublicServer(server).mcpUrl}. Choose Add, then Connect.`,
		describeLogin(toPublicServer(server)),
	],
	snippet: desktopFile(server.mcpUrl),
	token_snippet: desktopFile(server.mcpUrl, true),
	note: "Connectors of Claude Desktop also call from the vendor's servers. Without a public address, put the snippet into claude_desktop_config.json (Settings > Developer > Edit Config) and restart Claude Desktop: mcp-remote then connects from this machine. It needs Node.js.",
});

const claudeCode = (server: Server): Guide => ({
	steps: [
		"Run the command in a terminal.",
		"Start claude, enter /mcp, choose tripline and then Authenticate.",
		describeLogin(server),
	],
	snippet: claudeCodeCommand(server.mcpUrl),
	token_snippet: projectFile(server.mcpUrl),
	note: "To use it in all your projects, add --scope user to the command. The snippet with a token is a project's .mcp.json file; the token stays in the environment variable TRIPLINE_TOKEN.",
});

const cursor = (server: Server): Guide => ({
	steps: [
		"Put the snippet into ~/.cursor/mcp.json, or into .cursor/mcp.json of a project.",
		"Open the MCP servers in Cursor's settings and choose Connect or Needs login next to tripline.",
		describeLogin(server),
	],
	snippet: editorFile("mcpServers", { url: server.mcpUrl }),
	token_snippet: editorFile("mcpServers", {
		url: server.mcpUrl,
		// biome-ignore lint/suspicious/noTemplateCurlyInString: Cursor replaces it.
		headers: { Authorization: "Bearer ${env:TRIPLINE_TOKEN}" },
	}),
	note: "Older versions use a redirect URI that starts with cursor://, which is not allowed: update Cursor, or use mcp-remote. Cloud agents need a public address and +cursor.com in MCP_ALLOWED_REDIRECT_HOSTS. Some versions prefer the login over a header.",
});

const vsCode = (server: Server): Guide => ({
	steps: [
		"Run MCP: Add Server from the command palette, choose HTTP, enter the address and the name tripline; or put the snippet into .vscode/mcp.json.",
		"Choose Start above the entry in mcp.json and allow VS Code to log in.",
		describeLogin(server),
	],
	snippet: editorFile("servers", { type: "http", url: server.mcpUrl }),
	token_snippet: editorFile(
		"servers",
		// biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code replaces it.
		{ type: "http", url: server.mcpUrl, headers: { Authorization: "Bearer ${input:tripline-token}" } },
		{
			inputs: [
				{ type: "promptString", id: "tripline-token", description: "Tripline access token", password: true },
			],
		},
	),
	note: "In a browser (vscode.dev) the login ends at vscode.dev: add +vscode.dev to MCP_ALLOWED_REDIRECT_HOSTS.",
});

const chatGpt = (server: Server): Guide => ({
	steps: [
		"In ChatGPT open Settings > Apps > Advanced settings and turn on Developer mode.",
		"Back in Settings > Apps choose Create app. In some plans the page is called Connectors and the button Create.",
		`Enter the name Tripline and the address ${toPublicServer(server).mcpUrl}, choose OAuth, agree and create it.`,
		describeLogin(toPublicServer(server)),
	],
	snippet: null,
	token_snippet: null,
	note: "Developer mode is not in every plan, and in a workspace an administrator may have to allow it.",
});

const mcpRemote = (server: Server): Guide => ({
	steps: [
		"Configure this command, with its arguments, as the program that the client starts. It needs Node.js.",
		describeLogin(server),
	],
	snippet: remoteCommand(server.mcpUrl),
	token_snippet: desktopFile(server.mcpUrl, true),
	note: "It stores its tokens in ~/.mcp-auth: delete that folder if the login no longer works.",
});
