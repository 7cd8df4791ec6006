import { isIP } from "node:net";
import { uuidv7 } from "@tripline/contract/ids";
import type { Clock } from "@tripline/platform/clock";
import type { Log } from "@tripline/platform/log";
import { type Incoming, type Outgoing, parseTarget } from "@tripline/web/http-message";
import type { Answer } from "./node-message.ts";
import { isLoopback } from "./settings.ts";

const MAX_HOSTS = 1000;
const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);
/** Sec-Fetch-Site values of requests by a page of this origin or from the address bar. */
const OWN_SITES = new Set([null, "same-origin", "none"]);

/**
 * Refuses requests from foreign web pages: DNS rebinding shows in Host and a cross-origin post in Origin. It sits at the
 * listener, because internal calls between the services bypass it.
 */
export function guardBrowsers(
	answer: Answer,
	deps: {
		/** Accepted as Host in addition to the loopback names. */
		readonly host: string;
		/** Public addresses of this listener. */
		readonly urls?: readonly (string | undefined)[];
		/** Paths that pages of other origins may post to, because knowing the URL is enough to call them. */
		readonly anyOrigin?: readonly RegExp[];
		/** Paths that no page of another origin may call by any method, because even a GET has effects. */
		readonly sameOriginOnly?: RegExp;
		/** Whether what the request calls allows pages of this other origin. */
		allowsOrigin?(request: Incoming, origin: string): Promise<boolean>;
		/** Accept any IP address as Host: only a name can be rebound. */
		readonly anyAddress?: boolean;
		readonly clock: Clock;
		readonly log: Log;
	},
): Answer {
	const publicUrls = (deps.urls ?? []).flatMap((url) => (url === undefined ? [] : [new URL(url)]));

	const hosts = new Map<string, boolean>();

	return (request) => {
		// Repeated headers are joined by a comma. A proxy in front may have used the other value.
		if (request.headers.get("host")?.includes(",")) return refuse(400, "more than one Host header");
		if (!isAccepted(parseHost(request.url))) return refuse(403, "this host name is not served here");
		const origin = request.headers.get("origin");
		const site = request.headers.get("sec-fetch-site");
		if ((origin !== null || site !== null) && !mayCome(request, origin, site))
			return answerForeign(request, origin);
		return answer(request);
	};

	async function answerForeign(request: Incoming, origin: string | null): Promise<Outgoing> {
		if (origin !== null && (await deps.allowsOrigin?.(request, origin)) === true) return answer(request);
		return refuse(403, "requests from other origins are refused");
	}

	/** Cached, because parsing a URL costs more than the rest of the guard and callers use few names. */
	function isAccepted(host: string): boolean {
		const known = hosts.get(host);
		if (known !== undefined) return known;
		const url = URL.parse(`http://${host}`);
		const accepted = url !== null && isAcceptedHost(url);
		if (hosts.size >= MAX_HOSTS) hosts.clear();
		hosts.set(host, accepted);
		return accepted;
	}

	function isAcceptedHost(url: URL): boolean {
		const name = url.hostname.replace(/^\[(.*)\]$/, "$1");
		return (
			isLoopback(name) ||
			name === deps.host ||
			(deps.anyAddress === true && isIP(name) !== 0) ||
			publicUrls.some((publicUrl) => publicUrl.host === url.host)
		);
	}

	function mayCome(request: Incoming, origin: string | null, site: string | null): boolean {
		const isOwn = origin === null || isOwnOrigin(origin, request.url);
		// The path as the router reads it; `URL` would normalize it.
		const { path } = parseTarget(request.url);
		if (deps.sameOriginOnly?.test(path)) return isOwn && OWN_SITES.has(site);
		return isOwn || SAFE_METHODS.has(request.method) || isFromAnywhere(path);
	}

	function isOwnOrigin(origin: string, url: string): boolean {
		return origin === new URL(url).origin || publicUrls.some((publicUrl) => publicUrl.origin === origin);
	}

	function isFromAnywhere(path: string): boolean {
		return deps.anyOrigin?.some((each) => each.test(path)) ?? false;
	}

	async function refuse(status: 400 | 403, error: string): Promise<Outgoing> {
		const requestId = uuidv7(deps.clock.now());
		deps.log("warn", "request refused", { request_id: requestId, reason: error });
		return {
			status,
			headers: { "content-type": "application/json; charset=utf-8", "x-request-id": requestId },
			body: JSON.stringify({ error }),
		};
	}
}

/** Host and port of an absolute URL. */
function parseHost(url: string): string {
	const start = url.indexOf("://") + 3;
	const end = url.indexOf("/", start);
	return end === -1 ? url.slice(start) : url.slice(start, end);
}
