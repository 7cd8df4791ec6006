/** The store's entries that the vault keeps, and what it does with them. */
export interface VaultStorage {
	/** Newest first; of every tenant when none is named. */
	list(filter: VaultFilter): AsyncIterable<VaultEntry>;
	/** A new entry, beside others of the same page. */
	append(entry: NewVaultEntry): Promise<void>;
	/** Nothing happens when the page is there already. */
	once(entry: NewVaultEntry): Promise<void>;
	/** Makes the page or writes over it. */
	replace(entry: NewVaultEntry): Promise<void>;
	/** Nothing happens when the entry is gone already. */
	delete(entry: Pick<VaultEntry, "tenant" | "id">): Promise<void>;
}

interface VaultFilter {
	readonly type: VaultEntryType;
	readonly tenant?: string;
	readonly page?: string;
}

/** `credential`: pages are credential names. `vault_key`: wrapped keys, and what the vault notes about itself. */
type VaultEntryType = "credential" | "vault_key";

export interface NewVaultEntry {
	readonly tenant: string;
	readonly type: VaultEntryType;
	readonly page: string;
	readonly metadata: object;
}

export interface VaultEntry extends NewVaultEntry {
	readonly id: string;
}

/** Whether anything was ever sealed: then only the key it was sealed with will do. */
export async function isVaultInUse(storage: VaultStorage): Promise<boolean> {
	for (const type of ["vault_key", "credential"] as const) {
		for await (const _ of storage.list({ type })) return true;
	}
	return false;
}
