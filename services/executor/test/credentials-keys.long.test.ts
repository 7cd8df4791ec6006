import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createMasterKeyText } from "@tripline/platform/master-key";
import fc from "fast-check";
import { WrongMasterKey } from "../src/vault/key-check.ts";
import { vaultOperations } from "../src/vault/operations.ts";
import type { VaultStorage } from "../src/vault/storage.ts";
import { createKeys, vaultFixture } from "./vault-fixture.ts";

type Fixture = Awaited<ReturnType<typeof vaultFixture>>;
type Vault = ReturnType<Fixture["vault"]>;

const put = (secret: string) => ({ auth_recipe: "signing_secret", fields: { secret } });
const quiet = () => {};

async function fillVault(vault: Vault, tenants = 3, each = 3): Promise<Map<string, string>> {
	const expected = new Map<string, string>();
	for (let tenant = 0; tenant < tenants; tenant++) {
		for (let count = 0; count < each; count++) {
			const secret = `secret-${tenant}-${count}`;
			await vault.put(`t${tenant}`, `c${count}`, put(secret));
			expected.set(`t${tenant}/c${count}`, secret);
		}
	}
	return expected;
}

async function assertOpens(vault: Vault, expected: ReadonlyMap<string, string>): Promise<void> {
	for (const [place, secret] of expected) {
		const [tenant = "", name = ""] = place.split("/");
		assert.deepEqual((await vault.reveal(tenant, name))?.fields, { secret }, place);
	}
}

const listKeyPages = async ({ rows }: Fixture, tenant: string) =>
	(await rows())
		.filter((row) => row.entry_type === "vault_key" && row.owner_id === tenant)
		.map((row) => row.page_name);

/** Storage that stops permanently at its nth write, like a killed process. */
function stopAfterWrites(storage: VaultStorage, writes: number): VaultStorage {
	let left = writes;
	const counted =
		<Argument>(write: (argument: Argument) => Promise<void>) =>
		(argument: Argument) =>
			left-- > 0 ? write(argument) : Promise.reject(new Error("killed"));
	return {
		list: storage.list,
		append: counted(storage.append),
		once: counted(storage.once),
		replace: counted(storage.replace),
		delete: counted(storage.delete),
	};
}

/** Runs an action just before the first write of a kind. */
function interleaveWrite(write: "append", storage: VaultStorage, work: () => Promise<unknown>): VaultStorage {
	let isDone = false;
	return {
		...storage,
		async [write](entry) {
			if (!isDone) {
				isDone = true;
				await work();
			}
			await storage[write](entry);
		},
	};
}

/** Runs an action between reading a credential's entries and returning them. */
function interleaveRead(storage: VaultStorage, work: () => Promise<unknown>): VaultStorage {
	let isDone = false;
	return {
		...storage,
		async *list(filter) {
			const entries = await Array.fromAsync(storage.list(filter));
			if (!isDone && filter.type === "credential") {
				isDone = true;
				await work();
			}
			yield* entries;
		},
	};
}

