/** Who calls, by a bearer credential that was checked. */
export interface McpCaller {
	readonly namespace: string;
	readonly by: "oauth" | "static" | "partner" | "plaintext";
	/** Of an OAuth token: its hash, by which it is listed and revoked. */
	readonly tokenId: string | null;
}
