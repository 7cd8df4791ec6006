import type { Dial, Resolve } from "./guarded-dial.node.ts";
import type { OutboundHttp } from "./http.ts";
import { checkRequest } from "./http-checks.ts";
import type { Client } from "./http-client.node.ts";
import { type GuardOptions, outboundGuard } from "./http-guard.ts";

export interface NodeHttpOptions extends GuardOptions {
	/** Concurrent calls to each host; others wait. */
	readonly perHost?: number;
	readonly resolve?: Resolve;
	readonly dial?: Dial;
}

/** The client is loaded at the first call, because loading it takes a tenth of the start-up time. */
export function nodeHttp(options: NodeHttpOptions): OutboundHttp {
	const { perHost = 64, resolve, dial } = options;
	const guard = outboundGuard(options);
	let opening: Promise<Client> | undefined;
	let client: Client | undefined;
	let isClosed = false;

	return {
		async send(request, signal) {
			signal.throwIfAborted();
			guard.checkUrl(request.url);
			checkRequest(request);
			client ??= await loadClient();
			signal.throwIfAborted();
			if (isClosed) throw new Error("outbound calls are closed");
			return client.send(request, signal);
		},
		async close() {
			isClosed = true;
			await (await opening)?.close();
		},
	};

	function loadClient(): Promise<Client> {
		opening ??= import("./http-client.node.ts").then(({ openClient }) =>
			openClient({ guard, perHost, resolve, dial }),
		);
		return opening;
	}
}
