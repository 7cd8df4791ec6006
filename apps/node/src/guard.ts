import { isLoopback } from "./settings.ts";

type Fetch = (request: Request) => Promise<Response>;

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Keeps web pages out: a page that rebinds its own name to this address shows in Host, and a page that posts from
 * elsewhere shows in Origin.
 */
export function guardBrowsers(
	fetch: Fetch,
	accepted: { host: string; urls: readonly (string | undefined)[] },
): Fetch {
	const publicUrls = accepted.urls.flatMap((url) => (url === undefined ? [] : [new URL(url)]));
	const isAcceptedHost = (url: URL) =>
		isLoopback(bare(url.hostname)) ||
		bare(url.hostname) === accepted.host ||
		publicUrls.some((publicUrl) => publicUrl.host === url.host);
	const isOwnOrigin = (origin: string, url: URL) =>
		origin === url.origin || publicUrls.some((publicUrl) => publicUrl.origin === origin);

	return async (request) => {
		const url = new URL(request.url);
		if (!isAcceptedHost(url)) return refused("this host name is not served here; set BASE_URL to serve it");
		const origin = request.headers.get("origin");
		if (origin !== null && !SAFE_METHODS.has(request.method) && !isOwnOrigin(origin, url)) {
			return refused("requests from other origins are refused");
		}
		return fetch(request);
	};
}

const bare = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, "$1");

const refused = (error: string): Response => Response.json({ error }, { status: 403 });
