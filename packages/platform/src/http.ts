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
	readonly body: Uint8Array | string | StreamedBody | null;
	/** Until the complete response has arrived, and the sink has taken it. */
	readonly timeoutMs: number;
	/** Limit of the decoded response body, unless a sink takes it. */
	readonly maxBytes: number;
	/** For a response that may be too large for memory. */
	readonly sink?: ResponseSink | undefined;
}

/** A body that is read while it is sent. */
export interface StreamedBody {
	/** In bytes; the call fails if there are more or fewer. */
	readonly size: number;
	/** May be called again, for a retry or a redirect. The chunks are given away: their memory may be freed. */
	open(): AsyncIterable<Uint8Array>;
}

export interface HttpHead {
	readonly status: number;
	/** By lowercase name; repeated headers are joined by ", ". Without those of an encoding that was decoded. */
	readonly headers: Readonly<Record<string, string>>;
}

export interface ResponseSink {
	/** Limit of the decoded body. */
	readonly maxBytes: number;
	/** Returns what takes the body of this response, or null if the answer should hold it. */
	open(head: HttpHead): TakeBody | null;
}

/**
 * Reads the decoded body at its own pace. A chunk is valid only until the next one is asked for. The content throws if the response ends early, is too large or the call is
 * aborted; the call then rejects with that error, but only after this promise has settled. If this rejects by itself,
 * so does the call, with the same error.
 */
export type TakeBody = (content: AsyncIterable<Uint8Array>) => Promise<unknown>;

export interface HttpAnswer extends HttpHead {
	/** Decoded. Empty if the request's sink took it. */
	readonly body: Uint8Array;
}

/** A permanent failure: retrying cannot help. */
export class OutboundRefused extends Error {
	override readonly name = "OutboundRefused";
}
