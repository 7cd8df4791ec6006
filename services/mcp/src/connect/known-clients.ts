export interface KnownClient {
	readonly id: string;
	readonly title: string;
	/** It calls from its vendor's machines, not from the user's. */
	readonly callsFromElsewhere: boolean;
	/** As it registers them, all at once. A loopback port changes from login to login. */
	readonly redirectUris: readonly string[];
	/** Where the login ends, unless on the user's own machine. */
	readonly redirectHosts: readonly string[];
}

const CLAUDE = {
	callsFromElsewhere: true,
	redirectUris: ["https://claude.ai/api/mcp/auth_callback", "https://claude.com/api/mcp/auth_callback"],
	redirectHosts: ["claude.ai", "claude.com"],
};

/** What the clients do that people connect most, as seen of them. */
export const KNOWN_CLIENTS = {
	claude: { id: "claude", title: "Claude (web)", ...CLAUDE },
	claudeDesktop: { id: "claude-desktop", title: "Claude Desktop", ...CLAUDE },
	claudeCode: {
		id: "claude-code",
		title: "Claude Code",
		callsFromElsewhere: false,
		redirectUris: ["http://localhost:54545/callback"],
		redirectHosts: [],
	},
	cursor: {
		id: "cursor",
		title: "Cursor",
		callsFromElsewhere: false,
		// It logs in by the last one. Older versions used the first, which is no address of a host and is refused.
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
		callsFromElsewhere: false,
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
		callsFromElsewhere: true,
		redirectUris: ["https://chatgpt.com/connector/oauth/tripline"],
		redirectHosts: ["chatgpt.com"],
	},
	mcpRemote: {
		id: "mcp-remote",
		title: "mcp-remote, for clients that only start programs",
		callsFromElsewhere: false,
		redirectUris: ["http://localhost:3334/oauth/callback"],
		redirectHosts: [],
	},
} as const satisfies Record<string, KnownClient>;
