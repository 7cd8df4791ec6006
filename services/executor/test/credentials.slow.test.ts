import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import type { Failed } from "@tripline/contract/failures";
import { createMasterKeyText } from "@tripline/platform/master-key";
import { CannotOpen } from "@tripline/platform/vault";
import fc from "fast-check";
import { WrongMasterKey } from "../src/vault/key-check.ts";
import { createKeys, vaultFixture } from "./vault-fixture.ts";

const recipe = "signing_secret";
const put = (secret: string) => ({ auth_recipe: recipe, fields: { secret } });
const HOUR = 60 * 60_000;

describe("credentials in the vault", () => {
	test("a stored credential is revealed, and listed without its values", async (context) => {
		const { vault, clock } = await vaultFixture(context);
		const one = vault();
		const updated_at = new Date(clock.now()).toISOString();
		const fields = { user: "ada", password: "hunter2 密碼" };
		assert.deepEqual(await one.put("acme", "db", { auth_recipe: "basic", fields }), {
			name: "db",
			auth_recipe: "basic",
			fields: ["user", "password"],
			created: true,
			updated_at,
		});
		assert.deepEqual(await vault().list("acme"), [
			{
				name: "db",
				auth_recipe: "basic",
				fields: ["user", "password"],
				updated_at,
				last_used_at: null,
				session: null,
			},
		]);
		assert.deepEqual((await one.reveal("acme", "db"))?.fields, fields);
		assert.deepEqual((await vault().reveal("acme", "db"))?.fields, fields);
	});

	test("a tenant sees only its own credentials", async (context) => {
		const { vault } = await vaultFixture(context);
		const one = vault();
		await one.put("acme", "x", put("of acme"));
		await one.put("initech", "x", put("of initech"));
		await one.put("initech", "y", put("more"));
		assert.deepEqual((await one.reveal("acme", "x"))?.fields, { secret: "of acme" });
		assert.deepEqual((await one.reveal("initech", "x"))?.fields, { secret: "of initech" });
		assert.equal(await one.reveal("acme", "y"), null);
		assert.deepEqual([...(await one.listByName("acme")).keys()], ["x"]);
		assert.equal(await one.delete("acme", "y"), false);
		assert.equal((await one.listByName("nobody")).size, 0);
	});

	test("a second put replaces the first at once in the same process and leaves one entry", async (context) => {
		const { vault, sealed } = await vaultFixture(context);
		const one = vault();
		await one.put("acme", "x", put("first"));
		assert.deepEqual((await one.reveal("acme", "x"))?.fields, { secret: "first" });
		assert.equal((await one.put("acme", "x", put("second"))).created, false);
		assert.deepEqual((await one.reveal("acme", "x"))?.fields, { secret: "second" });
		assert.deepEqual(await sealed(), ["x"]);
	});

	test("a deleted credential is gone at once in the same process and can be put again", async (context) => {
		const { vault } = await vaultFixture(context);
		const one = vault();
		await one.put("acme", "x", put("first"));
		await one.reveal("acme", "x");
		assert.equal(await one.delete("acme", "x"), true);
		assert.equal(await one.delete("acme", "x"), false);
		assert.equal(await one.reveal("acme", "x"), null);
		assert.deepEqual(await one.list("acme"), []);
		assert.equal((await one.put("acme", "x", put("again"))).created, true);
		assert.deepEqual((await vault().reveal("acme", "x"))?.fields, { secret: "again" });
	});

	test("the tombstone of a deleted credential is removed after an hour", async (context) => {
		const { vault, rows, clock, background } = await vaultFixture(context);
		const one = vault();
		for (const name of ["x", "y"]) await one.put("acme", name, put("v"));
		await one.delete("acme", "x");
		clock.advance(HOUR + 1);
		await one.delete("acme", "y");
		await background.flush();
		const pages = (await rows()).filter((row) => row.entry_type === "credential").map((row) => row.page_name);
		assert.deepEqual(pages, ["y"]);
	});

	test("names and tenants of any spelling stay separate", async (context) => {
		const { vault } = await vaultFixture(context);
		const one = vault();
		const kept = new Map<string, string>();
		const names = fc.constantFrom(
			"a",
			"A",
			"a.b",
			"a b",
			"鑰匙",
			"__proto__",
			"constructor",
			"🔑",
			"a:1",
			"*",
		);
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom("t", "T", "t-1"),
				names,
				fc.string({ minLength: 1, unit: "grapheme" }),
				async (tenant, name, secret) => {
					await one.put(tenant, name, put(secret));
					kept.set(`${tenant}/${name}`, secret);
					const fresh = vault();
					for (const [place, expected] of kept) {
						const [owner = "", page = ""] = place.split("/");
						assert.deepEqual((await fresh.reveal(owner, page))?.fields, { secret: expected });
					}
				},
			),
			{ numRuns: 25 },
		);
	});

	test("the largest allowed credential is stored unchanged, and a larger one is refused", async (context) => {
		const { vault, sealed } = await vaultFixture(context);
		const fields = (value: string) =>
			Object.fromEntries(Array.from({ length: 32 }, (_, index) => [`f${index}`, value]));
		const largest = fields("鑰".repeat(5461));
		await vault().put("acme", "large", { auth_recipe: "x", fields: largest });
		assert.deepEqual((await vault().reveal("acme", "large"))?.fields, largest);
		const before = await sealed();
		const escaped = { auth_recipe: "x", fields: fields("\u0001".repeat(16 * 1024)) };
		await assert.rejects(
			vault().put("acme", "large", escaped),
			(error: Failed) => error.failure.kind === "too_large",
		);
		assert.deepEqual(await sealed(), before);
	});
});

