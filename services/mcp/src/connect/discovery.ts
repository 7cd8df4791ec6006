import { isLoopbackHost, toResource } from "../addresses.ts";
import { CheckFailed, type Probe, parseObject } from "./probe.ts";

const ADDRESS_FIX =
	"Set MCP_URL to the address that clients use, with https and without a trailing slash, and restart.";
const PATHS_FIX =
	"Configure your tunnel or reverse proxy to pass /.well-known/ to this server unchanged, without redirects or pages of its own.";
const PRIVATE =
	/^(?:10|127|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))\.|\.(?:local|internal|lan|home)$|^\[f[cd]/;

/** Each check returns a message on success, or throws `Wrong`. */
export function checkAddress({ origin }: Probe): string {
	const url = URL.parse(origin);
	if (url === null || url.origin !== origin)
		throw new CheckFailed(`${origin} is not an origin such as https://tripline.example.com.`, ADDRESS_FIX);
	if (isLoopbackHost(url.hostname))
		return "Only clients on this machine can connect. To let others connect, set MCP_URL to a public https address.";
	if (url.protocol !== "https:")
		throw new CheckFailed(
			`${origin} is plain http, which clients accept only on their own machine.`,
			ADDRESS_FIX,
		);
	if (PRIVATE.test(url.hostname)) return "Only clients in your own network can connect.";
	return "Clients anywhere can connect, provided that your tunnel or proxy forwards to this server.";
}

/** RFC 9728. */
export async function checkResourceDocuments(probe: Probe): Promise<string> {
	const path = "/.well-known/oauth-protected-resource";
	for (const document of await readBoth(probe, path)) {
		const resource = toResource(probe.origin);
		if (document.resource !== resource) throw createMismatch(path, "resource", document.resource, resource);
		if (!isListed(document.authorization_servers, probe.origin))
			throw createMismatch(path, "authorization_servers", document.authorization_servers, [probe.origin]);
	}
	return "Both documents name this server and its authorization server.";
}

/** RFC 8414. Clients compare the issuer byte by byte. */
export async function checkServerDocuments(probe: Probe): Promise<string> {
	const path = "/.well-known/oauth-authorization-server";
	for (const document of await readBoth(probe, path)) {
		if (document.issuer !== probe.origin) throw createMismatch(path, "issuer", document.issuer, probe.origin);
		for (const [name, endpoint] of Object.entries(ENDPOINTS)) {
			if (document[name] !== `${probe.origin}${endpoint}`)
				throw createMismatch(path, name, document[name], `${probe.origin}${endpoint}`);
		}
		for (const [name, value] of Object.entries(SUPPORTED)) {
			if (!isListed(document[name], value)) throw createMismatch(path, name, document[name], [value]);
		}
	}
	return "Both documents have the right issuer, endpoints and capabilities.";
}

const ENDPOINTS = {
	authorization_endpoint: "/authorize",
	token_endpoint: "/token",
	registration_endpoint: "/register",
};
const SUPPORTED = {
	response_types_supported: "code",
	code_challenge_methods_supported: "S256",
	token_endpoint_auth_methods_supported: "none",
};

/** Clients read the document at the root, at the resource's path, or both. */
const readBoth = async (probe: Probe, path: string): Promise<Readonly<Record<string, unknown>>[]> =>
	(await Promise.all([probe.ask(path), probe.ask(`${path}/mcp`)])).map((answer) =>
		parseObject(answer, 200, PATHS_FIX),
	);

const isListed = (list: unknown, value: string): boolean => Array.isArray(list) && list.includes(value);

const createMismatch = (path: string, name: string, found: unknown, expected: unknown): CheckFailed =>
	new CheckFailed(
		`${path}: ${name} is ${JSON.stringify(found) ?? "missing"}, but must be ${JSON.stringify(expected)}.`,
		ADDRESS_FIX,
	);
