import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { startAccount, type TestAccount } from "./account.ts";

const NEEDED = ["Workers Scripts", "Workers KV Storage", "D1"];

describe("tripline init fails before anything is changed", () => {
	let account: TestAccount;
	before(async () => {
		account = await startAccount();
	});

	async function assertRefused(env: Readonly<Record<string, string>>, expected: RegExp): Promise<void> {
		const { code, err } = await account.cli(["init"], env);
		assert.equal(code, 1);
		assert.match(err, expected);
		const { scripts, namespaces, databases, indexes, subdomain } = account.standIn.state();
		assert.deepEqual([scripts, namespaces, databases, indexes, subdomain], [[], [], [], [], null]);
	}

	for (const lacking of NEEDED)
		for (const kind of ["nothing", "Read"])
			test(`with ${kind} of ${lacking}`, () => {
				const others = NEEDED.filter((group) => group !== lacking).map((group) => `${group} Write`);
				const permissions = kind === "Read" ? [...others, `${lacking} Read`] : others;
				return assertRefused(
					{ CLOUDFLARE_API_TOKEN: account.standIn.token(permissions) },
					new RegExp(`lacks a permission: ${lacking}: Edit\\n`),
				);
			});

	test("names all missing permissions", () =>
		assertRefused(
			{ CLOUDFLARE_API_TOKEN: account.standIn.token(["D1 Write"]) },
			/Workers Scripts: Edit, Workers KV Storage: Edit/,
		));

	test("with an unknown token", () =>
		assertRefused({ CLOUDFLARE_API_TOKEN: "x".repeat(40) }, /the API token is not valid.*\n.*api-tokens/));

	test("with a token that has expired", () =>
		assertRefused(
			{ CLOUDFLARE_API_TOKEN: account.standIn.token(undefined, { status: "expired" }) },
			/the API token is expired/,
		));

	test("with an account of somebody else", () =>
		assertRefused(
			{ CLOUDFLARE_ACCOUNT_ID: "0".repeat(32) },
			/has no permissions in the account 0+.*\n.*check the account's id/,
		));

	test("without a network", () =>
		assertRefused(
			{ CLOUDFLARE_API_BASE_URL: "http://127.0.0.1:1" },
			/could not be reached to verify the token.*\n.*network/,
		));

	test("without a token, and says how to set it", async () => {
		const { code, err } = await account.cli(["init"], { CLOUDFLARE_API_TOKEN: "" });
		assert.equal(code, 2);
		assert.match(err, /API token is missing\n.*CLOUDFLARE_API_TOKEN/);
	});
});

describe("tripline init without an account", () => {
	test("sets up the service on this machine", async () => {
		const account = await startAccount();
		const env = { CLOUDFLARE_ACCOUNT_ID: "", CLOUDFLARE_API_TOKEN: "" };
		const { code, out } = await account.cli(["init"], env);
		assert.equal(code, 0);
		assert.match(out, /tripline serve/);
		const config = JSON.parse(readFileSync(join(account.cwd, "tripline.json"), "utf8"));
		assert.equal(config.base_url, "http://127.0.0.1:8484");
		assert.deepEqual(account.standIn.calls, []);
	});
});
