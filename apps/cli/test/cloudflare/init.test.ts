import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { startAccount, type TestAccount } from "./account.ts";

const WORKERS = ["tripline-store", "tripline-registry", "tripline-executor", "tripline-mcp"];
const NEEDED = ["Workers Scripts", "Workers KV Storage", "D1"];

describe("tripline init", () => {
	let account: TestAccount;
	let first: Awaited<ReturnType<TestAccount["cli"]>>;
	before(async () => {
		account = await startAccount({ mostPerPage: 2 });
		first = await account.cli(["init"]);
	});

	test("makes everything from nothing, and the service answers", async () => {
		assert.equal(first.code, 0, first.err + first.out);
		const { scripts, namespaces, databases, indexes, subdomain } = account.standIn.state();
		assert.deepEqual(scripts.map(({ name }) => name).sort(), [...WORKERS].sort());
		assert.equal(namespaces.length, 5);
		assert.equal(databases.length, 1);
		assert.equal(indexes.length, 1);
		assert.ok(subdomain !== null);
		assert.deepEqual(
			scripts.filter(({ isPublic }) => !isPublic).map(({ name }) => name),
			["tripline-store"],
		);
		assert.ok(scripts.every(({ tags }) => tags.some((tag) => /^fp:[0-9a-f]{32}$/.test(tag))));
		assert.deepEqual(
			account.visits.filter((visit) => visit.startsWith("POST")),
			["POST /init/seed"],
		);
	});

	test("prints the addresses and where the owner secret is, and no secret", () => {
		const url = `https://tripline-executor.${account.standIn.state().subdomain}.workers.dev`;
		assert.ok(first.out.includes(url), first.out);
		assert.match(first.out, /MCP_OWNER_SECRET/);
		const secrets = account.standIn.state().scripts.flatMap((script) => Object.values(script.secrets));
		assert.ok(secrets.length >= 5);
		for (const secret of [...secrets, account.env.CLOUDFLARE_API_TOKEN as string])
			assert.ok(!(first.out + first.err).includes(secret));
	});

	test("writes the project's and the user's config", () => {
		for (const path of [
			join(account.cwd, "tripline.json"),
			join(account.home, ".config/tripline/config.json"),
		]) {
			const config = JSON.parse(readFileSync(path, "utf8"));
			assert.deepEqual(Object.keys(config).sort(), ["account_id", "base_url", "mcp_url", "registry_url"]);
			assert.equal(config.account_id, account.standIn.accountId);
		}
	});

	test("again changes nothing and is quick", async () => {
		const state = account.standIn.state();
		const started = Date.now();
		const { code, out } = await account.cli(["init", "--json"]);
		assert.equal(code, 0, out);
		assert.ok(Date.now() - started < 3000);
		assert.deepEqual(account.standIn.state(), state);
		assert.equal(JSON.parse(out).seeded, null);
		assert.equal(account.visits.filter((visit) => visit === "POST /init/seed").length, 1);
	});

	test("what is deployed takes commands without a token being given", async () => {
		const { code, out, err } = await account.cli(["executions", "--json"]);
		assert.equal(code, 0, err);
		assert.ok(JSON.parse(out));
	});

	test("on another machine it takes no secret from the workers and sets none", async () => {
		const state = account.standIn.state();
		const elsewhere = { XDG_CONFIG_HOME: join(account.home, "elsewhere") };
		const { code, err } = await account.cli(["init"], elsewhere);
		assert.equal(code, 0, err);
		assert.match(err, /SERVICE_ACCESS_TOKEN/);
		assert.deepEqual(account.standIn.state(), state);
	});
});

describe("tripline init, refused before anything is touched", () => {
	let account: TestAccount;
	before(async () => {
		account = await startAccount();
	});

	async function refused(env: Readonly<Record<string, string>>, expected: RegExp): Promise<void> {
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
				return refused(
					{ CLOUDFLARE_API_TOKEN: account.standIn.token(permissions) },
					new RegExp(`lacks a permission: ${lacking}: Edit\\n`),
				);
			});

	test("with several missing, all are named", () =>
		refused(
			{ CLOUDFLARE_API_TOKEN: account.standIn.token(["D1 Write"]) },
			/Workers Scripts: Edit, Workers KV Storage: Edit/,
		));

	test("with a token that there is not", () =>
		refused({ CLOUDFLARE_API_TOKEN: "x".repeat(40) }, /the API token is not valid.*\n.*api-tokens/));

	test("with a token that has expired", () =>
		refused(
			{ CLOUDFLARE_API_TOKEN: account.standIn.token(undefined, { status: "expired" }) },
			/the API token is expired/,
		));

	test("with another's account", () =>
		refused(
			{ CLOUDFLARE_ACCOUNT_ID: "0".repeat(32) },
			/may do nothing in the account 0+.*\n.*check the account's id/,
		));

	test("without a network", () =>
		refused(
			{ CLOUDFLARE_API_BASE_URL: "http://127.0.0.1:1" },
			/could not be reached to verify the token.*\n.*network/,
		));

	test("without the token: says how to give it", async () => {
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
