/** An access token as it is kept, under the hash of the token. */
export interface TokenRecord {
	readonly namespace: string;
	/** What it is good for: the server's own `/mcp` (RFC 8707). */
	readonly resource: string;
	readonly client_id: string;
	readonly client_name: string | null;
	/** Unix milliseconds. */
	readonly issued_at: number;
	readonly expires_at: number;
}

export interface IssuedToken extends TokenRecord {
	/** The hash. */
	readonly id: string;
}

export interface Tokens {
	/** One storage read, or none where it was asked within the last 5 s. Null: unknown, revoked or expired. */
	find(token: string): Promise<IssuedToken | null>;
	issue(record: TokenRecord, token: string): Promise<void>;
	/** A page of a namespace's, newest first within the page. */
	list(
		namespace: string,
		cursor: string | null,
	): Promise<{ readonly tokens: readonly IssuedToken[]; readonly cursor: string | null }>;
	/** Whether there was one of that id in the namespace. */
	revoke(namespace: string, id: string): Promise<boolean>;
}
