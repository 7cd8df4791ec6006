import type { StreamedBody } from "@tripline/platform/http";

/** The request that a credential is added to. */
export interface AuthRequest {
	readonly method: string;
	readonly url: URL;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Uint8Array | string | StreamedBody | null;
}

/** The changes that a credential makes to a request. */
export interface Authorized {
	readonly url?: URL;
	/** Added to the request's headers; they replace headers of the same name. */
	readonly headers?: Readonly<Record<string, string>>;
	/** Values derived from the credential that must be redacted. */
	readonly secrets?: readonly string[];
	/** Only for a cached token: removes it from the cache after the server rejected it. */
	readonly drop?: () => void;
}
