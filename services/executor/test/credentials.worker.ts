import assert from "node:assert/strict";
import { workersBackground } from "@tripline/platform/background.workers";
import { systemClock } from "@tripline/platform/clock";
import { createMasterKeyText } from "@tripline/platform/master-key";
import { secretMasterKeys } from "@tripline/platform/master-key.secrets";
import { migrate } from "@tripline/platform/migrations";
import { type D1, d1Sql } from "@tripline/platform/sql.d1";
import { createStore } from "@tripline/store/app";
import { storeEnvironment, storeSettings } from "@tripline/store/settings";
import { storeMigrations } from "@tripline/store/storage/migrations";
import { WrongMasterKey } from "../src/vault/key-check.ts";
import { vaultOperations } from "../src/vault/operations.ts";
import { storedEntries } from "../src/vault/stored-entries.ts";
import { createVault } from "../src/vault/vault.ts";

type Secrets = Parameters<typeof secretMasterKeys>[0];

const put = (secret: string) => ({ auth_recipe: "signing_secret", fields: { secret } });

/**
 * Exercises a vault inside workerd, with the store on D1.
 * @public
 */
export default {
	async fetch(_: Request, env: { readonly DB: D1 }): Promise<Response> {
		try {
			await exerciseVault(env.DB);
			return new Response("ok");
		} catch (error) {
			return new Response((error as Error).stack ?? String(error), { status: 500 });
		}
	},
};

async function exerciseVault(database: D1): Promise<void> {
	const sql = d1Sql(database);
	await migrate(sql, storeMigrations);
	const clock = systemClock;
	const settings = storeSettings(storeEnvironment.parse({}));
	const store = createStore({ sql, clock, log: () => {}, version: "test", settings });
	const storage = storedEntries({ fetch: store.fetch, baseUrl: "http://store" });
	const background = workersBackground(assert.fail);
	const vault = (secrets: Secrets) =>
		createVault({ masterKeys: secretMasterKeys(secrets), storage, background, clock });
	const operations = (secrets: Secrets) =>
		vaultOperations({ masterKeys: secretMasterKeys(secrets), storage, clock });
	const [MASTER_KEY, MASTER_KEY_NEXT] = [createMasterKeyText(), createMasterKeyText()];

	const first = vault({ MASTER_KEY });
	await first.checkKey();
	await Promise.all(["a", "b", "c"].map((name) => first.put("acme", name, put(`secret ${name}`))));
	await first.delete("acme", "c");
	await assertOpen({ MASTER_KEY });
	await assert.rejects(vault({ MASTER_KEY: MASTER_KEY_NEXT }).checkKey(), WrongMasterKey);

	const rotated = await operations({ MASTER_KEY }).rotate(() => {});
	assert.deepEqual(rotated, { tenants: 1, credentials: 2, broken: [] });
	await assertOpen({ MASTER_KEY });

	assert.equal(await operations({ MASTER_KEY, MASTER_KEY_NEXT }).followMasterKeys(), "next key may be used");
	await assertOpen({ MASTER_KEY });
	await assertOpen({ MASTER_KEY: MASTER_KEY_NEXT });
	assert.equal(await operations({ MASTER_KEY: MASTER_KEY_NEXT }).followMasterKeys(), "finished");
	await assertOpen({ MASTER_KEY: MASTER_KEY_NEXT });
	await assert.rejects(vault({ MASTER_KEY }).checkKey(), WrongMasterKey);

	async function assertOpen(secrets: Secrets): Promise<void> {
		const fresh = vault(secrets);
		for (const name of ["a", "b"]) {
			assert.deepEqual((await fresh.reveal("acme", name))?.fields, { secret: `secret ${name}` });
		}
		assert.equal(await fresh.reveal("acme", "c"), null);
		assert.deepEqual(new Set((await fresh.listByName("acme")).keys()), new Set(["a", "b"]));
	}
}
