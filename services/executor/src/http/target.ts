import type { Pins } from "@tripline/engine/pin";
import type { Address } from "../domain/address.ts";
import type { Trigger } from "../runs/execute.ts";
import type { Runnable } from "../runs/runnable.ts";

/** The workflow that a trigger URL refers to. */
export interface Target {
	readonly runnable: Runnable;
	readonly workflow: string;
	readonly namespace: string | null;
	readonly trigger: Trigger;
	/** A named workflow that was read from the legacy key-value store. */
	readonly isLegacy?: boolean;
	/** A named workflow whose triggers are switched off. */
	readonly isDisabled?: boolean;
	/** The version of a named workflow. */
	readonly versionNumber?: number | undefined;
	/** How to find it again after a restart. */
	readonly address: Address;
	/** The caller has the tenant's credential, and is not just somebody who knows the address. */
	readonly isOwners?: boolean;
	/** Only of a test. */
	readonly pinned?: Pins | undefined;
	/** The token or namespace whose calls are rate limited. */
	readonly rateKey: string;
}
