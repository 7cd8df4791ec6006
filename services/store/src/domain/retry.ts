import { Failed } from "@tripline/contract/failures";

const ATTEMPTS = 20;

/** Repeats a read-then-write whose write found that another call had changed what was read (null). */
export async function untilUnchanged<T>(attempt: () => Promise<T | null>): Promise<T> {
	for (let tried = 0; tried < ATTEMPTS; tried++) {
		const result = await attempt();
		if (result !== null) return result;
	}
	throw new Failed({ kind: "conflict", message: "too many callers change this at once, try again" });
}
