import { isLoopbackHost } from "../addresses.ts";

const MAX_URI_LENGTH = 2000;
const PRINTABLE = /^[\x21-\x7e]+$/;
/** Scheme, host and port as written; no label of the host name is empty. */
const AUTHORITY =
	/^https?:\/\/(\[[0-9a-f:]+\]|(?![.-])(?![A-Za-z0-9.-]*\.\.)[A-Za-z0-9.-]+)(?::[1-9]\d{0,4})?(?=[/?]|$)/;
/** Parameters of the authorization response: one in the redirect URI itself could be mistaken for it. */
const RESPONSE_PARAMETERS = ["code", "state", "iss", "error", "error_description"];

/**
 * Why a redirect URI is not allowed; null: it is. Browsers parse URLs leniently, so a URI that is not in its parsed
 * form is refused; only the case of the host is ignored. The server's own callback must match exactly.
 */
export function findRedirectProblem(
	uri: string,
	hosts: readonly string[],
	ownCallback: string | null = null,
): string | null {
	if (uri.length > MAX_URI_LENGTH) return `is longer than ${MAX_URI_LENGTH} characters`;
	if (!PRINTABLE.test(uri) || uri.includes("\\")) return "contains characters that are not allowed in a URL";
	if (uri.includes("#")) return "must not have a fragment";
	const host = AUTHORITY.exec(uri)?.[1];
	const url = URL.parse(uri);
	if (host === undefined || url === null)
		return "must be an https URL, or http://localhost, with a plain host name";
	// The host is ASCII here, so lowercasing is unambiguous.
	if (url.hostname !== host.toLowerCase()) return "has a host that is not in canonical form";
	if (RESPONSE_PARAMETERS.some((name) => url.searchParams.has(name)))
		return `must not contain ${RESPONSE_PARAMETERS.join(", ")} in its query`;
	return isLoopbackHost(url.hostname) || uri === ownCallback ? null : findHostProblem(url, hosts);
}

/**
 * The redirect URI of this server's console, or null. It is built from the configured address, never from a request's
 * Host, and never with plain http, which would expose the code on the network.
 */
export function consoleCallback(publicUrl: string | undefined): string | null {
	const { protocol, origin } = URL.parse(publicUrl ?? "") ?? {};
	return protocol === "https:" ? `${origin}/console/callback` : null;
}

function findHostProblem({ protocol, hostname, port }: URL, hosts: readonly string[]): string | null {
	if (!isOnList(hostname, hosts)) return `points to ${hostname}, which is not an allowed host`;
	if (protocol !== "https:") return "must use https: plain http is allowed only for loopback addresses";
	return port === "" ? null : "must not have a port: only loopback addresses may";
}

/** Subdomains of a listed host count as well. */
export const isOnList = (hostname: string, hosts: readonly string[]): boolean =>
	hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));

/** Exact comparison, except for the port of a loopback address, which the client picks at run time (RFC 8252, 7.3). */
export function isSameRedirect(one: string, other: string): boolean {
	return one === other || (dropLoopbackPort(one) ?? one) === (dropLoopbackPort(other) ?? other);
}

function dropLoopbackPort(uri: string): string | null {
	const url = URL.parse(uri);
	if (url === null || !isLoopbackHost(url.hostname)) return null;
	url.port = "";
	return url.href;
}
