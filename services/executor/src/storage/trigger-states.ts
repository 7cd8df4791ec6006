import type { StoreClient } from "@tripline/store/client";
import type * as z from "zod";

export interface TriggerStates<State> {
	/** Null before the first time. */
	find(namespace: string, page: string): Promise<State | null>;
	save(namespace: string, page: string, state: State): Promise<void>;
	delete(namespace: string, page: string): Promise<void>;
}

/** What triggers remember, as entries of the store. */
export function triggerStateStorage<State>(
	store: StoreClient,
	entry_type: string,
	schema: z.ZodType<State>,
): TriggerStates<State> {
	return {
		async find(namespace, page) {
			const entry = await store.entries.get(namespace, entry_type, page);
			if (entry === null) return null;
			return schema.safeParse(JSON.parse(entry.content)).data ?? null;
		},

		async save(namespace, page_name, state) {
			const content = JSON.stringify(state);
			await store.entries.upsert({ owner_id: namespace, entry_type, page_name, content });
		},

		async delete(namespace, page) {
			const entry = await store.entries.get(namespace, entry_type, page);
			if (entry !== null) await store.entries.delete(namespace, entry.id);
		},
	};
}