describe("rotate", () => {
	test("creates a new data key for every tenant, keeps everything readable and removes the old keys", async (context) => {
		const fixture = await vaultFixture(context);
		const running = fixture.vault();
		const expected = await fillVault(running);
		const interleaveWrite = (await fixture.rows()).map((row) => row.metadata_json);
		const told: string[] = [];
		const rotated = await fixture.operations().rotate((tenant, count) => told.push(`${tenant} ${count}`));
		assert.deepEqual(rotated, { tenants: 3, credentials: 9, broken: [] });
		assert.deepEqual(told.sort(), ["t0 3", "t1 3", "t2 3"]);
		for (const tenant of ["t0", "t1", "t2"])
			assert.deepEqual(await listKeyPages(fixture, tenant), ["data-key:2"]);
		const after = (await fixture.rows()).filter((row) => row.entry_type === "credential");
		assert.equal(after.length, 9);
		for (const row of after) assert.ok(!interleaveWrite.includes(row.metadata_json));
		await assertOpens(fixture.vault(), expected);
		fixture.clock.advance(5_000);
		await assertOpens(running, expected);
		assert.equal((await fixture.operations().status()).isRotating, false);
	});

	test("resumes after any number of writes without losing anything", async (context) => {
		const fixture = await vaultFixture(context);
		const expected = await fillVault(fixture.vault(), 2, 2);
		let interrupted = 0;
		for (let writes = 0; writes < 40; writes++) {
			const operations = vaultOperations({
				masterKeys: createKeys(fixture.firstKey),
				storage: stopAfterWrites(fixture.storage, writes),
				clock: fixture.clock,
			});
			await operations.rotate(quiet).catch((error: Error) => {
				assert.equal(error.message, "killed");
				interrupted++;
			});
			await assertOpens(fixture.vault(), expected);
		}
		assert.ok(interrupted > 5, `only ${interrupted} interruptions`);
		await fixture.operations().rotate(quiet);
		await assertOpens(fixture.vault(), expected);
		for (const tenant of ["t0", "t1"]) assert.equal((await listKeyPages(fixture, tenant)).length, 1);
		assert.equal((await fixture.sealed()).length, 4);
	});

	test("a resumed rotation creates no second key for a finished tenant", async (context) => {
		const fixture = await vaultFixture(context);
		await fillVault(fixture.vault(), 3, 1);
		let done = "";
		await assert.rejects(
			fixture.operations().rotate((tenant) => {
				done = tenant;
				throw new Error("killed");
			}),
			/killed/,
		);
		assert.equal((await fixture.operations().status()).isRotating, true);
		const told: string[] = [];
		await fixture.operations().rotate((tenant) => told.push(tenant));
		assert.equal(told.length, 2);
		assert.ok(!told.includes(done));
		assert.deepEqual(await listKeyPages(fixture, done), ["data-key:2"]);
	});

	test("concurrent puts, deletes and reads lose no acknowledged write", async (context) => {
		await fc.assert(
			fc.asyncProperty(fc.scheduler(), async (scheduler) => {
				const fixture = await vaultFixture(context);
				const interleaved: VaultStorage = {
					list: fixture.storage.list,
					append: scheduler.scheduleFunction(fixture.storage.append),
					once: scheduler.scheduleFunction(fixture.storage.once),
					replace: scheduler.scheduleFunction(fixture.storage.replace),
					delete: scheduler.scheduleFunction(fixture.storage.delete),
				};
				const quietVault = fixture.vault();
				await fillVault(quietVault, 1, 3);
				const masterKeys = createKeys(fixture.firstKey);
				const { clock, background } = fixture;
				const other = () => fixture.vaultOver(interleaved);
				const writer = other();
				await writer.reveal("t0", "c0");
				const work = [
					vaultOperations({ masterKeys, storage: interleaved, clock }).rotate(quiet),
					writer.put("t0", "c0", put("changed")),
					other().put("t0", "new", put("new")),
					writer.delete("t0", "c1"),
				];
				await scheduler.waitFor(Promise.all(work));
				await background.flush();
				const fresh = fixture.vault();
				await assertOpens(
					fresh,
					new Map([
						["t0/c0", "changed"],
						["t0/new", "new"],
						["t0/c2", "secret-0-2"],
					]),
				);
				assert.equal(await fresh.reveal("t0", "c1"), null);
				assert.deepEqual(new Set((await fresh.listByName("t0")).keys()), new Set(["c0", "c2", "new"]));
				await fixture.operations().rotate(quiet);
				await assertOpens(
					fixture.vault(),
					new Map([
						["t0/c0", "changed"],
						["t0/new", "new"],
					]),
				);
			}),
			{ numRuns: 15 },
		);
	});

	test("a put whose key is retired before the write seals again with the new key", async (context) => {
		const fixture = await vaultFixture(context);
		await fixture.vault().put("acme", "x", put("first"));
		const slow = fixture.vaultOver(
			interleaveWrite("append", fixture.storage, () => fixture.operations().rotate(quiet)),
		);
		await slow.put("acme", "x", put("second"));
		assert.deepEqual(await listKeyPages(fixture, "acme"), ["data-key:2"]);
		assert.deepEqual((await fixture.vault().reveal("acme", "x"))?.fields, { secret: "second" });
	});

	test("a credential deleted during its re-sealing stays deleted", async (context) => {
		const fixture = await vaultFixture(context);
		await fixture.vault().put("acme", "x", put("v"));
		const storage = interleaveWrite("append", fixture.storage, () => fixture.vault().delete("acme", "x"));
		const { clock, firstKey } = fixture;
		await vaultOperations({ masterKeys: createKeys(firstKey), storage, clock }).rotate(quiet);
		assert.equal(await fixture.vault().reveal("acme", "x"), null);
		assert.deepEqual(await fixture.sealed(), []);
	});

	test("a credential replaced during its re-sealing keeps the new value", async (context) => {
		const fixture = await vaultFixture(context);
		await fixture.vault().put("acme", "x", put("first"));
		const storage = interleaveWrite("append", fixture.storage, () =>
			fixture.vault().put("acme", "x", put("second")),
		);
		const { clock, firstKey } = fixture;
		await vaultOperations({ masterKeys: createKeys(firstKey), storage, clock }).rotate(quiet);
		assert.deepEqual((await fixture.vault().reveal("acme", "x"))?.fields, { secret: "second" });
	});

	test("a reader whose key is retired during the read reads again", async (context) => {
		const fixture = await vaultFixture(context);
		await fixture.vault().put("acme", "x", put("v"));
		const slow = fixture.vaultOver(interleaveRead(fixture.storage, () => fixture.operations().rotate(quiet)));
		assert.deepEqual((await slow.reveal("acme", "x"))?.fields, { secret: "v" });
		assert.deepEqual(await listKeyPages(fixture, "acme"), ["data-key:2"]);
	});

	test("a value read before its replacement is not cached after it", async (context) => {
		const fixture = await vaultFixture(context);
		await fixture.vault().put("acme", "x", put("first"));
		const slow: Vault = fixture.vaultOver(
			interleaveRead(fixture.storage, () => slow.put("acme", "x", put("second"))),
		);
		await slow.reveal("acme", "x");
		assert.deepEqual((await slow.reveal("acme", "x"))?.fields, { secret: "second" });
	});

	test("a writer that still has a retired key cached seals again with the new one", async (context) => {
		const fixture = await vaultFixture(context);
		const stale = fixture.vault();
		await stale.put("acme", "x", put("first"));
		await fixture.operations().rotate(quiet);
		await stale.put("acme", "x", put("second"));
		assert.deepEqual((await fixture.vault().reveal("acme", "x"))?.fields, { secret: "second" });
	});

	test("a put that crashed with a retired key does not hide the previous value", async (context) => {
		const fixture = await vaultFixture(context);
		await fixture.vault().put("acme", "x", put("acknowledged"));
		const [row] = (await fixture.rows()).filter(({ entry_type }) => entry_type === "credential");
		await fixture.operations().rotate(quiet);
		const metadata = { ...(JSON.parse(row?.metadata_json ?? "") as object), version: 2, put: "died" };
		await fixture.storage.append({ tenant: "acme", type: "credential", page: "x", metadata });
		assert.deepEqual((await fixture.vault().reveal("acme", "x"))?.fields, { secret: "acknowledged" });
		await fixture.vault().put("acme", "x", put("next"));
		assert.deepEqual((await fixture.vault().reveal("acme", "x"))?.fields, { secret: "next" });
	});

	test("reports a credential that cannot be opened; its tenant keeps its keys until it is put again", async (context) => {
		const fixture = await vaultFixture(context);
		const expected = await fillVault(fixture.vault(), 2, 2);
		await fixture.change(
			`update entries set metadata_json = replace(metadata_json, '"v1.1.', '"v1.1.A') where owner_id = 't0' and page_name = 'c0'`,
		);
		assert.deepEqual((await fixture.operations().rotate(quiet)).broken, ["t0/c0"]);
		expected.delete("t0/c0");
		await assertOpens(fixture.vault(), expected);
		assert.equal((await listKeyPages(fixture, "t0")).length, 2);
		await fixture.vault().put("t0", "c0", put("mended"));
		assert.deepEqual((await fixture.operations().rotate(quiet)).broken, []);
		assert.equal((await listKeyPages(fixture, "t0")).length, 1);
		await assertOpens(fixture.vault(), expected.set("t0/c0", "mended"));
	});
});

