import type { Json } from "@tripline/contract/json";

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
	/** Limit for the decoded response. */
	readonly maxBytes?: number;
}

export type OutboundBody =
	| { readonly kind: "json"; readonly value: Json }
	| { readonly kind: "form"; readonly fields: Readonly<Record<string, Json>> }
	| { readonly kind: "text"; readonly text: string; readonly contentType?: string | undefined }
	| { readonly kind: "base64"; readonly data: string; readonly contentType?: string | undefined }
	| { readonly kind: "multipart"; readonly parts: readonly MultipartPart[] };

export interface MultipartPart {
	readonly name: string;
	/** The value, or a file's content. */
	readonly text?: string | undefined;
	readonly base64?: string | undefined;
	readonly filename?: string | undefined;
	readonly contentType?: string | undefined;
}

/** The response, with credential values redacted. */
export interface OutboundAnswer {
	readonly status: number;
	/** By lower-case name. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Uint8Array;
	/** The final URL, after redirects. */
	readonly url: string;
}
