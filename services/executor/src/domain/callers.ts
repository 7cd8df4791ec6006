/** Who calls: the tenant whose workflows, credentials and records are meant. */
export interface Caller {
	readonly namespace: string;
}
