import { executorClient } from "@tripline/executor/client";
import type { Log, LogFields } from "@tripline/platform/log";
import { storeClient } from "@tripline/store/client";
import { TooLong, toIncomingHeaders } from "@tripline/web/http-message";
import {
	buildMeta,
	type Era,
	type Fields,
	LEGACY,
	type Message,
	MODERN,
	parseMessages,
} from "../../../../test/mcp/wire.ts";
import { createProtocol, type Protocol } from "../../src/protocol/protocol.ts";
import type { Surface } from "../../src/protocol/surface.ts";
import type { Tool, ToolContext } from "../../src/tools/tool.ts";

export interface Answered {
	readonly status: number;
	readonly headers: Headers;
	/** The messages before the last one. */
	readonly notifications: readonly Message<Result>[];
	/** The last message. */
	readonly result: Result;
	readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
	readonly id: unknown;
}

/** The fields of results that the tests read. */
export interface Result {
	readonly resultType: string;
	readonly protocolVersion: string;
	readonly supportedVersions: readonly string[];
	readonly capabilities: Fields;
	readonly instructions: string;
	readonly serverInfo: Fields;
	readonly tools: readonly ({ readonly name: string } & Fields)[];
	readonly prompts: readonly Fields[];
	readonly resources: readonly Fields[];
	readonly resourceTemplates: readonly Fields[];
	readonly contents: readonly Fields[];
	readonly messages: readonly Fields[];
	readonly completion: {
		readonly values: readonly string[];
		readonly total: number;
		readonly hasMore: boolean;
	};
	readonly content: readonly { readonly type: string; readonly text: string }[];
	readonly structuredContent: Fields;
	readonly isError: boolean | undefined;
	readonly nextCursor: string | undefined;
	readonly ttlMs: number | undefined;
	readonly cacheScope: string | undefined;
	readonly _meta: Fields;
}

export interface Sent {
	readonly era?: Era;
	readonly headers?: Readonly<Record<string, string>>;
	readonly meta?: Readonly<Record<string, unknown>>;
	readonly signal?: AbortSignal;
	readonly namespace?: string;
	readonly id?: string | number;
}

/** A protocol with a small surface, and helpers to call it. */
export function createAsking(parts: Partial<Surface> = {}) {
	const logged: { level: string; message: string; fields: LogFields | undefined }[] = [];
	const log: Log = (level, message, fields) => void logged.push({ level, message, fields });
	let loads = 0;
	const nowhere = { baseUrl: "http://nowhere", fetch: () => Promise.reject(new Error("nothing is called")) };
	const surface: Surface = {
		instructions: "Ask for tools.",
		tools: [],
		listTenantTools: async () => [],
		findTenantTool: async () => null,
		resources: {
			list: async () => ({ resources: [] }),
			templates: [],
			read: async () => null,
			complete: async () => [],
		},
		prompts: [],
		...parts,
	};
	const protocol = createProtocol({
		sdk: () => import("../../src/protocol/sdk.ts"),
		async surface() {
			loads++;
			return surface;
		},
		version: "1.2.3",
		maxBodyBytes: 10_000,
		log,
		executor: executorClient(nowhere),
		store: storeClient(nowhere),
		outputs: { hold: () => 0, find: async () => undefined },
		sharesAddress: true,
	});
	return {
		protocol,
		logged,
		/** How often the surface was loaded. */
		loads: () => loads,
		ask: (method: string, params: Fields = {}, sent: Sent = {}) =>
			send(protocol, buildMessage(method, params, sent), {
				...sent,
				headers: { ...buildHeaders(method, params, sent.era ?? MODERN), ...sent.headers },
			}),
		/** Sends a body unchanged. */
		post: (body: string, sent: Sent & { readonly httpMethod?: string } = {}) =>
			send(protocol, body, { ...sent, headers: { "content-type": "application/json", ...sent.headers } }),
	};
}

export function createTool(
	name: string,
	call: (args: unknown, context: ToolContext) => Promise<Awaited<ReturnType<Tool["call"]>>>,
): Tool {
	return {
		name,
		title: `Title of ${name}`,
		description: `What ${name} does`,
		hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
		inputSchema: { type: "object", properties: { size: { type: "integer" } } },
		outputSchema: { type: "object" },
		call,
	};
}

export function buildMessage(method: string, params: Fields, { era = MODERN, meta, id = 1 }: Sent): string {
	const _meta = buildMeta(era, "test", meta);
	return JSON.stringify({
		jsonrpc: "2.0",
		id,
		method,
		params: { ...params, ...(_meta !== undefined && { _meta }) },
	});
}

export function buildHeaders(method: string, params: Fields, era: Era): Record<string, string> {
	const common = { "content-type": "application/json", "mcp-protocol-version": era };
	if (era === LEGACY) return common;
	const name = params.name ?? params.uri;
	return { ...common, "mcp-method": method, ...(typeof name === "string" && { "mcp-name": name }) };
}

async function send(
	protocol: Protocol,
	body: string,
	{ headers = {}, signal, namespace = "acme", httpMethod = "POST" }: Sent & { readonly httpMethod?: string },
): Promise<Answered> {
	const bytes = new TextEncoder().encode(body);
	const response = await protocol.handle(
		{
			method: httpMethod,
			url: "http://tripline.test/mcp",
			headers: toIncomingHeaders(headers),
			signal,
			bytes: async (most) => {
				if (bytes.length > most) throw new TooLong();
				return bytes;
			},
			async *stream() {
				yield bytes;
			},
		},
		{ namespace, by: "static", tokenId: null, clientName: null },
		"http://tripline.test",
		"req-7",
	);
	const messages = parseMessages<Result>(await response.text());
	const last = messages.at(-1) ?? {};
	return {
		status: response.status,
		headers: response.headers,
		notifications: messages.slice(0, -1),
		result: last.result as Result,
		error: last.error as Answered["error"],
		id: last.id,
	};
}
