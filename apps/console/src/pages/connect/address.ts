/** Whether a URL can be reached only from this machine. */
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

/** Shortens a title for a tab: "mcp-remote, for clients that …" → "mcp-remote". */
export const shortenTitle = (title: string): string => title.split(",")[0] ?? title;
