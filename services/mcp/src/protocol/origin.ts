import { isLoopbackHost } from "../addresses.ts";

export interface KnownOrigins {
	/** Under which the service itself is reached. */
	readonly own: readonly string[];
	/** In lower case; subdomains are meant too. */
	readonly redirectHosts: readonly string[];
}

/**
 * Why a browser's page must not call, or null. Against DNS rebinding: a page of a foreign site that reaches a local
 * server still says whose page it is. Clients that are no browsers send no Origin.
 */
export function originProblem(origin: string | null, { own, redirectHosts }: KnownOrigins): string | null {
	if (origin === null || own.includes(origin)) return null;
	const url = URL.parse(origin);
	// Browsers write an origin in one way only; "null" is that of a page without one.
	if (url === null || url.origin !== origin || !origin.startsWith("http"))
		return "the Origin header is not an origin";
	if (isLoopbackHost(url.hostname)) return null;
	const isAllowed =
		url.protocol === "https:" &&
		url.port === "" &&
		redirectHosts.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`));
	return isAllowed ? null : "requests from this origin are refused";
}
