/** Sends single requests to external addresses. It follows no redirects and adds no credentials. */
export interface OutboundHttp {
	/** Rejects with `OutboundRefused` for a non-public address, before anything is sent, or for a response past a limit. */
	send(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer>;
	/** Closes open connections. */
	close(): Promise<void>;
}

export interface HttpRequest {
	readonly method: string;
	readonly url: URL;
	/** By lowercase name. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Uint8Array | string | null;
	/** Until the complete response has arrived. */
	readonly timeoutMs: number;
	/** Limit of the decoded response body. */
	readonly maxBytes: number;
}

export interface HttpAnswer {
	readonly status: number;
	/** By lowercase name; repeated headers are joined by ", ". */
	readonly headers: Readonly<Record<string, string>>;
	/** Decoded. */
	readonly body: Uint8Array;
}

/** A permanent failure: retrying cannot help. */
export class OutboundRefused extends Error {
	override readonly name = "OutboundRefused";
}