describe("concurrent credential operations", () => {
	test("concurrent first puts of a tenant create one data key that opens all of them", async (context) => {
		const { vault, rows } = await vaultFixture(context);
		const vaults = Array.from({ length: 10 }, () => vault());
		await Promise.all(vaults.map((each, index) => each.put("acme", `c${index}`, put(`v${index}`))));
		const fresh = vault();
		for (let index = 0; index < 10; index++) {
			assert.deepEqual((await fresh.reveal("acme", `c${index}`))?.fields, { secret: `v${index}` });
		}
		const keys = (await rows()).filter((row) => row.entry_type === "vault_key" && row.owner_id === "acme");
		assert.deepEqual(
			keys.map((row) => row.page_name),
			["data-key:1"],
		);
	});

	test("concurrent puts of one name leave one value, the same for every reader", async (context) => {
		const { vault } = await vaultFixture(context);
		const vaults = Array.from({ length: 10 }, () => vault());
		await Promise.all(vaults.map((each, index) => each.put("acme", "x", put(`v${index}`))));
		const seen = await Promise.all(vaults.map((each) => each.reveal("acme", "x")));
		assert.equal(new Set(seen.map((each) => each?.fields.secret)).size, 1);
		assert.equal((await vault().list("acme")).length, 1);
	});

	test("a value that is replaced while it is being read is not cached", async (context) => {
		const { vault } = await vaultFixture(context);
		const one = vault();
		await one.put("acme", "x", put("first"));
		await Promise.all([one.reveal("acme", "x"), one.put("acme", "x", put("second"))]);
		assert.deepEqual((await one.reveal("acme", "x"))?.fields, { secret: "second" });
	});
});

describe("caching of revealed credentials", () => {
	test("caches values for five seconds", async (context) => {
		const { vault, calls, clock, background } = await vaultFixture(context);
		await vault().put("acme", "x", put("v"));
		const one = vault();
		await one.reveal("acme", "x");
		await background.flush();
		calls.count = 0;
		for (let count = 0; count < 50; count++) await one.reveal("acme", "x");
		assert.equal(calls.count, 0);
		await vault().put("acme", "x", put("changed elsewhere"));
		clock.advance(5_000);
		calls.count = 0;
		assert.deepEqual((await one.reveal("acme", "x"))?.fields, { secret: "changed elsewhere" });
		assert.equal(calls.count, 1);
	});

	test("a caller cannot change the cached value", async (context) => {
		const { vault } = await vaultFixture(context);
		const one = vault();
		await one.put("acme", "x", put("v"));
		const fields = (await one.reveal("acme", "x"))?.fields as Record<string, string>;
		assert.throws(() => {
			fields.secret = "changed";
		}, TypeError);
		assert.deepEqual((await one.reveal("acme", "x"))?.fields, { secret: "v" });
	});

	test("records the last use at most once an hour, after the answer", async (context) => {
		const { vault, clock, background, rows } = await vaultFixture(context);
		const one = vault();
		await one.put("acme", "x", put("v"));
		const uses = async () => (await rows()).filter((row) => row.metadata_json.includes("last_used_at"));
		const first = new Date(clock.now()).toISOString();
		for (let minute = 0; minute < 59; minute++) {
			await one.reveal("acme", "x");
			await vault().reveal("acme", "x");
			await background.flush();
			clock.advance(60_000);
		}
		assert.equal((await uses()).length, 1);
		assert.equal((await one.list("acme"))[0]?.last_used_at, first);
		clock.advance(60_001);
		const later = new Date(clock.now()).toISOString();
		await one.reveal("acme", "x");
		await background.flush();
		assert.equal((await uses()).length, 1);
		assert.equal((await one.list("acme"))[0]?.last_used_at, later);
	});

	test("a use that cannot be recorded does not fail the call", async (context) => {
		const { vault, background, change, lines } = await vaultFixture(context);
		const one = vault();
		await one.put("acme", "x", put("v"));
		await one.reveal("acme", "x");
		await background.flush();
		const fresh = vault();
		await change("create trigger full before insert on entries begin select raise(abort, 'no room'); end");
		await change("delete from entries where metadata_json like '%last_used_at%'");
		assert.deepEqual((await fresh.reveal("acme", "x"))?.fields, { secret: "v" });
		await background.flush();
		assert.ok(lines.some((line) => line.startsWith("credential use: StoreUnavailable")));
	});
});