describe("rekey", () => {
	const second = createMasterKeyText();

	test("wraps under both keys during the re-key and only under the new one afterwards", async (context) => {
		const fixture = await vaultFixture(context);
		const expected = await fillVault(fixture.vault());
		const secrets = createKeys(fixture.firstKey, second);
		const operations = fixture.operations(secrets);
		assert.equal(await operations.followMasterKeys(), "next key may be used");
		await assertOpens(fixture.vault(), expected);
		await assertOpens(fixture.vault(createKeys(second)), expected);
		secrets.texts.shift();
		assert.equal(await operations.followMasterKeys(), "finished");
		assert.equal(await operations.followMasterKeys(), "unchanged");
		await assertOpens(fixture.vault(createKeys(second)), expected);
		await assert.rejects(fixture.vault().checkKey(), WrongMasterKey);
		await assert.rejects(fixture.vault().reveal("t0", "c0"), WrongMasterKey);
		assert.equal((await fixture.operations(createKeys(second)).status()).isRekeying, false);
	});

	test("resumes after any number of writes, and both keys open everything until the switch", async (context) => {
		const fixture = await vaultFixture(context);
		const expected = await fillVault(fixture.vault(), 4, 1);
		const step = (secrets: string[], writes: number) =>
			vaultOperations({
				masterKeys: createKeys(...secrets),
				storage: stopAfterWrites(fixture.storage, writes),
				clock: fixture.clock,
			}).followMasterKeys();
		let interrupted = 0;
		for (let writes = 0; writes < 5; writes++) {
			await step([fixture.firstKey, second], writes).catch(() => interrupted++);
			await assertOpens(fixture.vault(), expected);
		}
		assert.equal(await step([fixture.firstKey, second], 99), "next key may be used");
		await assertOpens(fixture.vault(createKeys(second)), expected);
		for (let writes = 0; writes < 3; writes++) {
			await step([second], writes).catch(() => interrupted++);
			await assertOpens(fixture.vault(createKeys(second)), expected);
		}
		assert.equal(await step([second], 99), "finished");
		await assertOpens(fixture.vault(createKeys(second)), expected);
		assert.ok(interrupted >= 4, `only ${interrupted} interruptions`);
	});

	test("works in batches, and reports the next key as usable only when it opens all data keys", async (context) => {
		const fixture = await vaultFixture(context);
		const expected = await fillVault(fixture.vault(), 5, 1);
		const secrets = createKeys(fixture.firstKey, second);
		const operations = fixture.operations(secrets);
		const followOnce = async () => {
			const told: string[] = [];
			do {
				const interleaveWrite = fixture.calls.count;
				told.push(await operations.followMasterKeys(2));
				assert.ok(
					fixture.calls.count - interleaveWrite <= 10,
					`${fixture.calls.count - interleaveWrite} calls`,
				);
				await assertOpens(fixture.vault(createKeys(...secrets.texts.slice(0, 1))), expected);
			} while (told.at(-1) === "more to do");
			return told;
		};
		assert.deepEqual(await followOnce(), ["more to do", "more to do", "next key may be used"]);
		await assertOpens(fixture.vault(createKeys(second)), expected);
		secrets.texts.shift();
		assert.deepEqual(await followOnce(), ["more to do", "more to do", "finished"]);
		assert.deepEqual(await followOnce(), ["unchanged"]);
		assert.equal((await fixture.operations(createKeys(second)).status()).isRekeying, false);
	});

	test("a data key created during the re-key is wrapped under the new master key too", async (context) => {
		const fixture = await vaultFixture(context);
		const running = fixture.vault(createKeys(fixture.firstKey, second));
		await running.put("old", "x", put("v"));
		const secrets = createKeys(fixture.firstKey, second);
		await fixture.operations(secrets).followMasterKeys();
		await running.put("young", "x", put("v"));
		await assertOpens(
			fixture.vault(createKeys(second)),
			new Map([
				["old/x", "v"],
				["young/x", "v"],
			]),
		);
	});

	test("a service without the new key keeps reading and creates no data key that would be lost", async (context) => {
		const fixture = await vaultFixture(context);
		const behind = fixture.vault();
		await behind.put("old", "x", put("v"));
		await fixture.operations(createKeys(fixture.firstKey, second)).followMasterKeys();
		assert.deepEqual((await behind.reveal("old", "x"))?.fields, { secret: "v" });
		await behind.put("old", "y", put("v"));
		await assert.rejects(behind.put("young", "x", put("v")), /being replaced/);
		await assertOpens(
			fixture.vault(createKeys(second)),
			new Map([
				["old/x", "v"],
				["old/y", "v"],
			]),
		);
	});

	test("a running service finds the new key after the switch", async (context) => {
		const fixture = await vaultFixture(context);
		const file = createKeys(fixture.firstKey);
		const running = fixture.vault(file);
		const expected = await fillVault(fixture.vault());
		await running.checkKey();
		file.texts.push(second);
		await fixture.operations(file).followMasterKeys();
		file.texts.shift();
		await fixture.operations(file).followMasterKeys();
		await assertOpens(running, expected);
		await running.put("young", "x", put("v"));
		await assertOpens(fixture.vault(createKeys(second)), expected.set("young/x", "v"));
	});

	test("skips a data key left by a crash during its creation", async (context) => {
		const fixture = await vaultFixture(context);
		const expected = await fillVault(fixture.vault(), 1, 1);
		const [left] = (await fixture.rows()).filter(({ page_name }) => page_name === "data-key:1");
		const secrets = createKeys(fixture.firstKey, second);
		await fixture.operations(secrets).followMasterKeys();
		secrets.texts.shift();
		await fixture.operations(secrets).followMasterKeys();
		const metadata = JSON.parse(left?.metadata_json ?? "") as object;
		await fixture.storage.once({ tenant: "died", type: "vault_key", page: "data-key:1", metadata });
		const vault = fixture.vault(createKeys(second));
		await vault.put("died", "x", put("v"));
		const under = (await fixture.rows()).filter(({ owner_id }) => owner_id === "died").at(-1);
		const row = JSON.parse(under?.metadata_json ?? "") as { envelope: string };
		const unfinished = { ...row, version: 9, envelope: row.envelope.replace("v1.2.", "v1.1.") };
		await fixture.storage.append({ tenant: "died", type: "credential", page: "x", metadata: unfinished });
		await assertOpens(fixture.vault(createKeys(second)), expected.set("died/x", "v"));
		secrets.texts.push(createMasterKeyText());
		assert.equal(await fixture.operations(secrets).followMasterKeys(), "next key may be used");
	});

	test("an abandoned re-key leaves the old key in use", async (context) => {
		const fixture = await vaultFixture(context);
		const expected = await fillVault(fixture.vault());
		await fixture.operations(createKeys(fixture.firstKey, second)).followMasterKeys();
		assert.equal(await fixture.operations().followMasterKeys(), "finished");
		await assertOpens(fixture.vault(), expected);
		await fixture.vault().put("young", "x", put("v"));
		await assert.rejects(fixture.vault(createKeys(second)).checkKey(), WrongMasterKey);
	});
});
