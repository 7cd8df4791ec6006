import { Failed } from "@tripline/contract/failures";
import { StoreRefused, storeClient, type Transport } from "@tripline/store/client";
import type { NewVaultEntry, VaultEntry, VaultStorage } from "./storage.ts";

/** The vault's entries in the knowledge store, over its HTTP interface. */
export function storedEntries(transport: Transport): VaultStorage {
	const { entries } = storeClient(transport);
	return {
		async *list({ type, tenant, page }) {
			const filter = {
				entry_type: type,
				...(tenant === undefined ? {} : { owner_id: tenant }),
				...(page === undefined ? {} : { page_name: page }),
			};
			for await (const entry of entries.listAll(filter)) {
				yield {
					id: entry.id,
					tenant: entry.owner_id,
					type,
					page: entry.page_name,
					metadata: JSON.parse(entry.metadata_json) as VaultEntry["metadata"],
				};
			}
		},
		async once(entry) {
			await entries.createOnce(toEntry(entry));
		},
		async replace(entry) {
			await entries.upsert(toEntry(entry));
		},
		async delete({ tenant, id }) {
			await entries.delete(tenant, id);
		},
		async append(entry) {
			await entries.append(toEntry(entry)).catch((error: unknown) => {
				if (!(error instanceof StoreRefused && error.status === 413)) throw error;
				throw new Failed({ kind: "too_large", message: "the credential is too large to be stored" });
			});
		},
	};
}

const toEntry = ({ tenant, type, page, metadata }: NewVaultEntry) => ({
	owner_id: tenant,
	entry_type: type,
	page_name: page,
	content: "",
	metadata_json: JSON.stringify(metadata),
});
