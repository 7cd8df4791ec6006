/** The worker at this address; null if it is not one deployed by `tripline init`. */
export const findWorker = (origin: string): string | null =>
	/^https:\/\/([a-z0-9-]+-mcp)\.[a-z0-9-]+\.workers\.dev$/.exec(origin)?.[1] ?? null;

const UPDATE = "On Cloudflare: tripline update --force sets it.";
const buildSecretCommand = (name: string, worker: string) =>
	`npx wrangler secret put ${name} --name ${worker}`;

/** How to change a setting of a worker. It takes effect at once, without a restart. */
const FIXES: Readonly<Record<string, (worker: string) => string>> = {
	MCP_URL: () => UPDATE,
	OAUTH_KV: () => UPDATE,
	MCP_OWNER_SECRET: (worker) =>
		`On Cloudflare: tripline update creates one if it is missing; to set your own: ${buildSecretCommand("MCP_OWNER_SECRET", worker)}`,
	MCP_STATIC_TOKEN: (worker) => `On Cloudflare: ${buildSecretCommand("MCP_STATIC_TOKEN", worker)}`,
	MCP_ALLOWED_REDIRECT_HOSTS: (worker) =>
		`On Cloudflare: in the dashboard, among the variables of the worker ${worker}; updates keep it.`,
};

/** Rewrites a fix from the server, whose text assumes a process that can be restarted. */
export function toCloudflareFix(fix: string, worker: string): string {
	const name = Object.keys(FIXES).find((each) => fix.includes(each));
	if (name === undefined) return fix;
	const what = fix.replace(/ \(on Cloudflare: [^)]*\)/, "").replace(/,? and restart\..*$/, ".");
	return `${what} ${FIXES[name]?.(worker)}`;
}
