/** The caller, as authenticated by a bearer credential. */
export interface McpCaller {
	readonly namespace: string;
	readonly by: "oauth" | "static" | "partner" | "plaintext";
	/** The hash of the OAuth token, by which it is listed and revoked; null for other credentials. */
	readonly tokenId: string | null;
	/** The name of the client that the token was issued to; null if there is none. */
	readonly clientName: string | null;
}
