import { type Answer, CheckFailed, type Probe, parseObject, REACH_FIX } from "./probe.ts";

const LEGACY = "2025-11-25";
const MODERN = "2026-07-28";
const CLIENT = { name: "tripline-verify", version: "1.0.0" };
/** The MCP Inspector's origin, which calls from a browser; loopback origins are always allowed. */
const BROWSER_ORIGIN = "http://localhost:6274";
const NEEDED_HEADERS = ["authorization", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"];

const PROXY_FIX =
	"Make sure that your tunnel or reverse proxy does not change the status or the headers of responses.";

/** Clients find the login through this header. */
export async function checkChallenge(probe: Probe): Promise<string> {
	const { status, headers } = await probe.ask("/mcp", { method: "POST", json: initialize });
	if (status !== 401)
		throw new CheckFailed(
			`/mcp answers ${status} instead of 401 to a request without a credential.`,
			PROXY_FIX,
		);
	const expected = `Bearer resource_metadata="${probe.origin}/.well-known/oauth-protected-resource"`;
	const found = headers.get("www-authenticate");
	if (found !== expected)
		throw new CheckFailed(
			`The WWW-Authenticate header is ${found === null ? "missing" : JSON.stringify(found)}, but must be ${JSON.stringify(expected)}.`,
			found === null ? PROXY_FIX : "Set MCP_URL to the address that clients use, and restart.",
		);
	return "Requests without a credential are pointed to the login.";
}

/** Browser clients send a preflight request without a credential, and must be able to read the 401. */
export async function checkBrowsers(probe: Probe): Promise<string> {
	const headers = { origin: BROWSER_ORIGIN, "access-control-request-method": "POST" };
	for (const path of ["/mcp", "/token", "/register"]) {
		const answer = await probe.ask(path, {
			method: "OPTIONS",
			headers: { ...headers, "access-control-request-headers": NEEDED_HEADERS.join(", ") },
		});
		if (answer.status >= 300 || !isOriginAllowed(answer))
			throw new CheckFailed(
				`${path} does not allow calls from pages of ${BROWSER_ORIGIN} (${answer.status}).`,
				PROXY_FIX,
			);
		const allowed = splitWords(answer.headers.get("access-control-allow-headers"));
		const missing = NEEDED_HEADERS.filter((name) => !allowed.includes(name));
		if (missing.length > 0)
			throw new CheckFailed(
				`${path} does not allow browsers to send the headers ${missing.join(", ")}.`,
				PROXY_FIX,
			);
	}
	const refused = await probe.ask("/mcp", {
		method: "POST",
		headers: { origin: BROWSER_ORIGIN },
		json: initialize,
	});
	const exposed = splitWords(refused.headers.get("access-control-expose-headers"));
	if (!isOriginAllowed(refused) || !exposed.includes("www-authenticate"))
		throw new CheckFailed("Browser clients cannot read the WWW-Authenticate header of /mcp.", PROXY_FIX);
	return "Browser clients can connect.";
}

const isOriginAllowed = ({ headers }: Answer): boolean =>
	["*", BROWSER_ORIGIN].includes(headers.get("access-control-allow-origin") ?? "");

const splitWords = (list: string | null): string[] =>
	(list ?? "").split(",").map((word) => word.trim().toLowerCase());

const initialize = {
	jsonrpc: "2.0",
	id: 1,
	method: "initialize",
	params: { protocolVersion: LEGACY, capabilities: {}, clientInfo: CLIENT },
};

/** The handshake of most clients. */
export async function checkLegacyProtocol(probe: Probe): Promise<string> {
	const result = await call(probe, initialize, {});
	const version = result.protocolVersion;
	if (version !== LEGACY)
		throw new CheckFailed(
			`initialize returns protocol version ${JSON.stringify(version) ?? "missing"} instead of ${LEGACY}.`,
			REACH_FIX,
		);
	return `Clients with protocol version ${LEGACY} can connect.`;
}

/** There is no handshake: every request states its version, in the body and in the headers. */
export async function checkModernProtocol(probe: Probe): Promise<string> {
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
		throw new CheckFailed(`${method} does not list protocol version ${MODERN}.`, REACH_FIX);
	return `Clients with protocol version ${MODERN} can connect.`;
}

async function call(
	probe: Probe,
	message: object,
	headers: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
	const { authorization } = probe;
	if (authorization === null)
		throw new CheckFailed(
			"Not checked: no credential was given.",
			"Try again with an access token or with MCP_STATIC_TOKEN.",
		);
	const answer = await probe.ask("/mcp", {
		method: "POST",
		headers: { accept: "application/json, text/event-stream", authorization, ...headers },
		json: message,
	});
	if (answer.status === 401)
		throw new CheckFailed(
			"/mcp rejects the credential.",
			"Log in again. Check that the token was issued for the address in MCP_URL, and that no proxy removes the Authorization header.",
		);
	const { result, error } = parseObject(answer, 200, REACH_FIX);
	if (typeof result !== "object" || result === null)
		throw new CheckFailed(
			`/mcp answers with an error: ${JSON.stringify(error) ?? "no details given"}.`,
			REACH_FIX,
		);
	return result as Readonly<Record<string, unknown>>;
}
