/** One request to an address outside: no redirect is followed and no credential added here. */
export interface OutboundHttp {
	/** Rejects with `OutboundRefused` before anything is sent to an address that is not public, or an answer past a limit. */
	send(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer>;
	/** Closes what it keeps open. */
	close(): Promise<void>;
}

export interface HttpRequest {
	readonly method: string;
	readonly url: URL;
	/** By lower-case name. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Uint8Array | string | null;
	/** Until the whole answer is there. */
	readonly timeoutMs: number;
	/** Of the answer's body after decoding. */
	readonly maxBytes: number;
}

export interface HttpAnswer {
	readonly status: number;
	/** By lower-case name; those that came several times are joined by ", ". */
	readonly headers: Readonly<Record<string, string>>;
	/** Decoded. */
	readonly body: Uint8Array;
}

/** Trying again cannot help. */
export class OutboundRefused extends Error {
	override readonly name = "OutboundRefused";
}
