import type { Entry, ListedEntry } from "@tripline/contract/entries";
import type { StoreClient } from "@tripline/store/client";
import type { Author } from "../domain/change.ts";

const WORKFLOW = "workflow";
const RECENT_NAMES = 50;

/** Named workflows as entries of the knowledge store. */
export function workflowStorage(store: StoreClient) {
	return {
		find: (namespace: string, name: string): Promise<ListedEntry | null> =>
			store.entries.get(namespace, WORKFLOW, name),

		/** The text of a version; null if there is none. */
		findVersion: async (namespace: string, name: string, version: number): Promise<string | null> =>
			(await store.workflows.getVersion(namespace, name, version))?.metadata_json ?? null,

		save: (
			namespace: string,
			workflow: WrittenWorkflow,
			by: Author,
			condition: {
				readonly if_version?: number | undefined;
				readonly publishes_draft?: number | undefined;
			} = {},
		) => store.entries.upsert({ ...toEntry(namespace, workflow), ...by, ...condition }),

		/** Does not replace an existing workflow. */
		saveOnce: (namespace: string, workflow: WrittenWorkflow, by: Author) =>
			store.entries.createOnce({ ...toEntry(namespace, workflow), ...by }),

		async all(namespace: string, tag?: string): Promise<ListedEntry[]> {
			return Array.fromAsync(store.entries.listAll(buildFilter(namespace, tag)));
		},

		/** The first that are found, up to the limit. */
		async listTagged(namespace: string, tag: string, limit: number): Promise<ListedEntry[]> {
			const found: ListedEntry[] = [];
			for await (const entry of store.entries.listAll(buildFilter(namespace, tag))) {
				found.push(entry);
				if (found.length === limit) break;
			}
			return found;
		},

		/** Each entry carries its whole document, so these are only a few. */
		async recentNames(namespace: string): Promise<string[]> {
			const filter = { owner_id: namespace, entry_type: WORKFLOW, limit: RECENT_NAMES };
			const { entries } = await store.entries.list(filter);
			return entries.map(({ page_name }) => page_name);
		},

		/** Workflows with an event trigger that are switched on. */
		async listListeners(namespace: string): Promise<ListedEntry[]> {
			const filter = { owner_id: namespace, entry_type: WORKFLOW, listens: "true" } as const;
			const listening = await Array.fromAsync(store.entries.listAll(filter));
			return listening.filter(({ disabled }) => disabled !== true);
		},

		/** Workflows of all namespaces that mails start, also if they are switched off. */
		listMailed: (): Promise<ListedEntry[]> =>
			Array.fromAsync(store.entries.listAll({ entry_type: WORKFLOW, listens: "mail" })),

		/** The id of its entry; null if there is none. */
		async delete(namespace: string, name: string, by: Author, if_version?: number): Promise<string | null> {
			const entry = await this.find(namespace, name);
			if (entry === null) return null;
			const isDeleted = await store.entries.delete(namespace, entry.id, undefined, { ...by, if_version });
			return isDeleted ? entry.id : null;
		},
	};
}

const buildFilter = (namespace: string, tag: string | undefined) => ({
	owner_id: namespace,
	entry_type: WORKFLOW,
	...(tag !== undefined && { metadata: JSON.stringify({ tags: tag }) }),
});

const toEntry = (namespace: string, { name, description, metadata }: WrittenWorkflow) => ({
	owner_id: namespace,
	entry_type: WORKFLOW,
	page_name: name,
	content: description,
	metadata_json: metadata,
});

/** A workflow as it is stored. */
export interface WrittenWorkflow {
	readonly name: string;
	readonly description: string;
	/** JSON. */
	readonly metadata: string;
}

/** A workflow as it is, or was, stored under a name. */
export const toWritten = (
	name: string,
	{ content, metadata_json }: Pick<Entry, "content" | "metadata_json">,
): WrittenWorkflow => ({ name, description: content, metadata: metadata_json });

export type WorkflowStorage = ReturnType<typeof workflowStorage>;
