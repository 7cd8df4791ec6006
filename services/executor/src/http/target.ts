import type { Address } from "../runs/accepted.ts";
import type { Trigger } from "../runs/execute.ts";
import type { Runnable } from "../runs/runnable.ts";

/** What a trigger's URL stands for. */
export interface Target {
	readonly runnable: Runnable;
	readonly workflow: string;
	readonly namespace: string | null;
	readonly trigger: Trigger;
	/** A named workflow that was read from the legacy key-value store. */
	readonly isLegacy?: boolean;
	/** How to find it again. */
	readonly address: Address;
	/** The token or the namespace whose calls are counted. */
	readonly rateKey: string;
}
