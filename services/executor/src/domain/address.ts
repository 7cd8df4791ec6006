/** Identifies a run's workflow across restarts. */
export type Address =
	| { readonly kind: "webhook"; readonly token: string }
	| { readonly kind: "named"; readonly namespace: string; readonly name: string };

/** Identifies the workflow within its namespace. No workflow's name contains a slash. */
export const getWorkflowKey = (address: Address): string =>
	address.kind === "named" ? address.name : `/${address.token}`;
