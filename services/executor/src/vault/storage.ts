/** The vault's entries in the store. */
export interface VaultStorage {
	/** Newest first; of all tenants if none is given. */
	list(filter: VaultFilter): AsyncIterable<VaultEntry>;
	/** Adds an entry, even if the page already has others. */
	append(entry: NewVaultEntry): Promise<void>;
	/** Does nothing if the page already exists. */
	once(entry: NewVaultEntry): Promise<void>;
	/** Creates or overwrites the page. */
	replace(entry: NewVaultEntry): Promise<void>;
	/** Does nothing if the entry no longer exists. */
	delete(entry: Pick<VaultEntry, "tenant" | "id">): Promise<void>;
}

interface VaultFilter {
	readonly type: VaultEntryType;
	readonly tenant?: string;
	readonly page?: string;
}

/** `credential`: pages are credential names. `vault_key`: wrapped keys and the vault's own state. */
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

/** Whether anything was ever sealed; if so, only the original master key can be used. */
export async function isVaultInUse(storage: VaultStorage): Promise<boolean> {
	for (const type of ["vault_key", "credential"] as const) {
		for await (const _ of storage.list({ type })) return true;
	}
	return false;
}
