import { ANONYMOUS } from "@tripline/contract/partner-keys";

/** Identifies a run's workflow across restarts. */
export type Address =
	| { readonly kind: "webhook"; readonly token: string }
	| { readonly kind: "named"; readonly namespace: string; readonly name: string };

/** The workflow of that name in the namespace, unless an address is given. */
export const resolveAddress = (run: {
	readonly address?: Address | undefined;
	readonly namespace: string | null;
	readonly workflow: string;
}): Address => run.address ?? { kind: "named", namespace: run.namespace ?? ANONYMOUS, name: run.workflow };

/** Identifies the workflow within its namespace. No workflow's name contains a slash. */
export const getWorkflowKey = (address: Address): string =>
	address.kind === "named" ? address.name : `/${address.token}`;
