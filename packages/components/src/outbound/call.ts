import type { Json } from "@tripline/contract/json";
import type { OpenFile } from "../open-file.ts";
import type { Email } from "./email/message.ts";

/** A call to an outside address on behalf of a node. */
export interface OutboundCall {
	readonly method: string;
	readonly url: string;
	/** Added to the URL's own query; null is omitted, a list repeats the name. */
	readonly query?: Readonly<Record<string, Json>>;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: OutboundBody;
	/** Name of the tenant's credential that authorizes the call. */
	readonly credential?: string | undefined;
	/** Auth recipes that the credential may use; any if left out. */
	readonly authRecipes?: readonly string[];
	/** Hosts that the call may reach, including redirects; any if left out. */
	readonly hosts?: readonly string[];
	readonly timeoutMs?: number;
	/** Limit for the decoded response, unless the sink takes it. */
	readonly maxBytes?: number;
	/** For a response that may be too large for memory, such as a file. */
	readonly sink?: OutboundSink;
}

/** Takes the body of the last response, never that of a redirect. */
export interface OutboundSink {
	/** If false, the answer holds the body. */
	accepts(status: number): boolean;
	/** Lines are passed on as soon as they are complete: for a stream of events, in which no value extends over lines. */
	readonly byLine?: true;
	/**
	 * Reads the whole body, of which a chunk is valid only until the next one is asked for. If the content throws, this
	 * must undo what it did, and reject.
	 */
	take(head: OutboundHead, content: AsyncIterable<Uint8Array>): Promise<unknown>;
}

export type OutboundBody =
	| { readonly kind: "json"; readonly value: Json }
	| { readonly kind: "form"; readonly fields: Readonly<Record<string, Json>> }
	| { readonly kind: "text"; readonly text: string; readonly contentType?: string | undefined }
	| { readonly kind: "base64"; readonly data: string; readonly contentType?: string | undefined }
	| { readonly kind: "file"; readonly file: OpenFile; readonly contentType?: string | undefined }
	| {
			readonly kind: "email";
			readonly email: Email<OpenFile>;
			/** Of the whole message. */
			readonly encoding?: "base64" | undefined;
	  }
	| { readonly kind: "multipart"; readonly parts: readonly MultipartPart[] };

export interface MultipartPart {
	readonly name: string;
	/** The value, or a file's content. */
	readonly text?: string | undefined;
	readonly base64?: string | undefined;
	/** Also gives the name and the type, unless they are set. */
	readonly file?: OpenFile | undefined;
	/** A message of type message/rfc822. */
	readonly email?: Email<OpenFile> | undefined;
	readonly filename?: string | undefined;
	readonly contentType?: string | undefined;
}

/** The start of the response, with credential values redacted. */
export interface OutboundHead {
	readonly status: number;
	/** By lower-case name. */
	readonly headers: Readonly<Record<string, string>>;
	/** The final URL, after redirects. */
	readonly url: string;
}

/** The response, with credential values redacted. */
export interface OutboundAnswer extends OutboundHead {
	/** Empty if the call's sink took it. */
	readonly body: Uint8Array;
	/** For what is decoded from the body: an encoding can hide a value. Absent if the call had no credential. */
	readonly redact?: (content: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
}
