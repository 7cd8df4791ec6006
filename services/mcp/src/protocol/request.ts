import type { AuthInfo, ServerContext } from "@modelcontextprotocol/server";
import type { ExecutorClient } from "@tripline/executor/client";
import type { StoreClient } from "@tripline/store/client";
import type { Incoming } from "@tripline/web/http-message";
import type { McpCaller } from "../callers.ts";
import type { HeldOutputs } from "../tools/held-outputs.ts";
import type { ToolContext } from "../tools/tool.ts";
import { chooseClientName } from "./client-name.ts";

const CLIENT_INFO = "io.modelcontextprotocol/clientInfo";

/** A request as it is passed through the SDK to a method's handler. */
export interface McpRequest {
	readonly method: string | undefined;
	readonly caller: McpCaller;
	/** The server's own origin. */
	readonly origin: string;
	readonly requestId: string;
	readonly userAgent: string | null;
}

/** `AuthInfo` is the only field in which the SDK passes caller data on. The token itself is not passed on. */
export const toAuthInfo = (asked: McpRequest): AuthInfo => ({
	token: "",
	clientId: asked.caller.by,
	scopes: [],
	extra: { asked },
});

export const readMcpRequest = (authInfo: AuthInfo | undefined): McpRequest =>
	authInfo?.extra?.asked as McpRequest;

/**
 * Only what the SDK reads of a `Request` whose body is already parsed: building a real one costs more than everything
 * else before the handler. The signal aborts when the caller disconnects, and cancels the work it started.
 */
export const toSdkRequest = ({ method, url, headers, signal }: Incoming): Request =>
	({
		method,
		url,
		signal,
		// The SDK would answer 406 to clients that accept only one of these types, or anything.
		headers: {
			get: (name: string) =>
				name === "accept" ? "application/json, text/event-stream" : headers.get(name.toLowerCase()),
		},
	}) as unknown as Request;

export interface ContextDeps {
	readonly executor: ExecutorClient;
	readonly store: StoreClient;
	readonly outputs: HeldOutputs;
	/** The executor is served at the same address, so webhook URLs are built from the request's origin. */
	readonly sharesAddress: boolean;
}

export function createToolContext(
	{ executor, store, outputs, sharesAddress }: ContextDeps,
	{ caller: { namespace, clientName }, origin, userAgent }: McpRequest,
	{ mcpReq }: ServerContext,
): ToolContext {
	const progressToken = mcpReq._meta?.progressToken;
	return {
		namespace,
		origin,
		get executor() {
			const { [CLIENT_INFO]: info } = (mcpReq.envelope ?? {}) as {
				[CLIENT_INFO]?: { name?: unknown } | null;
			};
			const client = chooseClientName({ registered: clientName, info: info?.name, userAgent });
			return executor.as(namespace, { baseUrl: sharesAddress ? origin : undefined, by: { client } });
		},
		store,
		outputs,
		// Without sessions, notifications/cancelled reaches another server object: only a disconnect is noticed.
		signal: mcpReq.signal,
		async progress(done, total, message) {
			if (progressToken === undefined || mcpReq.signal.aborted) return;
			await mcpReq.notify({
				method: "notifications/progress",
				params: { progressToken, progress: done, message, ...(total !== undefined && { total }) },
			});
		},
	};
}
