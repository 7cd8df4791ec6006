/** Whether only programs on the same machine reach an address. */
export function isLoopback(url: string): boolean {
	try {
		const { hostname } = new URL(url);
		return (
			hostname === "localhost" ||
			hostname.endsWith(".localhost") ||
			hostname === "[::1]" ||
			/^127(?:\.\d+){3}$/.test(hostname)
		);
	} catch {
		return false;
	}
}

/** "mcp-remote, for clients that …" → "mcp-remote": what fits on a tab. */
export const shortTitle = (title: string): string => title.split(",")[0] ?? title;
