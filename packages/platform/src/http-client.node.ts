import { Agent } from "undici";
import type { Dial, Resolve } from "./guarded-dial.node.ts";
import type { HttpAnswer, HttpRequest } from "./http.ts";
import { Call } from "./http-call.node.ts";
import { MAX_HEADER_BYTES } from "./http-checks.ts";
import { guardedConnector } from "./http-connector.node.ts";
import type { OutboundGuard } from "./http-guard.ts";
import { hostSlots } from "./http-slots.ts";

export interface ClientOptions {
	readonly guard: OutboundGuard;
	/** Concurrent calls to each host; others wait. */
	readonly perHost: number;
	readonly resolve: Resolve | undefined;
	readonly dial: Dial | undefined;
}

export type Client = ReturnType<typeof openClient>;

/** Kept connections are safe to reuse, because their address was checked. */
export function openClient({ guard, perHost, resolve, dial }: ClientOptions) {
	const connector = guardedConnector({ guard, resolve, dial });
	const slots = hostSlots(perHost);
	const agent = new Agent({
		connect: connector.connect,
		connections: perHost,
		allowH2: false,
		maxHeaderSize: MAX_HEADER_BYTES,
		keepAliveTimeout: 4_000,
		keepAliveMaxTimeout: 30_000,
		// A call has a single timeout for its whole duration.
		headersTimeout: 0,
		bodyTimeout: 0,
	});
	return {
		send: (request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> =>
			new Call(request, signal, slots, agent).answer,
		async close(): Promise<void> {
			connector.close();
			await agent.destroy();
		},
	};
}
