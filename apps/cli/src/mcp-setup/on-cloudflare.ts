/** The worker that has this address; null: it is not one that `tripline init` has deployed. */
export const workerAt = (origin: string): string | null =>
	/^https:\/\/([a-z0-9-]+-mcp)\.[a-z0-9-]+\.workers\.dev$/.exec(origin)?.[1] ?? null;

const UPDATE = "On Cloudflare: tripline update --force sets it.";
const secretOf = (name: string, worker: string) => `npx wrangler secret put ${name} --name ${worker}`;

/** How a setting gets to a worker: it is in force at once, and there is nothing to restart. */
const WAYS: Readonly<Record<string, (worker: string) => string>> = {
	MCP_URL: () => UPDATE,
	OAUTH_KV: () => UPDATE,
	MCP_OWNER_SECRET: (worker) =>
		`On Cloudflare: tripline update makes one where it is missing; to choose it: ${secretOf("MCP_OWNER_SECRET", worker)}`,
	MCP_STATIC_TOKEN: (worker) => `On Cloudflare: ${secretOf("MCP_STATIC_TOKEN", worker)}`,
	MCP_ALLOWED_REDIRECT_HOSTS: (worker) =>
		`On Cloudflare: in the dashboard, among the variables of the worker ${worker}; updates leave it.`,
};

/** The server's words are for where it can be restarted. */
export function fixOnCloudflare(fix: string, worker: string): string {
	const name = Object.keys(WAYS).find((each) => fix.includes(each));
	if (name === undefined) return fix;
	const what = fix.replace(/ \(on Cloudflare: [^)]*\)/, "").replace(/,? and restart\..*$/, ".");
	return `${what} ${WAYS[name]?.(worker)}`;
}
