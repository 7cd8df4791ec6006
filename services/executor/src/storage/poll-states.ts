import { POLL_STATE } from "@tripline/contract/entry-types";
import type { StoreClient } from "@tripline/store/client";
import { PollState } from "../domain/poll-state.ts";

export type PollStates = ReturnType<typeof pollStateStorage>;

/** What polls remember, as entries of the store named after the workflows. */
export function pollStateStorage(store: StoreClient) {
	return {
		/** Null before the first poll. */
		async find(namespace: string, workflow: string): Promise<PollState | null> {
			const entry = await store.entries.get(namespace, POLL_STATE, workflow);
			if (entry === null) return null;
			return PollState.safeParse(JSON.parse(entry.content)).data ?? null;
		},

		async save(namespace: string, workflow: string, state: PollState): Promise<void> {
			const content = JSON.stringify(state);
			await store.entries.upsert({
				owner_id: namespace,
				entry_type: POLL_STATE,
				page_name: workflow,
				content,
			});
		},

		async delete(namespace: string, workflow: string): Promise<void> {
			const entry = await store.entries.get(namespace, POLL_STATE, workflow);
			if (entry !== null) await store.entries.delete(namespace, entry.id);
		},
	};
}
