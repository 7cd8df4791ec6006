import type { Clock } from "@tripline/platform/clock";
import type { StoreClient } from "@tripline/store/client";

const ENTRY_TYPE = "sign_in_lease";
/** Longer than a renewal takes. After it, the process that held the lease is taken to have died. */
export const LEASE_MS = 45_000;

/** Of all processes, one renews the token of a credential. */
export function renewalLeases({ store, clock }: { store: Pick<StoreClient, "entries">; clock: Clock }) {
	return {
		/** Null if another caller holds it. */
		async take(namespace: string, credential: string): Promise<{ release(): Promise<void> } | null> {
			const lease = {
				owner_id: namespace,
				entry_type: ENTRY_TYPE,
				page_name: credential,
				content: "",
				metadata_json: JSON.stringify({ until: clock.now() + LEASE_MS }),
			};
			let { entry, created } = await store.entries.createOnce(lease);
			if (!created && readEnd(entry.metadata_json) <= clock.now()) {
				// By its id, so that of several callers who see it expired only one takes the next one.
				await store.entries.delete(namespace, entry.id);
				({ entry, created } = await store.entries.createOnce(lease));
			}
			const { id } = entry;
			return created ? { release: async () => void (await store.entries.delete(namespace, id)) } : null;
		},
	};
}

function readEnd(metadata: string): number {
	const { until } = JSON.parse(metadata) as { until?: unknown };
	return typeof until === "number" ? until : 0;
}
