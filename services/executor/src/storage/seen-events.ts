import { sha256Hex } from "@tripline/contract/ids";
import { type Clock, unixSeconds } from "@tripline/platform/clock";
import type { StoreClient } from "@tripline/store/client";

const TYPE = "event_seen";
/** How long an event with the same source and id counts as a repeat. */
const REMEMBERED_SECONDS = 24 * 60 * 60;
const DONE = "done";

export type SeenEvents = ReturnType<typeof seenEventStorage>;

/** Remembers events that have a source and id, as entries of the store. */
export function seenEventStorage({ store, clock }: { store: StoreClient; clock: Clock }) {
	return {
		/** The id stays the same when the event is sent again, until it expires. */
		async begin(owner_id: string, dedupKey: string): Promise<{ id: string; isDone: boolean }> {
			const entry = await buildEntry(owner_id, dedupKey, "");
			let { entry: seen } = await store.entries.createOnce(entry);
			// Expired, but the store deletes it only at its next tick.
			if (seen.created_at <= unixSeconds(clock) - REMEMBERED_SECONDS) {
				await store.entries.delete(owner_id, seen.id);
				({ entry: seen } = await store.entries.createOnce(entry));
			}
			return { id: seen.id, isDone: seen.content === DONE };
		},

		/** Marks the event as done: all runs for it have been accepted. */
		async end(owner_id: string, dedupKey: string): Promise<void> {
			await store.entries.upsert(await buildEntry(owner_id, dedupKey, DONE));
		},
	};
}

const buildEntry = async (owner_id: string, dedupKey: string, content: string) => ({
	owner_id,
	entry_type: TYPE,
	page_name: await sha256Hex(dedupKey),
	content,
});
