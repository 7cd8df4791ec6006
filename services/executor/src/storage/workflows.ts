import type { Entry, ListedEntry } from "@tripline/contract/entries";
import type { StoreClient } from "@tripline/store/client";

const WORKFLOW = "workflow";
const RECENT_NAMES = 50;

/** Named workflows as entries of the knowledge store. */
export function workflowStorage(store: StoreClient) {
	return {
		find: (namespace: string, name: string): Promise<ListedEntry | null> =>
			store.entries.get(namespace, WORKFLOW, name),

		save: (namespace: string, workflow: { name: string; description: string; metadata: string }) =>
			store.entries.upsert({
				owner_id: namespace,
				entry_type: WORKFLOW,
				page_name: workflow.name,
				content: workflow.description,
				metadata_json: workflow.metadata,
			}),

		/** Does not replace an existing workflow. */
		saveOnce: (namespace: string, workflow: { name: string; description: string; metadata: string }) =>
			store.entries.createOnce({
				owner_id: namespace,
				entry_type: WORKFLOW,
				page_name: workflow.name,
				content: workflow.description,
				metadata_json: workflow.metadata,
			}),

		async all(namespace: string): Promise<ListedEntry[]> {
			return Array.fromAsync(store.entries.listAll({ owner_id: namespace, entry_type: WORKFLOW }));
		},

		/** Each entry carries its whole document, so these are only a few. */
		async recentNames(namespace: string): Promise<string[]> {
			const filter = { owner_id: namespace, entry_type: WORKFLOW, limit: RECENT_NAMES };
			const { entries } = await store.entries.list(filter);
			return entries.map(({ page_name }) => page_name);
		},

		/** Workflows with an event trigger. */
		async listListeners(namespace: string): Promise<Entry[]> {
			const filter = { owner_id: namespace, entry_type: WORKFLOW, listens: "true" } as const;
			return Array.fromAsync(store.entries.listAll(filter));
		},

		async delete(namespace: string, name: string): Promise<boolean> {
			const entry = await this.find(namespace, name);
			return entry !== null && store.entries.delete(namespace, entry.id);
		},
	};
}

export type WorkflowStorage = ReturnType<typeof workflowStorage>;
