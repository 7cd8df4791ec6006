import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createMasterKeyText } from "@tripline/platform/master-key";
import { CannotOpen } from "@tripline/platform/vault";
import { createKeys, vaultFixture } from "./vault-fixture.ts";

type Fixture = Awaited<ReturnType<typeof vaultFixture>>;

const DAY_MS = 24 * 60 * 60_000;
const quiet = () => {};

const listRunKeys = async ({ rows }: Fixture) =>
	(await rows()).map((row) => row.page_name).filter((page) => page.startsWith("run-key:"));

describe("sealing what is stored of runs", () => {
	test("a sealed text is opened with its context, in this process and in another", async (context) => {
		const fixture = await vaultFixture(context);
		const sealer = await fixture.vault().runSealer("acme");
		const envelope = await sealer.seal(["kept", "run 1"], "給 ✓ \u0000");
		assert.equal(envelope.includes("給"), false);
		assert.equal(await sealer.open(["kept", "run 1"], envelope), "給 ✓ \u0000");
		const other = await fixture.vault().runSealer("acme");
		assert.equal(await other.open(["kept", "run 1"], envelope), "給 ✓ \u0000");
	});

	test("another context, another namespace and a changed text do not open it", async (context) => {
		const fixture = await vaultFixture(context);
		const vault = fixture.vault();
		const sealer = await vault.runSealer("acme");
		const envelope = await sealer.seal(["kept", "run 1"], "secret");
		const other = await vault.runSealer("other");
		const changed = envelope.replace(/.{4}$/, (end) => (end === "AAAA" ? "BBBB" : "AAAA"));
		await assert.rejects(sealer.open(["kept", "run 2"], envelope), CannotOpen);
		await assert.rejects(sealer.open(["kept", "run", "1"], envelope), CannotOpen);
		await assert.rejects(other.open(["kept", "run 1"], envelope), CannotOpen);
		await assert.rejects(sealer.open(["kept", "run 1"], changed), CannotOpen);
		await assert.rejects(sealer.open(["kept", "run 1"], "v1.9.AAAA"), CannotOpen);
		await assert.rejects(sealer.open(["kept", "run 1"], "secret"), CannotOpen);
	});

	test("sealing and opening cost no query once the key is known", async (context) => {
		const fixture = await vaultFixture(context);
		const vault = fixture.vault();
		await vault.runSealer("acme");
		fixture.calls.count = 0;
		const sealer = await vault.runSealer("acme");
		await sealer.open(["a"], await sealer.seal(["a"], "text"));
		assert.equal(fixture.calls.count, 0);
	});

	test("concurrent first uses create one key", async (context) => {
		const fixture = await vaultFixture(context);
		const vaults = [fixture.vault(), fixture.vault(), fixture.vault()];
		const sealers = await Promise.all(vaults.map((vault) => vault.runSealer("acme")));
		const envelopes = await Promise.all(sealers.map((sealer) => sealer.seal(["a"], "text")));
		assert.deepEqual(await listRunKeys(fixture), ["run-key:1"]);
		for (const envelope of envelopes) assert.equal(await sealers[0]?.open(["a"], envelope), "text");
	});
});

describe("run keys and the vault's commands", () => {
	test("a rotation creates a new run key and keeps what was sealed before readable", async (context) => {
		const fixture = await vaultFixture(context);
		const running = await fixture.vault().runSealer("acme");
		const before = await running.seal(["a"], "before");
		const rotated = await fixture.operations().rotate(quiet);
		assert.deepEqual(rotated, { tenants: 1, credentials: 0, broken: [] });
		assert.deepEqual(await listRunKeys(fixture), ["run-key:1", "run-key:2"]);
		const after = await (await fixture.vault().runSealer("acme")).seal(["a"], "after");
		assert.match(after, /^v1\.2\./);
		assert.equal(await running.open(["a"], before), "before");
		assert.equal(await running.open(["a"], after), "after");
	});

	test("a running service seals with the new key after five minutes", async (context) => {
		const fixture = await vaultFixture(context);
		const running = await fixture.vault().runSealer("acme");
		await fixture.operations().rotate(quiet);
		assert.match(await running.seal(["a"], "text"), /^v1\.1\./);
		fixture.clock.advance(5 * 60_000);
		assert.match(await running.seal(["a"], "text"), /^v1\.2\./);
	});

	test("a rotation deletes run keys that were replaced more than 60 days ago", async (context) => {
		const fixture = await vaultFixture(context);
		const sealer = await fixture.vault().runSealer("acme");
		const envelope = await sealer.seal(["a"], "text");
		await fixture.operations().rotate(quiet);
		fixture.clock.advance(60 * DAY_MS);
		await fixture.operations().rotate(quiet);
		assert.deepEqual(await listRunKeys(fixture), ["run-key:1", "run-key:2", "run-key:3"]);
		fixture.clock.advance(1);
		await fixture.operations().rotate(quiet);
		assert.deepEqual(await listRunKeys(fixture), ["run-key:2", "run-key:3", "run-key:4"]);
		await assert.rejects(sealer.open(["a"], envelope), CannotOpen);
	});

	test("a rotation that was interrupted creates no second run key when it resumes", async (context) => {
		const fixture = await vaultFixture(context);
		const vault = fixture.vault();
		await vault.runSealer("acme");
		await vault.put("broken", "c", { auth_recipe: "signing_secret", fields: { secret: "s" } });
		await fixture.change(
			"update entries set metadata_json = replace(metadata_json, 'signing_secret', 'other') where page_name = 'c'",
		);
		const first = await fixture.operations().rotate(quiet);
		assert.deepEqual(first.broken, ["broken/c"]);
		await fixture.operations().rotate(quiet);
		assert.deepEqual(await listRunKeys(fixture), ["run-key:1", "run-key:2"]);
	});

	test("re-keying the master covers run keys, also one that is created meanwhile", async (context) => {
		const fixture = await vaultFixture(context);
		const second = createMasterKeyText();
		const envelope = await (await fixture.vault().runSealer("acme")).seal(["a"], "text");
		const masters = createKeys(fixture.firstKey, second);
		const operations = fixture.operations(masters);
		assert.equal(await operations.followMasterKeys(), "next key may be used");
		const during = await (await fixture.vault(masters).runSealer("during")).seal(["a"], "meanwhile");
		masters.texts.shift();
		assert.equal(await operations.followMasterKeys(), "finished");
		const vault = fixture.vault(createKeys(second));
		assert.equal(await (await vault.runSealer("acme")).open(["a"], envelope), "text");
		assert.equal(await (await vault.runSealer("during")).open(["a"], during), "meanwhile");
	});

	test("the vault's status counts data keys only", async (context) => {
		const fixture = await vaultFixture(context);
		const vault = fixture.vault();
		await vault.put("acme", "c", { auth_recipe: "signing_secret", fields: { secret: "s" } });
		await vault.runSealer("acme");
		const { tenants, dataKeys } = await fixture.operations().status();
		assert.deepEqual({ tenants, dataKeys }, { tenants: 1, dataKeys: 1 });
	});
});
