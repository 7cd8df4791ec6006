import { Failed } from "@tripline/contract/failures";

const MAX_ATTEMPTS = 20;

/** Retries an optimistic read and write; `attempt` returns null when another call changed the data in between. */
export async function retryUntilUnchanged<T>(attempt: () => Promise<T | null>): Promise<T> {
	for (let tried = 0; tried < MAX_ATTEMPTS; tried++) {
		const result = await attempt();
		if (result !== null) return result;
	}
	throw new Failed({ kind: "conflict", message: "too many concurrent changes; try again" });
}
