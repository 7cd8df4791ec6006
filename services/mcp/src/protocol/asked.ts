import type { AuthInfo, ServerContext } from "@modelcontextprotocol/server";
import type { ExecutorClient } from "@tripline/executor/client";
import type { StoreClient } from "@tripline/store/client";
import type { Incoming } from "@tripline/web/exchange";
import type { McpCaller } from "../callers.ts";
import type { HeldOutputs } from "../tools/held-outputs.ts";
import type { ToolContext } from "../tools/tool.ts";

/** One request, on its way through the SDK to a method's handler. */
export interface Asked {
	readonly method: string | undefined;
	readonly caller: McpCaller;
	/** The server's own. */
	readonly origin: string;
	readonly requestId: string;
}

/** The one place where the SDK carries what is the caller's. The token itself goes no further than its check. */
export const authInfoOf = (asked: Asked): AuthInfo => ({
	token: "",
	clientId: asked.caller.by,
	scopes: [],
	extra: { asked },
});

export const askedOf = (authInfo: AuthInfo | undefined): Asked => authInfo?.extra?.asked as Asked;

/**
 * Of `Request` what the SDK reads of one whose body is parsed already: making a whole one costs more than the rest of
 * the way to the handler. With the caller's hang-up, which ends the exchange and what it started.
 */
export const requestOf = ({ method, url, headers, signal }: Incoming): Request =>
	({
		method,
		url,
		signal,
		// Clients that accept less, or anything, are answered all the same: the SDK would refuse them with 406.
		headers: {
			get: (name: string) =>
				name === "accept" ? "application/json, text/event-stream" : headers.get(name.toLowerCase()),
		},
	}) as unknown as Request;

export interface ContextDeps {
	readonly executor: ExecutorClient;
	readonly store: StoreClient;
	readonly outputs: HeldOutputs;
	/** The executor answers at the same address, so that webhooks' addresses are made from the caller's. */
	readonly sharesAddress: boolean;
}

export function toolContext(
	{ executor, store, outputs, sharesAddress }: ContextDeps,
	{ caller: { namespace }, origin }: Asked,
	{ mcpReq }: ServerContext,
): ToolContext {
	const progressToken = mcpReq._meta?.progressToken;
	return {
		namespace,
		origin,
		get executor() {
			return executor.as(namespace, sharesAddress ? origin : undefined);
		},
		store,
		outputs,
		// Without sessions a client's notifications/cancelled reaches another server object: only its hang-up is seen.
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
