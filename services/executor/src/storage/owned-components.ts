import type { ListedEntry } from "@tripline/contract/entries";
import type { StoreClient } from "@tripline/store/client";

/** The kinds of extensions of a tenant; each is an entry type, and the page is the id. */
type OwnedComponentType = "api_recipe" | "auth_recipe" | "installed_component";

/** The texts of an owner's extensions of one type, by id. */
export type OwnedComponentTexts = ReadonlyMap<string, string>;

/** Recipes and installed components as entries of the knowledge store. */
export function ownedComponentStorage(store: StoreClient) {
	return {
		async texts(owner: string, type: OwnedComponentType): Promise<OwnedComponentTexts> {
			const texts = new Map<string, string>();
			for await (const entry of store.entries.listAll({ owner_id: owner, entry_type: type })) {
				// Newest first; only the newest entry of an id counts.
				if (!texts.has(entry.page_name)) texts.set(entry.page_name, entry.metadata_json);
			}
			return texts;
		},

		async text(owner: string, type: OwnedComponentType, id: string): Promise<string | null> {
			return (await store.entries.get(owner, type, id))?.metadata_json ?? null;
		},

		/** True if it is new. */
		put: (owner: string, type: OwnedComponentType, id: string, value: object): Promise<boolean> =>
			putText(owner, type, id, JSON.stringify(value)),

		putText,

		/** True if it existed. */
		async delete(owner: string, type: OwnedComponentType, id: string): Promise<boolean> {
			const entry = await store.entries.get(owner, type, id);
			return entry !== null && store.entries.delete(owner, entry.id);
		},

		/** Deletes those that are unused and were written at least this many seconds before the newest one. */
		async deleteOld(
			owner: string,
			type: OwnedComponentType,
			isUnused: (id: string) => boolean,
			seconds: number,
		): Promise<void> {
			let newest = 0;
			const unused: ListedEntry[] = [];
			for await (const entry of store.entries.listAll({ owner_id: owner, entry_type: type })) {
				newest = Math.max(newest, entry.updated_at);
				if (isUnused(entry.page_name)) unused.push(entry);
			}
			const old = unused.filter(({ updated_at }) => newest - updated_at >= seconds);
			await Promise.all(old.map(({ id }) => store.entries.delete(owner, id)));
		},
	};

	/** Like `put`, of JSON. */
	async function putText(
		owner: string,
		type: OwnedComponentType,
		id: string,
		metadata_json: string,
	): Promise<boolean> {
		const entry = { owner_id: owner, entry_type: type, page_name: id, content: "", metadata_json };
		return (await store.entries.upsert(entry)).created;
	}
}

export type OwnedComponentStorage = ReturnType<typeof ownedComponentStorage>;
