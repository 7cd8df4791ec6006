import { constants, setPriority } from "node:os";

/** The service on this machine comes first. */
export function yieldToOthers(): void {
	try {
		setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
	} catch {
		// Not allowed here.
	}
}
