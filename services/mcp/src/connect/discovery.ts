import { isLoopbackHost, resourceOf } from "../addresses.ts";
import { objectOf, type Probe, Wrong } from "./probe.ts";

const ADDRESS_FIX =
	"Set MCP_URL to the address that clients use, with https and without a slash at its end, and restart.";
const PATHS_FIX =
	"Let your tunnel or reverse proxy pass /.well-known/ on to this server unchanged, without redirects or a page of its own.";
const PRIVATE =
	/^(?:10|127|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))\.|\.(?:local|internal|lan|home)$|^\[f[cd]/;

/** Each of these says what is well, or throws `Wrong`. */
export function reach({ origin }: Probe): string {
	const url = URL.parse(origin);
	if (url === null || url.origin !== origin)
		throw new Wrong(`${origin} is not an origin, like https://tripline.example.com.`, ADDRESS_FIX);
	if (isLoopbackHost(url.hostname))
		return "Only clients on this machine can connect. For the others set MCP_URL to a public https address.";
	if (url.protocol !== "https:")
		throw new Wrong(`${origin} is plain http, which clients refuse beyond their own machine.`, ADDRESS_FIX);
	if (PRIVATE.test(url.hostname)) return "Only clients in your own network can connect.";
	return "Clients anywhere can connect, as far as your tunnel or proxy leads here.";
}

/** RFC 9728. */
export async function resourceDocuments(probe: Probe): Promise<string> {
	const path = "/.well-known/oauth-protected-resource";
	for (const document of await both(probe, path)) {
		const resource = resourceOf(probe.origin);
		if (document.resource !== resource) throw mismatch(path, "resource", document.resource, resource);
		if (!has(document.authorization_servers, probe.origin))
			throw mismatch(path, "authorization_servers", document.authorization_servers, [probe.origin]);
	}
	return "Both documents name this server and where to log in.";
}

/** RFC 8414. Clients compare the issuer byte by byte. */
export async function serverDocuments(probe: Probe): Promise<string> {
	const path = "/.well-known/oauth-authorization-server";
	for (const document of await both(probe, path)) {
		if (document.issuer !== probe.origin) throw mismatch(path, "issuer", document.issuer, probe.origin);
		for (const [name, endpoint] of Object.entries(ENDPOINTS)) {
			if (document[name] !== `${probe.origin}${endpoint}`)
				throw mismatch(path, name, document[name], `${probe.origin}${endpoint}`);
		}
		for (const [name, value] of Object.entries(SUPPORTED)) {
			if (!has(document[name], value)) throw mismatch(path, name, document[name], [value]);
		}
	}
	return "Both documents agree on the issuer, its endpoints and what it supports.";
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

/** Clients look at the root, at the path of the resource, or at both. */
const both = async (probe: Probe, path: string): Promise<Readonly<Record<string, unknown>>[]> =>
	(await Promise.all([probe.ask(path), probe.ask(`${path}/mcp`)])).map((answer) =>
		objectOf(answer, 200, PATHS_FIX),
	);

const has = (list: unknown, value: string): boolean => Array.isArray(list) && list.includes(value);

const mismatch = (path: string, name: string, found: unknown, expected: unknown): Wrong =>
	new Wrong(
		`${path}: ${name} is ${JSON.stringify(found) ?? "missing"} and should be ${JSON.stringify(expected)}.`,
		ADDRESS_FIX,
	);
