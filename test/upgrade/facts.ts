/** The settings of the deployment that a fixture was made by. Access tokens are for one address. */
export const SETTINGS = {
	BASE_URL: "http://localhost:8484",
	MCP_OWNER_SECRET: "the owner's long secret",
	REGISTRY_ADMIN_TOKEN: "admin-token-of-the-registry",
} as const;

/** What cannot be read from a fixture's service. */
export interface Facts {
	readonly release: string;
	/** The host that workflows call. */
	readonly outside: string;
	/** Unix milliseconds. */
	readonly written_at: number;
	/** Release 1.3.0 has no executor. */
	readonly executor?: {
		readonly token: string;
		/** The id of a run that was interrupted. */
		readonly accepted_run: string;
		readonly client_id: string;
		readonly bearer: string;
	};
}
