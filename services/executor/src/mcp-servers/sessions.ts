import { rejectOnAbort } from "@tripline/components/auth/reject-on-abort";
import type { Effects, McpCalls } from "@tripline/components/effects";
import type { Connection } from "@tripline/components/mcp/connect";
import type { Endpoint } from "@tripline/components/mcp/exchange";
import type { OfferedTools } from "@tripline/components/mcp/list-tools";
import type { McpServerWithName, PinnedTool } from "@tripline/contract/mcp-servers";
import type { JsonObject } from "@tripline/contract/workflows";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { Clock } from "@tripline/platform/clock";

type Http = Effects["http"];
type Client = typeof import("./client.ts");
type ToolCall = Parameters<McpCalls["call"]>[3];

/** What is known of a server in this process. */
interface Session {
	readonly connection: Connection;
	/** Of the tools that the server offers, by name. */
	readonly hashes: ReadonlyMap<string, string>;
	/** When the tools are listed again. */
	until: number;
}

export interface Listed {
	readonly connection: Connection;
	readonly offered: OfferedTools;
}

export type McpSessions = ReturnType<typeof mcpSessions>;

/** How long a change of the tools may go unnoticed if the server does not announce it. */
const LIST_MS = 10 * 60_000;
const OPEN_TIMEOUT_MS = 60_000;
const MAX_SESSIONS = 1_000;

/** The sessions with MCP servers, one for each server of a tenant. Its runs share it. */
export function mcpSessions(deps: {
	readonly clock: Clock;
	/** False on Workers, where a request must not await another's promise. */
	readonly sharesPromises: boolean;
	/** Until a server has agreed on a version and listed its tools. */
	readonly openTimeoutMs?: number;
}) {
	const { clock, openTimeoutMs = OPEN_TIMEOUT_MS } = deps;
	const sessions = new Map<string, Session>();
	const opening = new Map<string, Promise<Session>>();
	let client: Client | undefined;

	return {
		/** Lists the tools that the server offers now, in the session that runs use. `known` is the version of the protocol. */
		async list(namespace: string, endpoint: Endpoint, known: string | null, http: Http): Promise<Listed> {
			const signal = AbortSignal.timeout(openTimeoutMs);
			return list(buildKey(namespace, endpoint), endpoint, known, http, signal);
		},

		/** Ends the session of this process, if there is one. */
		async end(namespace: string, endpoint: Endpoint, http: Http): Promise<void> {
			const key = buildKey(namespace, endpoint);
			const session = sessions.get(key);
			if (session === undefined || !sessions.delete(key)) return;
			const { endSession } = client ?? (await load());
			await endSession(http, endpoint, session.connection.wire);
		},

		/** See `McpCalls.call`. */
		async call(
			namespace: string,
			server: McpServerWithName,
			tool: PinnedTool,
			args: JsonObject,
			http: Http,
			call: ToolCall,
		): Promise<JsonObject> {
			const { callTool, McpSessionLost, toNodeError } = client ?? (await load());
			const key = buildKey(namespace, server);
			for (let hasReopened = false; ; hasReopened = true) {
				try {
					const session = findSession(key) ?? (await open(key, server, http, call.signal));
					assertUnchanged(server, tool, session);
					const { wire } = session.connection;
					return await callTool(http, server, wire, tool, args, call, () => {
						session.until = 0;
					});
				} catch (error) {
					if (!(error instanceof McpSessionLost) || hasReopened) throw toNodeError(error);
					sessions.delete(key);
				}
			}
		},
	};

	async function load(): Promise<Client> {
		client = await import("./client.ts");
		return client;
	}

	function findSession(key: string): Session | undefined {
		const session = sessions.get(key);
		return session !== undefined && clock.now() < session.until ? session : undefined;
	}

	/** Whoever waits for it may leave: it does not end with the run that started it. */
	function open(key: string, server: McpServerWithName, http: Http, signal: AbortSignal): Promise<Session> {
		const start = async () => {
			const limit = AbortSignal.timeout(openTimeoutMs);
			await list(key, server, server.protocol_version, http, limit);
			return sessions.get(key) as Session;
		};
		if (!deps.sharesPromises) return start();
		let promise = opening.get(key);
		if (promise === undefined) {
			promise = start().finally(() => opening.delete(key));
			opening.set(key, promise);
		}
		return rejectOnAbort(promise, signal);
	}

	async function list(
		key: string,
		endpoint: Endpoint,
		known: string | null,
		http: Http,
		signal: AbortSignal,
	): Promise<Listed> {
		const { connect, listTools, McpSessionLost } = client ?? (await load());
		const before = sessions.get(key)?.connection;
		let connection = before ?? (await connect(http, endpoint, signal, known));
		let offered: OfferedTools;
		try {
			offered = await listTools(http, endpoint, connection.wire, signal);
		} catch (error) {
			if (before === undefined || !(error instanceof McpSessionLost)) throw error;
			sessions.delete(key);
			connection = await connect(http, endpoint, signal, known);
			offered = await listTools(http, endpoint, connection.wire, signal);
		}
		const hashes = new Map(offered.tools.map(({ name, hash }) => [name, hash]));
		if (sessions.size >= MAX_SESSIONS) sessions.delete(sessions.keys().next().value as string);
		sessions.set(key, { connection, hashes, until: clock.now() + LIST_MS });
		return { connection, offered };
	}
}

const buildKey = (namespace: string, { name, url, credential }: Endpoint): string =>
	JSON.stringify([namespace, name, url, credential]);

function assertUnchanged(server: McpServerWithName, tool: PinnedTool, { hashes }: Session): void {
	const live = hashes.get(tool.name);
	if (live === tool.hash) return;
	const where = `the MCP server ${JSON.stringify(server.name)}`;
	const how = `POST /mcp-servers/${server.name}/refresh shows how; it is used once the owner has accepted that`;
	throw new TerminalError(
		live === undefined
			? `${where} no longer offers the tool ${tool.name}`
			: `${where} has changed the tool ${tool.name} since it was accepted: ${how}`,
	);
}
