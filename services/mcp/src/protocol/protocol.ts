import type { McpHttpHandler } from "@modelcontextprotocol/server";
import type { Incoming } from "@tripline/web/http-message";
import type { McpCaller } from "../callers.ts";
import { readMessage } from "./message.ts";
import { toAuthInfo, toSdkRequest } from "./request.ts";
import { type Sdk, type ServerDeps, serverFactory } from "./server.ts";
import type { Surface } from "./surface.ts";

/** Workers notice a disconnected client only when writing to it. */
const KEEP_ALIVE_MS = 5_000;

export interface ProtocolDeps extends Omit<ServerDeps, "surface"> {
	/**
	 * Loaded at the first request, so that a process starts fast. The caller decides how: in a bundle for Workers a
	 * dynamic import would leave shared modules uninitialized.
	 */
	sdk(): Promise<Sdk>;
	surface(): Promise<Surface>;
	readonly maxBodyBytes: number;
}

export interface Protocol {
	/** The caller is already authenticated; `origin` is the server's own. */
	handle(request: Incoming, caller: McpCaller, origin: string, requestId: string): Promise<Response>;
	close(): Promise<void>;
}

/** The Model Context Protocol over HTTP, revisions 2026-07-28 and those before it, without sessions. */
export function createProtocol(deps: ProtocolDeps): Protocol {
	let handler: McpHttpHandler | undefined;

	return {
		async handle(request, caller, origin, requestId) {
			const message = await readMessage(request, deps.maxBodyBytes);
			if (message instanceof Response) return message;
			const { fetch } = handler ?? (await load());
			const method = "method" in message && typeof message.method === "string" ? message.method : undefined;
			return fetch(toSdkRequest(request), {
				authInfo: toAuthInfo({
					method,
					caller,
					origin,
					requestId,
					userAgent: request.headers.get("user-agent"),
				}),
				parsedBody: message,
			});
		},

		async close() {
			await handler?.close();
		},
	};

	/** Concurrent requests each load on their own: on Workers a request cannot await another's promise. */
	async function load(): Promise<McpHttpHandler> {
		const [sdk, surface] = await Promise.all([deps.sdk(), deps.surface()]);
		handler ??= sdk.createMcpHandler(serverFactory(sdk, { ...deps, surface }), {
			keepAliveMs: KEEP_ALIVE_MS,
		});
		return handler;
	}
}