describe("stored credentials", () => {
	const files = (folder: string) => readdirSync(folder).map((name) => readFileSync(join(folder, name)));

	test("a canary value appears in no file, log line, listing or error", async (context: TestContext) => {
		const folder = mkdtempSync(join(tmpdir(), "tripline-"));
		context.after(() => rmSync(folder, { recursive: true }));
		const { vault, operations, lines, background, change, firstKey } = await vaultFixture(
			context,
			join(folder, "store.db"),
		);
		const canary = "canary-5f1d0c-密碼";
		const one = vault();
		await one.put("acme", "x", put(canary));
		await one.put("acme", "x", put(`${canary}-2`));
		await one.reveal("acme", "x");
		await operations().rotate(() => {});
		await background.flush();
		const said = JSON.stringify([await one.list("acme"), lines]);
		await change(
			`update entries set metadata_json = replace(metadata_json, '"v1.2.', '"v1.2.A') where entry_type = 'credential'`,
		);
		const error = await vault()
			.reveal("acme", "x")
			.then(
				() => assert.fail("opened"),
				(thrown: Error) => thrown,
			);
		assert.ok(files(folder).length >= 2);
		const whole = Buffer.concat([
			...files(folder),
			Buffer.from(said + String(error.stack) + JSON.stringify(error)),
		]);
		const escaped = JSON.stringify(canary).slice(1, -1);
		for (const secret of [canary, escaped, btoa("canary-5f1d0c").slice(0, 16), "canary-5f1d0c", firstKey]) {
			assert.equal(whole.includes(secret), false, `found ${secret}`);
		}
		assert.equal(whole.includes("data-key:2"), true);
	});

	const moves: [string, string][] = [
		["another tenant", "update entries set owner_id = 'initech' where owner_id = 'acme'"],
		["another name", "update entries set page_name = 'y' where page_name = 'x'"],
		[
			"another version",
			`update entries set metadata_json = json_set(metadata_json, '$.version', 7) where page_name = 'x'`,
		],
		[
			"another recipe",
			`update entries set metadata_json = json_set(metadata_json, '$.auth_recipe', 'evil') where page_name = 'x'`,
		],
		[
			"another tenant's key",
			"update entries set owner_id = 'initech' where entry_type = 'credential' and owner_id = 'acme'",
		],
	];
	for (const [what, text] of moves) {
		test(`a ciphertext moved to ${what} cannot be opened`, async (context) => {
			const { vault, change } = await vaultFixture(context);
			await vault().put("acme", "x", put("v"));
			if (what.endsWith("key")) await vault().put("initech", "z", put("v"));
			await change(text);
			const tenant = what.startsWith("another tenant") ? "initech" : "acme";
			await assert.rejects(vault().reveal(tenant, what === "another name" ? "y" : "x"), CannotOpen);
		});
	}
});

describe("the master key", () => {
	test("a wrong master key is detected before anything is read or written", async (context) => {
		const { vault, rows } = await vaultFixture(context);
		await vault().checkKey();
		await vault().put("acme", "x", put("v"));
		const before = await rows();
		const wrong = vault(createKeys(createMasterKeyText()));
		await assert.rejects(wrong.checkKey(), WrongMasterKey);
		await assert.rejects(wrong.reveal("acme", "x"), WrongMasterKey);
		await assert.rejects(wrong.put("acme", "y", put("v")));
		await assert.rejects(wrong.put("new-tenant", "y", put("v")));
		assert.deepEqual(await rows(), before);
		await vault().checkKey();
	});

	test("one of two concurrent first starts with different keys is refused", async (context) => {
		const { vault } = await vaultFixture(context);
		const results = await Promise.allSettled([
			vault(createKeys(createMasterKeyText())).checkKey(),
			vault(createKeys(createMasterKeyText())).checkKey(),
		]);
		assert.deepEqual(results.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
	});

	for (const left of ["vault_key", "credential"]) {
		test(`a vault that has a ${left} but no key check is refused, and no key check is created`, async (context) => {
			const { vault, change, rows } = await vaultFixture(context);
			await vault().put("acme", "x", put("v"));
			await change("delete from entries where page_name = 'key-check'");
			await change(
				"delete from entries where entry_type in ('vault_key', 'credential') and entry_type <> ?1",
				left,
			);
			const before = await rows();
			await assert.rejects(vault().checkKey(), WrongMasterKey);
			await assert.rejects(vault().put("acme", "x", put("v")), WrongMasterKey);
			assert.deepEqual(await rows(), before);
		});
	}

	test("refuses a tampered key check", async (context) => {
		const { vault, change } = await vaultFixture(context);
		await vault().checkKey();
		await change(
			`update entries set metadata_json = json_set(metadata_json, '$.wraps[0]', substr(json_extract(metadata_json, '$.wraps[0]'), 1, 22) || 'AAAA') where page_name = 'key-check'`,
		);
		await assert.rejects(vault().checkKey(), WrongMasterKey);
	});
});
