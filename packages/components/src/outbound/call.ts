import type { Json } from "@tripline/contract/json";

/** A call to an outside address on behalf of a node. */
export interface OutboundCall {
	readonly method: string;
	readonly url: string;
	/** Added to the URL's own; null is left out, a list gives the name several times. */
	readonly query?: Readonly<Record<string, Json>>;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: OutboundBody;
	/** Name of the tenant's credential that authorizes it. */
	readonly credential?: string | undefined;
	/** Auth recipes that the credential must be of; left out: any. */
	readonly authRecipes?: readonly string[];
	/** Hosts it may reach, redirects included; left out: any. */
	readonly hosts?: readonly string[];
	readonly timeoutMs?: number;
	/** Of the decoded answer. */
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

/** What came back, with the values of credentials taken out. */
export interface OutboundAnswer {
	readonly status: number;
	/** By lower-case name. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Uint8Array;
	/** Where the answer came from in the end. */
	readonly url: string;
}
