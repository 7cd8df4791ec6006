import type { Incoming } from "@tripline/web/exchange";
import type { McpSettings } from "./settings.ts";

/** The server's own origin: the public address where one is set, else the one that the request came by. */
export function originOf({ publicUrl }: McpSettings, request: Incoming): string {
	if (publicUrl !== undefined) return publicUrl;
	const { url } = request;
	const end = url.indexOf("/", url.indexOf("://") + 3);
	return end === -1 ? url : url.slice(0, end);
}

/** What tokens are for (RFC 8707). */
export const resourceOf = (origin: string): string => `${origin}/mcp`;

const LOOPBACK_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]"]);

export const isLoopbackHost = (hostname: string): boolean => LOOPBACK_HOSTS.has(hostname);

/** Loopback names count as one: a token got by one of them is good by the others. */
export function sameResource(one: string, other: string): boolean {
	return one === other || canonical(one) === canonical(other);
}

function canonical(resource: string): string {
	const url = URL.parse(resource);
	if (url === null) return resource;
	if (isLoopbackHost(url.hostname)) url.hostname = "localhost";
	return url.href;
}
