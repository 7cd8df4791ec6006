export interface KnownClient {
	readonly id: string;
	readonly title: string;
	/** It calls from its vendor's servers, not from the user's machine. */
	readonly callsFromVendor: boolean;
	/** The redirect URIs of its registration. A loopback port changes from login to login. */
	readonly redirectUris: readonly string[];
	/** Hosts of its redirect URIs, except for the user's own machine. */
	readonly redirectHosts: readonly string[];
}

const CLAUDE = {
	callsFromVendor: true,
	redirectUris: ["https://claude.ai/api/mcp/auth_callback", "https://claude.com/api/mcp/auth_callback"],
	redirectHosts: ["claude.ai", "claude.com"],
};

/** How the most common clients behave, by observation. */
export const KNOWN_CLIENTS = {
	claude: { id: "claude", title: "Claude (web)", ...CLAUDE },
	claudeDesktop: { id: "claude-desktop", title: "Claude Desktop", ...CLAUDE },
	claudeCode: {
		id: "claude-code",
		title: "Claude Code",
		callsFromVendor: false,
		redirectUris: ["http://localhost:54545/callback"],
		redirectHosts: [],
	},
	cursor: {
		id: "cursor",
		title: "Cursor",
		callsFromVendor: false,
		// It logs in with the last one. Older versions used the first, which is not an http URL and is refused.
		redirectUris: [
			"cursor://anysphere.cursor-mcp/oauth/callback",
			"https://www.cursor.com/agents/mcp/oauth/callback",
			"http://localhost:8787/callback",
		],
		redirectHosts: [],
	},
	vsCode: {
		id: "vscode",
		title: "VS Code",
		callsFromVendor: false,
		redirectUris: [
			"https://insiders.vscode.dev/redirect",
			"https://vscode.dev/redirect",
			"http://127.0.0.1:33418/",
		],
		redirectHosts: [],
	},
	chatGpt: {
		id: "chatgpt",
		title: "ChatGPT",
		callsFromVendor: true,
		redirectUris: ["https://chatgpt.com/connector/oauth/tripline"],
		redirectHosts: ["chatgpt.com"],
	},
	mcpRemote: {
		id: "mcp-remote",
		title: "mcp-remote, for clients that only start programs",
		callsFromVendor: false,
		redirectUris: ["http://localhost:3334/oauth/callback"],
		redirectHosts: [],
	},
} as const satisfies Record<string, KnownClient>;
