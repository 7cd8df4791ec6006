/** What a credential is put into. */
export interface AuthRequest {
	readonly method: string;
	readonly url: URL;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Uint8Array | string | null;
}

/** What a credential changes of it. */
export interface Authorized {
	readonly url?: URL;
	/** Beside the request's own, or in place of them. */
	readonly headers?: Readonly<Record<string, string>>;
	/** What was made of the credential and must not be seen. */
	readonly secrets?: readonly string[];
	/** Of a kept token: forgets it, for the other side no longer takes it. */
	readonly drop?: () => void;
}
