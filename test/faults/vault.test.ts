import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { temporaryFolder } from "../../apps/node/test/process.ts";
import { openVaults, runCommand, startCommand } from "../../apps/node/test/vault-process.ts";

const KILLS = 10;
const TENANTS = 8;
const CREDENTIALS = 3;

const put = (secret: string) => ({ auth_recipe: "signing_secret", fields: { secret } });

for (const command of ["rotate", "rekey"]) {
	test(`kill -9 during ${command} loses no credential, and running it again finishes it`, async (context) => {
		const cwd = temporaryFolder(context);
		const { open, file } = await openVaults(context, cwd);
		const running = await open();
		const expected = new Map<string, string>();
		for (let tenant = 0; tenant < TENANTS; tenant++) {
			for (let count = 0; count < CREDENTIALS; count++) {
				await write(tenant, count, "first");
			}
		}
		await assertAllOpen();

		const whole = await startCommand([command], cwd);
		await whole.said(1);
		const started = performance.now();
		const { code, stdout } = await whole.ended();
		assert.equal(code, 0);
		const takes = performance.now() - started;
		const lines = stdout.trim().split("\n").length;

		let killed = 0;
		for (let round = 0; round < KILLS; round++) {
			const { child, said, ended } = await startCommand([command], cwd);
			await said(1 + Math.floor(Math.random() * (lines - 1)));
			const timer = setTimeout(() => child.kill("SIGKILL"), (Math.random() * takes) / lines);
			// The service keeps running: some credentials change during the command.
			for (let count = 0; count < 2; count++) await write(round % TENANTS, count, `round ${round}`);
			const { code, stderr } = await ended();
			clearTimeout(timer);
			if (code === null) killed++;
			else assert.equal(code, 0, stderr);
			await assertAllOpen();
		}
		assert.ok(killed >= KILLS / 3, `only ${killed} of ${KILLS} were killed in time`);

		const finished = await runCommand([command], cwd);
		assert.equal(finished.code, 0, finished.stderr);
		await assertAllOpen();
		const status = await runCommand(["status"], cwd);
		assert.match(
			status.stdout,
			new RegExp(`${expected.size} credentials, ${TENANTS} tenants, \\d+ data keys\n$`),
		);
		const kept = readdirSync(dirname(file)).filter((name) => !name.endsWith(".draft"));
		assert.deepEqual(kept, ["master.key"]);
		const database = new DatabaseSync(join(cwd, "data", "store.db"));
		assert.equal(database.prepare("pragma integrity_check").get()?.integrity_check, "ok");
		database.close();
		context.diagnostic(`${killed} kills within ${Math.round(takes)} ms of ${command}, no credential lost`);

		async function write(tenant: number, count: number, secret: string): Promise<void> {
			await running.put(`t${tenant}`, `c${count}`, put(`${tenant} ${count} ${secret}`));
			expected.set(`t${tenant}/c${count}`, `${tenant} ${count} ${secret}`);
		}

		/** Checks the running service and a newly started one. */
		async function assertAllOpen(): Promise<void> {
			for (const vault of [running, await open()]) {
				for (const [place, secret] of expected) {
					const [tenant = "", name = ""] = place.split("/");
					assert.deepEqual((await vault.reveal(tenant, name))?.fields, { secret }, place);
				}
			}
		}
	});
}
