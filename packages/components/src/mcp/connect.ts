import type { JsonObject } from "@tripline/contract/workflows";
import { TerminalError } from "@tripline/engine/terminal-error";
import { isObject } from "../schemas.ts";
import { McpRefused, McpUnauthorized, quoteServerText } from "./errors.ts";
import {
	type Answered,
	CLIENT_INFO,
	type Endpoint,
	exchange,
	type Http,
	notify,
	type Wire,
} from "./exchange.ts";

/** An agreed version, and the session if the server has one. Only data, so that it can be kept between requests. */
export interface Connection {
	readonly wire: Wire;
	readonly title: string | null;
	readonly serverVersion: string | null;
	readonly instructions: string | null;
}

/** Without sessions and handshakes. */
const STATELESS_VERSION = "2026-07-28";
/** With a handshake, newest first. */
const VERSIONS: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26"];

const TIMEOUT_MS = 30_000;
const MAX_CHARACTERS = 1024 * 1024;
const MAX_INSTRUCTIONS_CHARACTERS = 4_000;
const SESSION_ID = /^[\x21-\x7e]{1,1024}$/;

const UNKNOWN: Wire = { version: null, isStateless: false, sessionId: null };
const STATELESS: Wire = { version: STATELESS_VERSION, isStateless: true, sessionId: null };

/**
 * Agrees on a version with the server. `known` is the one that was agreed on before, which spares a server with
 * handshakes the question whether it works without.
 */
export async function connect(
	http: Http,
	endpoint: Endpoint,
	signal: AbortSignal,
	known: string | null = null,
): Promise<Connection> {
	const isGreeted = known !== null && known !== STATELESS_VERSION;
	if (!isGreeted) return (await discover(http, endpoint, signal)) ?? initialize(http, endpoint, signal);
	try {
		return await initialize(http, endpoint, signal);
	} catch (error) {
		const found = error instanceof McpRefused ? await discover(http, endpoint, signal) : null;
		if (found !== null) return found;
		throw error;
	}
}

/** Null if the server does not know the stateless protocol. */
async function discover(http: Http, endpoint: Endpoint, signal: AbortSignal): Promise<Connection | null> {
	const request = {
		method: "server/discover",
		params: {},
		timeoutMs: TIMEOUT_MS,
		maxCharacters: MAX_CHARACTERS,
	};
	const ask = () => exchange(http, endpoint, STATELESS, request, signal);
	let answered: Answered;
	try {
		answered = await ask().catch((error: unknown) => {
			if (isOfferedAgain(error)) return ask();
			throw error;
		});
	} catch (error) {
		// Servers of older versions refuse an unknown method, or a request without a session, each in its own way.
		const isAnswer = error instanceof McpRefused || error instanceof TerminalError;
		if (isAnswer && !(error instanceof McpUnauthorized)) return null;
		throw error;
	}
	const { result } = answered;
	const versions = result.supportedVersions;
	if (!Array.isArray(versions) || !versions.includes(STATELESS_VERSION)) return null;
	const meta = isObject(result._meta) ? result._meta : {};
	const info = meta["io.modelcontextprotocol/serverInfo"] ?? result.serverInfo;
	return { wire: STATELESS, ...describeServer(info, result) };
}

const UNSUPPORTED_VERSION = -32022;

/** A server may refuse the version and name it among those that it supports, as behind a balancer during an update. */
function isOfferedAgain(error: unknown): boolean {
	if (!(error instanceof McpRefused) || error.code !== UNSUPPORTED_VERSION) return false;
	const supported = isObject(error.data) ? error.data.supported : null;
	return Array.isArray(supported) && supported.includes(STATELESS_VERSION);
}

async function initialize(http: Http, endpoint: Endpoint, signal: AbortSignal): Promise<Connection> {
	const { result, head } = await exchange(
		http,
		endpoint,
		UNKNOWN,
		{
			method: "initialize",
			params: { protocolVersion: VERSIONS[0] as string, capabilities: {}, clientInfo: CLIENT_INFO },
			timeoutMs: TIMEOUT_MS,
			maxCharacters: MAX_CHARACTERS,
		},
		signal,
	);
	const version = result.protocolVersion;
	if (typeof version !== "string" || !VERSIONS.includes(version))
		throw new TerminalError(
			`the MCP server ${JSON.stringify(endpoint.name)} speaks version ${quoteServerText(String(version), 40)} of the protocol; ${[STATELESS_VERSION, ...VERSIONS].join(", ")} are supported`,
		);
	const sessionId = head.headers["mcp-session-id"] ?? null;
	if (sessionId !== null && !SESSION_ID.test(sessionId))
		throw new TerminalError(
			`the MCP server ${JSON.stringify(endpoint.name)} gives a session id that is not valid`,
		);
	const wire: Wire = { version, isStateless: false, sessionId };
	await notify(http, endpoint, wire, "notifications/initialized");
	return { wire, ...describeServer(result.serverInfo, result) };
}

function describeServer(info: unknown, { instructions }: JsonObject): Omit<Connection, "wire"> {
	const given = isObject(info) ? info : {};
	const read = (value: unknown) =>
		typeof value === "string" && value !== "" ? quoteServerText(value, 200) : null;
	return {
		title: read(given.title) ?? read(given.name),
		serverVersion: read(given.version),
		instructions:
			typeof instructions === "string" && instructions !== ""
				? instructions.slice(0, MAX_INSTRUCTIONS_CHARACTERS).replaceAll("\0", "").toWellFormed()
				: null,
	};
}
