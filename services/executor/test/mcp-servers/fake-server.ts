import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createTokens } from "@tripline/components/auth/tokens";
import type { Effects } from "@tripline/components/effects";
import { createMcpComponents } from "@tripline/components/mcp/component";
import { createOutbound } from "@tripline/components/outbound/create";
import { createPlaceholders } from "@tripline/components/outbound/placeholders";
import type { Json } from "@tripline/contract/json";
import type { McpServerWithName, PinnedTool } from "@tripline/contract/mcp-servers";
import type { JsonObject } from "@tripline/contract/workflows";
import { parseAllowedHosts } from "@tripline/platform/addresses";
import { systemClock } from "@tripline/platform/clock";
import { type NodeHttpOptions, nodeHttp } from "@tripline/platform/http.node";
import { memoryFiles } from "../../../../packages/components/test/memory-files.ts";
import { mcpSessions } from "../../src/mcp-servers/sessions.ts";

export interface Received {
	readonly id?: number;
	readonly method?: string;
	readonly params?: JsonObject;
}

/** Answers one request; what it leaves out is answered as by a well-behaved server. */
type Misbehave = (
	message: Received,
	response: ServerResponse,
	request: IncomingMessage,
) => boolean | undefined;

export const ECHO = {
	name: "echo",
	description: "Gives back a text",
	inputSchema: { type: "object", properties: { text: { type: "string" } } },
};

export interface FakeServer {
	readonly url: string;
	readonly received: Received[];
	tools: readonly object[];
	misbehave: Misbehave;
	/** Bytes that were written to clients. */
	written(): number;
	stop(): Promise<void>;
}

export async function startFakeServer(): Promise<FakeServer> {
	let written = 0;
	const fake = {
		url: "",
		received: [] as Received[],
		tools: [ECHO] as readonly object[],
		misbehave: (() => undefined) as Misbehave,
		written: () => written,
		async stop() {
			server.closeAllConnections();
			server.close();
			await once(server, "close");
		},
	};
	const server: Server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk);
		const message = JSON.parse(Buffer.concat(chunks).toString() || "{}") as Received;
		fake.received.push(message);
		response.on("close", () => {
			written += response.socket?.bytesWritten ?? 0;
		});
		if (fake.misbehave(message, response, request) === true) return;
		if (message.id === undefined || message.method === undefined) response.writeHead(202).end();
		else answer(response, message, respond(message, fake.tools));
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
	return fake;
}

function respond({ method, params }: Received, tools: readonly object[]): object {
	switch (method) {
		case "initialize":
			return { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "fake", version: "1" } };
		case "tools/list":
			return { tools };
		case "tools/call":
			return toText(String((params?.arguments as JsonObject)?.text));
		default:
			return {};
	}
}

export const toText = (text: string) => ({ content: [{ type: "text", text }] });

export function answer(response: ServerResponse, { id }: Received, result: object): true {
	response.writeHead(200, { "content-type": "application/json" });
	response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
	return true;
}

export function startEvents(response: ServerResponse): (message: object) => boolean {
	response.writeHead(200, { "content-type": "text/event-stream" });
	return (message) => response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`);
}

interface UserOptions extends Omit<NodeHttpOptions, "allow"> {
	readonly openTimeoutMs?: number;
	/** Private hosts that may be reached. */
	readonly allow?: string;
}

/** Uses a server as the service does, with the guard of the platform. */
export function createUser(options: UserOptions = {}) {
	const { openTimeoutMs, allow = "127.0.0.1", ...more } = options;
	const port = nodeHttp({ allow: parseAllowedHosts(allow), ...more });
	const http = createOutbound({
		send: port.send,
		clock: systemClock,
		tokens: createTokens({ clock: systemClock, sharesPromises: true }),
		placeholders: createPlaceholders(),
		credential: async () => null,
	});
	const sessions = mcpSessions({
		clock: systemClock,
		sharesPromises: true,
		...(openTimeoutMs !== undefined && { openTimeoutMs }),
	});
	const endpoint = (url: string) => ({ name: "fake", url, credential: null });

	return {
		list: async (url: string) => (await sessions.list("tenant", endpoint(url), null, http)).offered,

		/** Adds the server with what it offers now. */
		async add(url: string): Promise<McpServerWithName> {
			const { offered, connection } = await sessions.list("tenant", endpoint(url), null, http);
			return toServer(url, offered.tools, connection.wire.version ?? "");
		},

		/** Runs a node with a tool, as it was accepted. */
		async call(
			server: McpServerWithName,
			args: JsonObject,
			{
				tool = "echo",
				timeoutMs = 2_000,
				signal = new AbortController().signal,
				log = (_line: string) => {},
			} = {},
		): Promise<Json> {
			const component = createMcpComponents(server).find(({ id }) => id === `mcp:fake.${tool}`);
			if (component === undefined) throw new Error(`there is no tool ${tool}`);
			const params = component.params.parse(args) as JsonObject;
			const effects = {
				mcp: {
					call: (...[of, pinned, given, call]: Parameters<Effects["mcp"]["call"]>) =>
						sessions.call("tenant", of, pinned, given, http, call),
				},
				files: memoryFiles().files,
			} as unknown as Effects;
			const node = { id: "node", credential: undefined, timeoutMs };
			const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
			return component.run({ params, node, effects, signal: limited, log } as Parameters<
				typeof component.run
			>[0]);
		},

		close: () => port.close(),
	};
}

export type User = ReturnType<typeof createUser>;

export const toServer = (
	url: string,
	tools: readonly PinnedTool[],
	protocol_version = "2025-11-25",
): McpServerWithName => ({
	...{ name: "fake", url, credential: null, title: null, server_version: null, protocol_version },
	...{ instructions: null, tools, skipped: [], offered: null, added_at: "", checked_at: "" },
});
