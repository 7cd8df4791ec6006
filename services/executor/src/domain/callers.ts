/** The tenant on whose workflows, credentials and records a request acts. */
export interface Caller {
	readonly namespace: string;
}
