import type { TestContext } from "node:test";
import { nodeBackground } from "@tripline/platform/background.node";
import { jsonLog } from "@tripline/platform/log";
import { createMasterKeyText, importMasterKey, type MasterKeys } from "@tripline/platform/master-key";
import { migrate } from "@tripline/platform/migrations";
import { statement } from "@tripline/platform/sql";
import { openSqlite } from "@tripline/platform/sql.sqlite";
import { createStore } from "@tripline/store/app";
import { storeClient } from "@tripline/store/client";
import { storeEnvironment, storeSettings } from "@tripline/store/settings";
import { storeMigrations } from "@tripline/store/storage/migrations";
import { manualClock } from "../../../packages/platform/test/contracts/contract.ts";
import { openMigrated } from "../../../packages/platform/test/open-migrated.ts";
import { createCatalogues } from "../src/catalogue/catalogues.ts";
import { ownedComponentStorage } from "../src/storage/owned-components.ts";
import { vaultOperations } from "../src/vault/operations.ts";
import type { VaultStorage } from "../src/vault/storage.ts";
import { storedEntries } from "../src/vault/stored-entries.ts";
import { createVault } from "../src/vault/vault.ts";

/** The real store on real SQLite, and everything that it and the vault write. */
export async function vaultFixture(context: TestContext, path?: string) {
	const sql = path === undefined ? await openMigrated(storeMigrations) : openSqlite(path);
	context.after(() => sql.close());
	if (path !== undefined) await migrate(sql, storeMigrations);
	const clock = manualClock();
	const lines: string[] = [];
	const log = jsonLog({ level: "debug", clock, write: (line) => lines.push(line) });
	const store = createStore({
		sql,
		clock,
		log,
		version: "test",
		settings: storeSettings(storeEnvironment.parse({})),
	});
	const calls = { count: 0 };
	const transport = {
		baseUrl: "http://store",
		fetch(request: Request) {
			calls.count++;
			return store.fetch(request);
		},
	};
	const storage = storedEntries(transport);
	const background = nodeBackground((work, error) => lines.push(`${work}: ${String(error)}`));
	const client = storeClient(transport);
	const catalogues = createCatalogues({ storage: ownedComponentStorage(client), clock, log });
	const firstKey = createMasterKeyText();
	/** Every row of the vault, as stored in the database. */
	const rows = () =>
		sql.read<{ owner_id: string; entry_type: string; page_name: string; metadata_json: string }>(
			statement(
				"select owner_id, entry_type, page_name, metadata_json from entries where entry_type in ('credential', 'vault_key') order by seq",
			),
		);
	return {
		sql,
		clock,
		log,
		lines,
		calls,
		storage,
		store: client,
		background,
		catalogues,
		firstKey,
		/** A separate vault, as in another process. */
		vault: (masterKeys = createKeys(firstKey)) => createVault({ masterKeys, storage, background, clock }),
		/** A vault with a slow or failing storage. */
		vaultOver: (other: VaultStorage) =>
			createVault({ masterKeys: createKeys(firstKey), storage: other, background, clock }),
		operations: (masterKeys = createKeys(firstKey)) => vaultOperations({ masterKeys, storage, clock }),
		rows,
		/** The pages of all sealed values, one per value. */
		async sealed(): Promise<string[]> {
			const all = await rows();
			return all.filter((row) => row.metadata_json.includes('"envelope"')).map((row) => row.page_name);
		},
		change: (text: string, ...values: string[]) => sql.write([statement(text, ...values)]),
	};
}

/** Master keys from a list that may change while they are in use. */
export function createKeys(...texts: string[]): MasterKeys & { readonly texts: string[] } {
	return {
		texts,
		load: async () => (await Promise.all(texts.map(importMasterKey))).filter((key) => key !== null),
	};
}
