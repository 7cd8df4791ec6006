import type { OutsideAnswer, OutsideRequest, Serve } from "../../outside.ts";
import type { World } from "../../scenario.ts";
import { type OutsideHost, openHost } from "./outside-host.ts";

interface McpTool {
	readonly name: string;
	readonly title?: string;
	readonly description?: string;
	readonly inputSchema: object;
	readonly outputSchema?: object;
}

interface Message {
	readonly id?: string | number;
	readonly method?: string;
	readonly params?: {
		readonly name?: string;
		readonly arguments?: Readonly<Record<string, unknown>>;
		readonly cursor?: string;
		readonly _meta?: Readonly<Record<string, unknown>>;
	};
}

/** What a scripted server does; a scenario may change it while it is used. */
export interface McpScript {
	tools: readonly McpTool[];
	/** Tools on a page of the list. */
	pageSize?: number;
	isStateless?: boolean;
	/** Answers as an event stream, with these messages before the answer. */
	stream?: (message: Message) => readonly object[];
	/** The result of a call. */
	call(name: string, args: Readonly<Record<string, unknown>>, message: Message): object | Promise<object>;
	/** Answers in place of the protocol, if it returns something. */
	intercept?: (message: Message, request: OutsideRequest) => OutsideAnswer | undefined;
}

export interface McpHost extends OutsideHost {
	readonly address: string;
	/** The methods that were called, in order. */
	readonly methods: string[];
	/** Forgets all sessions. */
	forgetSessions(): void;
}

const STATELESS = "2026-07-28";

/** An MCP server at a public host. */
export function openMcpHost(world: World, script: McpScript, name?: string): McpHost {
	const { serve, ...server } = createMcpServer(script);
	const host = openHost(world, serve, name);
	return { ...host, ...server, address: `${host.url}/mcp` };
}

/** The same for any host. */
export function createMcpServer(script: McpScript): Pick<McpHost, "methods" | "forgetSessions"> & {
	readonly serve: Serve;
} {
	const methods: string[] = [];
	let sessions = 0;
	let session: string | null = null;
	return {
		methods,
		forgetSessions() {
			session = null;
		},
		async serve(request) {
			const message = JSON.parse(request.body) as Message;
			methods.push(message.method ?? "response");
			const intercepted = script.intercept?.(message, request);
			if (intercepted !== undefined) return intercepted;
			if (message.id === undefined || message.method === undefined) return { status: 202 };
			if (script.isStateless === true && request.headers["mcp-method"] !== message.method)
				return refuse(message, -32020, "the header does not match");
			if (message.method === "server/discover") {
				if (script.isStateless !== true) return refuse(message, -32601, "unknown method");
				const info = { "io.modelcontextprotocol/serverInfo": { name: "scripted", version: "2" } };
				return reply(message, { supportedVersions: [STATELESS], capabilities: { tools: {} }, _meta: info });
			}
			if (message.method === "initialize") {
				session = `session-${++sessions}`;
				const result = {
					protocolVersion: "2025-06-18",
					capabilities: { tools: {} },
					serverInfo: { name: "scripted", title: "Scripted server", version: "1" },
				};
				return { ...reply(message, result), headers: { "mcp-session-id": session } };
			}
			if (script.isStateless !== true && request.headers["mcp-session-id"] !== session)
				return { status: 404, json: { jsonrpc: "2.0", id: message.id, error: NO_SESSION } };
			if (message.method === "tools/list") return reply(message, listPage(script, message));
			if (message.method !== "tools/call") return refuse(message, -32601, "unknown method");
			const { name: tool = "", arguments: args = {} } = message.params ?? {};
			return reply(message, await script.call(tool, args, message), script.stream?.(message));
		},
	};
}

const NO_SESSION = { code: -32001, message: "no session" };

function listPage({ tools, pageSize = tools.length }: McpScript, { params }: Message): object {
	const start = Number(params?.cursor ?? 0);
	const end = start + pageSize;
	return { tools: tools.slice(start, end), ...(end < tools.length && { nextCursor: String(end) }) };
}

function reply({ id }: Message, result: object, before?: readonly object[]): OutsideAnswer {
	const message = { jsonrpc: "2.0", id, result };
	if (before === undefined) return { json: message };
	const events = [...before.map((one) => ({ jsonrpc: "2.0", ...one })), message];
	return {
		headers: { "content-type": "text/event-stream" },
		body: `: hello\n\n${events.map((one) => `event: message\ndata: ${JSON.stringify(one)}\n\n`).join("")}`,
	};
}

const refuse = ({ id }: Message, code: number, message: string): OutsideAnswer => ({
	status: 400,
	json: { jsonrpc: "2.0", id, error: { code, message } },
});

export const toText = (text: string) => ({ content: [{ type: "text", text }] });
