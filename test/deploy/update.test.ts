import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, beforeEach, describe, test } from "node:test";
import { type Machine, otherBundles, renderNeverReady, startMachine } from "./machine.ts";

const ROLES = ["store", "registry", "executor", "mcp"];
const GREET = `name: greet
description: Says hello
version: "1"
triplets:
  - input >> ON_SUCCESS >> hello
config:
  hello: { component: template, text: "Hello {{input.name}}" }
`;
const EXECUTOR_UPLOAD = /^PUT .*\/tripline-executor$/;

describe("update of a deployment that is in use", () => {
	let machine: Machine;
	let calls = 0;
	let state: ReturnType<Machine["standIn"]["state"]>;
	/** The deployed state after each test. */
	let current: Readonly<Record<string, string>> = {};
	before(async () => {
		machine = await startMachine();
		const made = await machine.cli(["init"]);
		assert.equal(made.code, 0, made.err);
		await machine.cli(["push", "greet.yaml"], { files: { "greet.yaml": GREET } });
	});
	beforeEach(() => {
		calls = machine.standIn.calls.length;
		state = machine.standIn.state();
	});

	const update = (env = current, ...flags: string[]) => machine.cli(["update", ...flags], { env });
	const listUploads = () =>
		machine
			.writes(calls)
			.flatMap((write) => /^PUT \/workers\/scripts\/tripline-([a-z]+)$/.exec(write)?.[1] ?? []);
	const listSecrets = ({ scripts }: typeof state) => scripts.map((script) => script.secrets);

	/** Checks the executor, and through it the store and the registry. */
	async function assertServes(): Promise<void> {
		const url = `${machine.url("executor")}/webhooks/named/default/greet/trigger`;
		const answer = await machine.fetch(new Request(url, { method: "POST", body: '{"name":"Ada"}' }));
		assert.equal(((await answer.json()) as { data: string }).data, "Hello Ada");
		for (const role of ["mcp", "registry"]) {
			const ready = await machine.fetch(new Request(`${machine.url(role)}/readyz`));
			assert.equal(await ready.text(), '{"status":"ready"}');
		}
	}

	test("nothing has changed: nothing is written", async () => {
		const { code, out } = await update();
		assert.equal(code, 0);
		assert.match(out, /4 unchanged/);
		assert.deepEqual(machine.writes(calls), []);
		assert.deepEqual(machine.standIn.state(), state);
	});

	test("one worker has changed: only that one is uploaded", async () => {
		current = await otherBundles({ registry: (code) => `${code}\n// newer\n` });
		const { code, out } = await update();
		assert.equal(code, 0, out);
		assert.match(out, /1 deployed/);
		assert.deepEqual(listUploads(), ["registry"]);
		await assertServes();
	});

	test("--force: all workers are uploaded, and secrets and workflows are kept", async () => {
		const { code, out } = await update(current, "--force");
		assert.equal(code, 0, out);
		assert.deepEqual(listUploads(), ROLES);
		assert.deepEqual(listSecrets(machine.standIn.state()), listSecrets(state));
		await assertServes();
	});

	test("one worker fails: the others are deployed, the failure is printed with a hint, and a second update deploys only that one", async () => {
		const newer = (code: string) => `${code}\n// newest\n`;
		current = await otherBundles({ registry: newer, executor: newer, mcp: newer });
		const message = "Too many scripts";
		machine.standIn.fail({
			method: "PUT",
			path: /\/tripline-executor$/,
			status: 400,
			code: 10037,
			message,
		});
		const { code, out } = await update();
		assert.equal(code, 1);
		assert.match(out, /1 unchanged, 2 deployed, 1 failed/);
		assert.match(
			out,
			/ tripline-executor: Cloudflare refused .*Too many scripts \(code 10037\)\n.*still active: run tripline update again/,
		);
		assert.deepEqual(listUploads(), ["registry", "mcp"]);
		await assertServes();
		calls = machine.standIn.calls.length;
		const again = await update();
		assert.equal(again.code, 0, again.out);
		assert.deepEqual(listUploads(), ["executor"]);
	});

	test("one worker crashes at startup: it is refused, and the previous version stays active", async () => {
		const crashing = await otherBundles({ executor: (code) => `throw new Error("boom");\n${code}` }, current);
		const { code, out } = await update(crashing);
		assert.equal(code, 1);
		assert.match(out, /tripline-executor: .*boom.* \(code 10021\)\n.*does not start.*still active/);
		assert.deepEqual(machine.standIn.state(), state);
		await assertServes();
	});

	test("one worker is not healthy: it is rolled back", async () => {
		const { code, out } = await update(await otherBundles({ executor: renderNeverReady }, current));
		assert.equal(code, 1);
		assert.match(out, /1 rolled back/);
		assert.match(out, /tripline-executor: the new version is not healthy: .*503\n.*active again/);
		await assertServes();
		assertUnchanged();
	});

	test("one worker is not healthy, and update was killed before the check: the next update rolls back", async () => {
		const sick = await otherBundles({ executor: renderNeverReady }, current);
		assert.ok(await machine.killed(["update"], { from: EXECUTOR_UPLOAD, at: 1, phase: "after" }, sick));
		calls = machine.standIn.calls.length;
		const { code, out } = await update(sick);
		assert.equal(code, 1);
		assert.match(out, /3 unchanged, 1 rolled back/);
		assert.deepEqual(listUploads(), []);
		await assertServes();
		assertUnchanged();
	});

	test("the same, and the next update has other code: that or the previous version is active", async () => {
		const sick = await otherBundles({ executor: renderNeverReady }, current);
		assert.ok(await machine.killed(["update"], { from: EXECUTOR_UPLOAD, at: 1, phase: "after" }, sick));
		const sicker = await otherBundles(
			{ executor: (code) => `${renderNeverReady()}// ${code.length}` },
			current,
		);
		assert.equal((await update(sicker)).code, 1);
		await assertServes();
		assertUnchanged();
	});

	test("update was killed while it rolled back: the next update tries the new version again", async () => {
		const sick = await otherBundles({ executor: renderNeverReady }, current);
		const kill = { from: /^POST .*\/tripline-executor\/deployments$/, at: 1, phase: "after" } as const;
		assert.ok(await machine.killed(["update"], kill, sick));
		await assertServes();
		const { code, out } = await update(sick);
		assert.equal(code, 1);
		assert.match(out, /3 unchanged, 1 rolled back/);
		await assertServes();
		assertUnchanged();
	});

	test("one worker is healthy, and update was killed before the check: the next update only checks", async () => {
		current = await otherBundles({ executor: (code) => `${code}\n// healthy\n` }, current);
		assert.ok(await machine.killed(["update"], { from: EXECUTOR_UPLOAD, at: 1, phase: "after" }, current));
		calls = machine.standIn.calls.length;
		const { code, out } = await update();
		assert.equal(code, 0, out);
		assert.match(out, /3 unchanged, 1 deployed/);
		assert.deepEqual(machine.writes(calls), ["PATCH /workers/scripts/tripline-executor/script-settings"]);
		await assertServes();
		assert.match((await update()).out, /4 unchanged/);
	});

	test("one worker is healthy but cannot be tagged: it is active, which is reported, and the next update tags it", async () => {
		current = await otherBundles({ executor: (code) => `${code}\n// marked\n` }, current);
		machine.standIn.fail({ method: "PATCH", path: "/tripline-executor/script-settings", status: 400 });
		const failed = await update();
		assert.equal(failed.code, 1);
		assert.match(
			failed.out,
			/tripline-executor: Cloudflare refused to tag .*\n.*new version is active.*update again/,
		);
		assert.equal((await update()).code, 0);
		assert.match((await update()).out, /4 unchanged/);
	});

	/** Versions tried in between may remain. */
	function assertUnchanged(): void {
		const [before, now] = [state, machine.standIn.state()].map(({ scripts }) =>
			scripts.map(({ name, tags, servingVersion }) => ({ name, tags, servingVersion })),
		);
		assert.deepEqual(now, before);
	}

	test("the database is migrated before the code is deployed, and a failing migration stops the update", async () => {
		const broken = await addMigration("create table of nonsense (");
		const failed = await update(broken);
		assert.equal(failed.code, 1);
		assert.match(failed.err, /the migration 0099_test\.sql failed: .*\n.*no worker was changed/);
		assert.deepEqual(listUploads(), []);
		await assertServes();
		const good = await addMigration(
			"create table later (id integer); insert into migrations (version, name) values (99, 'test');",
		);
		calls = machine.standIn.calls.length;
		const { code, out, err } = await update(good);
		assert.equal(code, 0, out + err);
		const since = machine.standIn.calls.slice(calls).map(({ method, path }) => `${method} ${path}`);
		const migrated = since.findLastIndex((call) => call.endsWith("/query"));
		const uploaded = since.findIndex((call) => call.endsWith("/tripline-store") && call.startsWith("PUT"));
		assert.ok(migrated < uploaded, since.join("\n"));
		await assertServes();
	});

	async function addMigration(sql: string): Promise<Readonly<Record<string, string>>> {
		const env = await otherBundles({ store: (code) => `${code}\n// needs it\n` }, current);
		const folder = env.TRIPLINE_BUNDLES ?? "";
		const listing = JSON.parse(readFileSync(join(folder, "bundles.json"), "utf8"));
		writeFileSync(join(folder, "0099_test.sql"), sql);
		listing.migrations.store.push("0099_test.sql");
		writeFileSync(join(folder, "bundles.json"), JSON.stringify(listing));
		return env;
	}
});
