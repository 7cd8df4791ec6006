import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { type Machine, startMachine } from "./machine.ts";

const NEEDED = ["Workers Scripts", "Workers KV Storage", "D1"];
const edit = (groups: readonly string[]) => groups.map((group) => `${group} Write`);

describe("init that cannot continue says why, and has changed nothing", () => {
	let machine: Machine;
	before(async () => {
		machine = await startMachine();
	});

	async function assertRefused(env: Readonly<Record<string, string>>, expected: RegExp): Promise<void> {
		const calls = machine.standIn.calls.length;
		const { code, err, out } = await machine.cli(["init"], { env });
		assert.equal(code, 1);
		assert.equal(out, "");
		assert.match(err, expected);
		assert.deepEqual(machine.writes(calls), []);
		assert.ok(!err.includes(machine.env.CLOUDFLARE_API_TOKEN ?? ""));
	}
	const withToken = (...token: Parameters<Machine["standIn"]["token"]>) => ({
		CLOUDFLARE_API_TOKEN: machine.standIn.token(...token),
	});

	for (const lacking of NEEDED) {
		const others = edit(NEEDED.filter((group) => group !== lacking));
		const expected = new RegExp(`^tripline: the API token lacks a permission: ${lacking}: Edit\\n  \\S`);
		test(`the token lacks ${lacking}`, () => assertRefused(withToken(others), expected));
		test(`the token may only read ${lacking}`, () =>
			assertRefused(withToken([...others, `${lacking} Read`]), expected));
	}

	test("the token lacks several permissions: all are named", () =>
		assertRefused(withToken(["D1 Write"]), /permissions: Workers Scripts: Edit, Workers KV Storage: Edit\n/));
	test("the token is unknown", () =>
		assertRefused({ CLOUDFLARE_API_TOKEN: "x".repeat(40) }, /the API token is not valid.*\n.*api-tokens/));
	test("the token is malformed", () =>
		assertRefused({ CLOUDFLARE_API_TOKEN: "short" }, /the API token is not valid.*\n.*api-tokens/));
	test("the token has expired", () =>
		assertRefused(withToken(undefined, { status: "expired" }), /the API token is expired\n.*api-tokens/));
	test("the account belongs to somebody else", () =>
		assertRefused(
			{ CLOUDFLARE_ACCOUNT_ID: "0".repeat(32) },
			/has no permissions in the account 0+\n.*account's id/,
		));
	test("nothing answers", () =>
		assertRefused({ CLOUDFLARE_API_BASE_URL: "http://127.0.0.1:1" }, /could not be reached.*\n.*network/));
	test("a proxy answers instead of the provider", async () => {
		machine.standIn.fail({ path: "/user/tokens/verify", status: 403, html: "<h1>Sign in</h1>" });
		await assertRefused({}, /is not from Cloudflare's API \(status 403\)\n.*proxy/);
	});
	test("the rate limit lasts for five minutes", async () => {
		machine.standIn.fail({ path: "/d1/database", status: 429, retryAfter: 300 });
		await assertRefused({}, /status 429.*\n.*in 300 seconds/);
	});
});

describe("init while the provider has faults", () => {
	test("waits for Retry-After, retries after failures, and creates everything once", async () => {
		const machine = await startMachine();
		const { standIn } = machine;
		standIn.fail({ path: /\/workers\/scripts$/, status: 429, retryAfter: 1 });
		standIn.fail({ method: "POST", path: /\/namespaces$/, skip: 1, status: 429, retryAfter: 1 });
		standIn.fail({ method: "PUT", path: /\/tripline-mcp$/, status: 503, html: "<h1>Bad gateway</h1>" });
		standIn.cut({ method: "PUT", path: /\/tripline-executor$/, isDone: true });
		standIn.cut({ path: /\/subdomain$/ });
		const { code, err, out } = await machine.cli(["init"]);
		assert.equal(code, 0, err + out);
		assert.equal(machine.waits.filter((ms) => ms === 1000).length, 2, "as long as it was told");
		assert.equal(machine.waits.filter((ms) => ms === 500).length, 3, "and a little after a failure");
		const { namespaces, databases, scripts } = standIn.state();
		assert.deepEqual([namespaces.length, databases.length, scripts.length], [5, 2, 4]);
		const again = standIn.calls.length;
		assert.equal((await machine.cli(["init"])).code, 0);
		assert.deepEqual(machine.writes(again), []);
	});

	test("reports a lasting fault, keeps finished steps, and continues from there later", async () => {
		const machine = await startMachine();
		const { standIn } = machine;
		standIn.fail({ method: "POST", path: /\/d1\/database$/, skip: 1, status: 500 });
		const failed = await machine.cli(["init"]);
		assert.equal(failed.code, 1);
		assert.match(failed.err, /could not create the D1 database tripline-store \(status 500\).*\n.*again/);
		// The database is created, and only the answer is lost.
		standIn.cut({ method: "POST", path: /\/d1\/database$/, skip: 1, isDone: true });
		const cut = await machine.cli(["init"]);
		assert.equal(cut.code, 1);
		assert.match(cut.err, /could not be reached to create the D1 database tripline-store.*\n.*network/);
		const { code, err } = await machine.cli(["init"]);
		assert.equal(code, 0, err);
		const { namespaces, databases } = standIn.state();
		assert.deepEqual([namespaces.length, databases.length], [5, 2]);
	});

	test("without R2 everything but files works, and it says how to enable them", async () => {
		const machine = await startMachine({ hasR2: false });
		const { code, err } = await machine.cli(["init"]);
		assert.equal(code, 0, err);
		assert.match(
			err,
			/no files: R2 is not enabled in the account: enable it in the dashboard .* tripline update/,
		);
		assert.equal(err.match(/R2/g)?.length, 2, "one line");
		machine.standIn.enableR2();
		const calls = machine.standIn.calls.length;
		const updated = await machine.cli(["update"]);
		assert.equal(updated.code, 0, updated.err);
		assert.deepEqual(
			machine.writes(calls).filter((write) => /r2|PUT .*\/tripline-[a-z]+$/.test(write)),
			["POST /r2/buckets", "PUT /workers/scripts/tripline-executor"],
		);
	});

	test("a token without the permission for R2 creates no bucket, and keeps one that is in use", async () => {
		const machine = await startMachine();
		const weak = { CLOUDFLARE_API_TOKEN: machine.standIn.token(edit([...NEEDED, "Vectorize"])) };
		const { code, err } = await machine.cli(["init"], { env: weak });
		assert.equal(code, 0, err);
		assert.match(err, /no files: the API token lacks the permission Workers R2 Storage: Edit/);
		assert.deepEqual(machine.standIn.state().buckets, []);
		assert.equal((await machine.cli(["init"])).code, 0);
		const state = machine.standIn.state();
		assert.equal(state.buckets.length, 1);
		const again = await machine.cli(["update"], { env: weak });
		assert.match(again.out, /4 unchanged/);
		assert.doesNotMatch(again.err, /no files/);
		assert.deepEqual(machine.standIn.state(), state);
	});

	test("without Vectorize everything but semantic search works, and it says so", async () => {
		const machine = await startMachine();
		const { code, err } = await machine.cli(["init"], {
			env: { CLOUDFLARE_API_TOKEN: machine.standIn.token(edit([...NEEDED, "Workers R2 Storage"])) },
		});
		assert.equal(code, 0, err);
		assert.match(err, /no semantic search: the API token lacks the permission Vectorize: Edit/);
		assert.deepEqual(machine.standIn.state().indexes, []);
		const calls = machine.standIn.calls.length;
		const all = await machine.cli(["init"]);
		assert.equal(all.code, 0, all.err);
		assert.equal(machine.standIn.state().indexes.length, 1, "a token that may makes it later");
		assert.deepEqual(
			machine.writes(calls).filter((write) => write.startsWith("PUT /workers/scripts/tripline-")),
			["PUT /workers/scripts/tripline-store/schedules", "PUT /workers/scripts/tripline-store"],
		);
	});
});
