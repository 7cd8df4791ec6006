import { buildMeta, type Era, type Fields, type Message, MODERN, parseMessages } from "../mcp/wire.ts";
import type { Answer, Client } from "./client.ts";

/** The response: one message, or a stream whose last message is the answer. */
export interface McpAnswer extends Answer, Message {
	readonly notifications: readonly Message[];
}

export interface Sent {
	readonly era?: Era;
	readonly id?: string | number;
	readonly meta?: Fields;
	/** Name, value, name, value. */
	readonly headers?: readonly string[];
}

export const bearer = (token: string): readonly string[] => ["authorization", `Bearer ${token}`];

/** Builds a request as a client of that era would, from any parts. */
export function buildRequest(
	method: unknown,
	params: unknown,
	{ era = MODERN, id = 1, meta, headers = [] }: Sent = {},
): { readonly headers: readonly string[]; readonly body: string } {
	const _meta = buildMeta(era, "security", meta);
	const isObject = typeof params === "object" && params !== null && !Array.isArray(params);
	const all = isObject && _meta !== undefined ? { ...params, _meta } : params;
	const { name, uri } = (isObject ? params : {}) as { name?: unknown; uri?: unknown };
	const named = name ?? uri;
	return {
		headers: [
			...["content-type", "application/json", "mcp-protocol-version", era],
			...(era === MODERN && typeof method === "string" ? ["mcp-method", toHeaderText(method)] : []),
			...(era === MODERN && typeof named === "string" ? ["mcp-name", toHeaderText(named)] : []),
			...headers,
		],
		body: JSON.stringify({ jsonrpc: "2.0", id, method, params: all }),
	};
}

/** Sends one request to /mcp. */
export async function ask(
	client: Client,
	token: string | null,
	method: string,
	params: Fields = {},
	sent: Sent = {},
): Promise<McpAnswer> {
	const { headers, body } = buildRequest(method, params, sent);
	const from = token === null ? [] : bearer(token);
	return parseAnswer(await client.call("POST", "/mcp", { headers: [...from, ...headers], body }));
}

export function parseAnswer(answer: Answer): McpAnswer {
	const messages = parseMessages(answer.text);
	return { ...answer, ...messages.at(-1), notifications: messages.slice(0, -1) };
}

/** Omits long names; the protocol encodes non-ASCII names in base64. */
const toHeaderText = (name: string): string =>
	/^[\x20-\x7e]*$/.test(name)
		? name.slice(0, 8_000)
		: `=?base64?${Buffer.from(name).toString("base64").slice(0, 8_000)}?=`;
