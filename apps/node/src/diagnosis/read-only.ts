import { DatabaseSync } from "node:sqlite";
import type { VaultStorage } from "@tripline/executor/vault/storage";

type Row = Readonly<Record<string, unknown>>;

/** A database that is only read. Queries are constants of this folder, in the words that both dialects share. */
export interface ReadOnly {
	read(query: string): Promise<readonly Row[]>;
	close(): Promise<void>;
}

export function openReadOnly(path: string): ReadOnly {
	const database = new DatabaseSync(path, { readOnly: true, timeout: 2000 });
	return {
		read: async (query) => database.prepare(query).all() as Row[],
		close: async () => database.close(),
	};
}

/** The vault's entries, for checks that change nothing. */
export function readOnlyVault({ read }: Pick<ReadOnly, "read">, entries: string): VaultStorage {
	const refuse = async () => {
		throw new Error("a check changes nothing");
	};
	return {
		async *list({ type, tenant, page }) {
			const filters = [`entry_type = '${type}'`];
			if (tenant !== undefined) filters.push(`owner_id = '${tenant}'`);
			if (page !== undefined) filters.push(`page_name = '${page}'`);
			const rows = await read(
				`select id, owner_id, page_name, metadata_json from ${entries} where ${filters.join(" and ")} limit 10`,
			);
			for (const { id, owner_id, page_name, metadata_json } of rows)
				yield {
					...{ id: String(id), tenant: String(owner_id), type, page: String(page_name) },
					metadata: JSON.parse(String(metadata_json)) as object,
				};
		},
		append: refuse,
		once: refuse,
		replace: refuse,
		delete: refuse,
	};
}
