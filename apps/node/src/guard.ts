import { isIP } from "node:net";
import { uuidv7 } from "@tripline/contract/ids";
import type { Clock } from "@tripline/platform/clock";
import type { Log } from "@tripline/platform/log";
import { isLoopback } from "./settings.ts";

type Fetch = (request: Request) => Promise<Response>;

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Keeps web pages out: a page that rebinds its own name to this address shows in Host, and a page that posts from
 * elsewhere shows in Origin. It stands at the listener, because calls between the services' parts pass none.
 */
export function guardBrowsers(
	fetch: Fetch,
	deps: {
		/** Accepted as Host beside the loopback names. */
		readonly host: string;
		/** Public addresses of this listener. */
		readonly urls?: readonly (string | undefined)[];
		/** Accept any address as Host: only a name can be rebound. */
		readonly anyAddress?: boolean;
		readonly clock: Clock;
		readonly log: Log;
	},
): Fetch {
	const publicUrls = (deps.urls ?? []).flatMap((url) => (url === undefined ? [] : [new URL(url)]));

	return async (request) => {
		const url = new URL(request.url);
		if (!isAcceptedHost(url)) return refuse("this host name is not served here");
		const origin = request.headers.get("origin");
		if (origin !== null && !SAFE_METHODS.has(request.method) && !isOwnOrigin(origin, url)) {
			return refuse("requests from other origins are refused");
		}
		return fetch(request);
	};

	function isAcceptedHost(url: URL): boolean {
		const name = url.hostname.replace(/^\[(.*)\]$/, "$1");
		return (
			isLoopback(name) ||
			name === deps.host ||
			(deps.anyAddress === true && isIP(name) !== 0) ||
			publicUrls.some((publicUrl) => publicUrl.host === url.host)
		);
	}

	function isOwnOrigin(origin: string, url: URL): boolean {
		return origin === url.origin || publicUrls.some((publicUrl) => publicUrl.origin === origin);
	}

	function refuse(error: string): Response {
		const requestId = uuidv7(deps.clock.now());
		deps.log("warn", "request refused", { request_id: requestId, reason: error });
		return Response.json({ error }, { status: 403, headers: { "x-request-id": requestId } });
	}
}
