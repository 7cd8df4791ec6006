import { type Answer, objectOf, type Probe, REACH_FIX, Wrong } from "./probe.ts";

const LEGACY = "2025-11-25";
const MODERN = "2026-07-28";
const CLIENT = { name: "tripline-verify", version: "1.0.0" };
/** Of the Inspector, which calls from a browser; loopback origins are always allowed. */
const BROWSER = "http://localhost:6274";
const NEEDED_HEADERS = ["authorization", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"];

const PROXY_FIX =
	"See that your tunnel or reverse proxy leaves the status and the headers of answers as they are.";

/** Every client finds the login by this header. */
export async function challenge(probe: Probe): Promise<string> {
	const { status, headers } = await probe.ask("/mcp", { method: "POST", json: initialize });
	if (status !== 401)
		throw new Wrong(`/mcp answers ${status} instead of 401 to a call without a credential.`, PROXY_FIX);
	const expected = `Bearer resource_metadata="${probe.origin}/.well-known/oauth-protected-resource"`;
	const found = headers.get("www-authenticate");
	if (found !== expected)
		throw new Wrong(
			`The WWW-Authenticate header is ${found === null ? "missing" : JSON.stringify(found)} and should be ${JSON.stringify(expected)}.`,
			found === null ? PROXY_FIX : "Set MCP_URL to the address that clients use, and restart.",
		);
	return "A call without a credential is told where to log in.";
}

/** Clients in a browser ask first, without a credential, and must be able to read the 401. */
export async function browsers(probe: Probe): Promise<string> {
	const headers = { origin: BROWSER, "access-control-request-method": "POST" };
	for (const path of ["/mcp", "/token", "/register"]) {
		const answer = await probe.ask(path, {
			method: "OPTIONS",
			headers: { ...headers, "access-control-request-headers": NEEDED_HEADERS.join(", ") },
		});
		if (answer.status >= 300 || !allows(answer))
			throw new Wrong(`${path} does not let a page of ${BROWSER} call it (${answer.status}).`, PROXY_FIX);
		const allowed = words(answer.headers.get("access-control-allow-headers"));
		const missing = NEEDED_HEADERS.filter((name) => !allowed.includes(name));
		if (missing.length > 0)
			throw new Wrong(`${path} does not allow browsers to send ${missing.join(", ")}.`, PROXY_FIX);
	}
	const refused = await probe.ask("/mcp", { method: "POST", headers: { origin: BROWSER }, json: initialize });
	const exposed = words(refused.headers.get("access-control-expose-headers"));
	if (!allows(refused) || !exposed.includes("www-authenticate"))
		throw new Wrong("A page in a browser cannot read where to log in from the answer of /mcp.", PROXY_FIX);
	return "Clients that run in a browser can call.";
}

const allows = ({ headers }: Answer): boolean =>
	["*", BROWSER].includes(headers.get("access-control-allow-origin") ?? "");

const words = (list: string | null): string[] =>
	(list ?? "").split(",").map((word) => word.trim().toLowerCase());

const initialize = {
	jsonrpc: "2.0",
	id: 1,
	method: "initialize",
	params: { protocolVersion: LEGACY, capabilities: {}, clientInfo: CLIENT },
};

/** The handshake of most clients. */
export async function legacyProtocol(probe: Probe): Promise<string> {
	const result = await call(probe, initialize, {});
	const version = result.protocolVersion;
	if (version !== LEGACY)
		throw new Wrong(
			`initialize answers with the version ${JSON.stringify(version) ?? "missing"}.`,
			REACH_FIX,
		);
	return `Clients that speak ${LEGACY} can begin.`;
}

/** Without a handshake: every request says its version, in the body and in the headers. */
export async function modernProtocol(probe: Probe): Promise<string> {
	const method = "server/discover";
	const meta = {
		"io.modelcontextprotocol/protocolVersion": MODERN,
		"io.modelcontextprotocol/clientInfo": CLIENT,
		"io.modelcontextprotocol/clientCapabilities": {},
	};
	const result = await call(
		probe,
		{ jsonrpc: "2.0", id: 1, method, params: { _meta: meta } },
		{ "mcp-protocol-version": MODERN, "mcp-method": method },
	);
	const versions = result.supportedVersions;
	if (!Array.isArray(versions) || !versions.includes(MODERN))
		throw new Wrong(`${method} does not name the version ${MODERN}.`, REACH_FIX);
	return `Clients that speak ${MODERN} can begin.`;
}

async function call(
	probe: Probe,
	message: object,
	headers: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
	const { authorization } = probe;
	if (authorization === null)
		throw new Wrong(
			"Not tried: there is no credential to try with.",
			"Try again with an access token or with MCP_STATIC_TOKEN.",
		);
	const answer = await probe.ask("/mcp", {
		method: "POST",
		headers: { accept: "application/json, text/event-stream", authorization, ...headers },
		json: message,
	});
	if (answer.status === 401)
		throw new Wrong(
			"/mcp refuses the credential.",
			"Log in again. Is MCP_URL the address for which the token was made? See also that no proxy drops the Authorization header.",
		);
	const { result, error } = objectOf(answer, 200, REACH_FIX);
	if (typeof result !== "object" || result === null)
		throw new Wrong(`/mcp answers with an error: ${JSON.stringify(error) ?? "none is given"}.`, REACH_FIX);
	return result as Readonly<Record<string, unknown>>;
}
