export interface Snippet {
	readonly language: "sh" | "json";
	readonly text: string;
}

export const claudeCodeCommand = (mcpUrl: string): Snippet => ({
	language: "sh",
	text: `claude mcp add --transport http tripline ${mcpUrl}`,
});

/** A project's `.mcp.json`. */
export const projectFile = (mcpUrl: string): Snippet =>
	editorFile("mcpServers", {
		type: "http",
		url: mcpUrl,
		// biome-ignore lint/suspicious/noTemplateCurlyInString: Claude Code replaces it.
		headers: { Authorization: "Bearer ${TRIPLINE_TOKEN}" },
	});

/** A configuration file with servers under a key, as most editors use. */
export const editorFile = (key: "mcpServers" | "servers", server: object, others: object = {}): Snippet => ({
	language: "json",
	text: JSON.stringify({ ...others, [key]: { tripline: server } }, null, 2),
});

export const remoteCommand = (mcpUrl: string): Snippet => ({
	language: "sh",
	text: `npx ${remoteArguments(mcpUrl).join(" ")}`,
});

/** The header has no space, and its value comes from the environment, because Windows splits arguments at spaces. */
export const desktopFile = (mcpUrl: string, hasToken = false): Snippet =>
	editorFile("mcpServers", {
		command: "npx",
		// biome-ignore lint/suspicious/noTemplateCurlyInString: mcp-remote replaces it.
		args: [...remoteArguments(mcpUrl), ...(hasToken ? ["--header", "Authorization:${AUTHORIZATION}"] : [])],
		...(hasToken ? { env: { AUTHORIZATION: "Bearer <your MCP_STATIC_TOKEN>" } } : {}),
	});

/** mcp-remote refuses plain http except for these two hosts, unless `--allow-http` is given. */
function remoteArguments(mcpUrl: string): string[] {
	const { protocol, hostname } = new URL(mcpUrl);
	const isPlain = protocol === "http:" && !["localhost", "127.0.0.1"].includes(hostname);
	return ["-y", "mcp-remote", mcpUrl, ...(isPlain ? ["--allow-http"] : [])];
}
