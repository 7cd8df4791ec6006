import { executorClient } from "@tripline/executor/client";
import { findOriginProblem } from "@tripline/mcp/protocol/origin";
import { createProtocol } from "@tripline/mcp/protocol/protocol";
import * as sdk from "@tripline/mcp/protocol/sdk";
import type { Surface } from "@tripline/mcp/protocol/surface";
import { storeClient } from "@tripline/store/client";
import { toIncoming } from "@tripline/web/http-message";

const LOCAL_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;
const CALLER = { namespace: "default", by: "static", tokenId: null, clientName: null } as const;

/** The protocol without the rest of the service, on either platform. Anyone on this machine may call. */
export function endpoint(surface: Surface) {
	const nowhere = {
		baseUrl: "http://nowhere",
		fetch: () => Promise.reject(new Error("fixtures call no service")),
	};
	const protocol = createProtocol({
		sdk: async () => sdk,
		surface: async () => surface,
		version: "0.0.0",
		maxBodyBytes: 1_048_576,
		log: () => {},
		executor: executorClient(nowhere),
		store: storeClient(nowhere),
		outputs: { hold: () => 0, find: async () => undefined },
		sharesAddress: false,
	});
	return {
		close: protocol.close,
		async fetch(request: Request): Promise<Response> {
			const host = request.headers.get("host") ?? "";
			const own = `http://${host}`;
			const problem = findOriginProblem(request.headers.get("origin"), { own: [own], redirectHosts: [] });
			if (!LOCAL_HOST.test(host) || problem !== null) return new Response(null, { status: 403 });
			return protocol.handle(toIncoming(request), CALLER, own, "request");
		},
	};
}
