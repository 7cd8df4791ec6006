import { isLoopbackHost } from "../addresses.ts";

const MOST_CHARACTERS = 2000;
const PRINTABLE = /^[\x21-\x7e]+$/;
/** Scheme, host and port as they are written; no part of a host's name is empty. */
const WRITTEN =
	/^https?:\/\/(\[[0-9a-f:]+\]|(?![.-])(?![A-Za-z0-9.-]*\.\.)[A-Za-z0-9.-]+)(?::[1-9]\d{0,4})?(?=[/?]|$)/;
/** The answer brings these: a second one in the address could be taken for it. */
const ANSWERED = ["code", "state", "iss", "error", "error_description"];

/**
 * Why a code must not be sent there; null: it may. Browsers read an address with much good will, so one that is not
 * written exactly as it is understood is refused; only the case of a host's letters means nothing. The server's own
 * callback is allowed to the letter.
 */
export function redirectProblem(
	uri: string,
	hosts: readonly string[],
	ownCallback: string | null = null,
): string | null {
	if (uri.length > MOST_CHARACTERS) return `is longer than ${MOST_CHARACTERS} characters`;
	if (!PRINTABLE.test(uri) || uri.includes("\\")) return "has characters that do not belong in an address";
	if (uri.includes("#")) return "must not have a fragment";
	const host = WRITTEN.exec(uri)?.[1];
	const url = URL.parse(uri);
	if (host === undefined || url === null)
		return "must be an https address, or http://localhost, with a plain host name";
	// The host is ASCII here, where lower case is unambiguous.
	if (url.hostname !== host.toLowerCase()) return "has a host that is not written as it is understood";
	if (ANSWERED.some((name) => url.searchParams.has(name)))
		return `must not have ${ANSWERED.join(", ")} in its query`;
	return isLoopbackHost(url.hostname) || uri === ownCallback ? null : vendorProblem(url, hosts);
}

/**
 * Where this server's console is sent back to, or null. By the address that the operator set, never by the one that a
 * request names; and not by plain http, which would show the code to whoever is on the way.
 */
export function consoleCallback(publicUrl: string | undefined): string | null {
	const { protocol, origin } = URL.parse(publicUrl ?? "") ?? {};
	return protocol === "https:" ? `${origin}/console/callback` : null;
}

function vendorProblem({ protocol, hostname, port }: URL, hosts: readonly string[]): string | null {
	if (!isOnList(hostname, hosts)) return `leads to ${hostname}, which is not an allowed host`;
	if (protocol !== "https:") return "must begin with https: only a loopback address may be plain http";
	return port === "" ? null : "must not have a port of its own: only a loopback address may";
}

/** A subdomain of a listed host is meant too. */
export const isOnList = (hostname: string, hosts: readonly string[]): boolean =>
	hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));

/** Exactly the same, but for the port of a loopback address, which a client takes as it finds it (RFC 8252, 7.3). */
export function isSameRedirect(one: string, other: string): boolean {
	return one === other || (withoutPort(one) ?? one) === (withoutPort(other) ?? other);
}

function withoutPort(uri: string): string | null {
	const url = URL.parse(uri);
	if (url === null || !isLoopbackHost(url.hostname)) return null;
	url.port = "";
	return url.href;
}
