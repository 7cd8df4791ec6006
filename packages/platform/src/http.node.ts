import { Agent } from "undici";
import type { OutboundHttp } from "./http.ts";
import { Call } from "./http-call.node.ts";
import { checkRequest, MAX_HEADER_BYTES } from "./http-checks.ts";
import { type Dial, guardedConnector, type Resolve } from "./http-connector.node.ts";
import { type GuardOptions, outboundGuard } from "./http-guard.ts";
import { hostSlots } from "./http-slots.ts";

export interface NodeHttpOptions extends GuardOptions {
	/** Calls at the same time to each host; others wait. */
	readonly perHost?: number;
	readonly resolve?: Resolve;
	readonly dial?: Dial;
}

/** A connection that is kept open leads to an address that was checked. */
export function nodeHttp(options: NodeHttpOptions): OutboundHttp {
	const { perHost = 64 } = options;
	const guard = outboundGuard(options);
	const connector = guardedConnector({ guard, resolve: options.resolve, dial: options.dial });
	const slots = hostSlots(perHost);
	const agent = new Agent({
		connect: connector.connect,
		connections: perHost,
		allowH2: false,
		maxHeaderSize: MAX_HEADER_BYTES,
		keepAliveTimeout: 4_000,
		keepAliveMaxTimeout: 30_000,
		// A call has one limit for all of its time.
		headersTimeout: 0,
		bodyTimeout: 0,
	});

	return {
		async send(request, signal) {
			signal.throwIfAborted();
			guard.checkUrl(request.url);
			checkRequest(request);
			return new Call(request, signal, slots, agent).answer;
		},
		async close() {
			connector.close();
			await agent.destroy();
		},
	};
}
