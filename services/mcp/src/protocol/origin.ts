import { isLoopbackHost } from "../addresses.ts";

export interface KnownOrigins {
	/** The origins of the service itself. */
	readonly own: readonly string[];
	/** In lower case, subdomains included. */
	readonly redirectHosts: readonly string[];
}

/**
 * Why a browser page may not call, or null. Protects against DNS rebinding: a page of a foreign site that reaches a
 * local server still sends its own Origin. Clients that are not browsers send none.
 */
export function findOriginProblem(
	origin: string | null,
	{ own, redirectHosts }: KnownOrigins,
): string | null {
	if (origin === null || own.includes(origin)) return null;
	const url = URL.parse(origin);
	// Browsers send origins in one canonical form; "null" stands for a page without an origin.
	if (url === null || url.origin !== origin || !origin.startsWith("http"))
		return "the Origin header is not an origin";
	if (isLoopbackHost(url.hostname)) return null;
	const isAllowed =
		url.protocol === "https:" &&
		url.port === "" &&
		redirectHosts.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`));
	return isAllowed ? null : "requests from this origin are refused";
}
