import type { Incoming } from "@tripline/web/http-message";
import type { McpSettings } from "./settings.ts";

const FORWARDING_HEADERS = ["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "forwarded"];

/**
 * The server's own origin: that of the request, or the public address if one is set. A client on the same machine that
 * calls by a loopback name gets that name back, because strict clients refuse metadata of another address. A tunnel
 * that rewrites Host to a loopback name is recognized by its forwarding headers.
 */
export function resolveOrigin({ publicUrl }: Pick<McpSettings, "publicUrl">, request: Incoming): string {
	const own = readOrigin(request);
	if (publicUrl === undefined) return own;
	const isDirect = isLoopback(own) && !FORWARDING_HEADERS.some((name) => request.headers.has(name));
	return isDirect ? own : publicUrl;
}

function readOrigin({ url }: Incoming): string {
	const end = url.indexOf("/", url.indexOf("://") + 3);
	return end === -1 ? url : url.slice(0, end);
}

/** The audience of tokens (RFC 8707). */
export const toResource = (origin: string): string => `${origin}/mcp`;

const LOOPBACK_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]"]);

export const isLoopbackHost = (hostname: string): boolean => LOOPBACK_HOSTS.has(hostname);

export const isLoopback = (url: string): boolean => isLoopbackHost(URL.parse(url)?.hostname ?? "");

/** Loopback names are equivalent: a token issued under one is valid under the others. */
export function isSameResource(one: string, other: string): boolean {
	return one === other || canonicalize(one) === canonicalize(other);
}

function canonicalize(resource: string): string {
	const url = URL.parse(resource);
	if (url === null) return resource;
	if (isLoopbackHost(url.hostname)) url.hostname = "localhost";
	return url.href;
}
