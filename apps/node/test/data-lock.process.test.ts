import assert from "node:assert/strict";
import { statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { start, temporaryFolder } from "./process.ts";

describe("a data folder", { timeout: 180_000 }, () => {
	test("belongs to one process: a second one is refused, by any path to the folder", async (context) => {
		const cwd = temporaryFolder(context);
		const first = await start(context, {}, cwd);
		symlinkSync(join(cwd, "data"), join(cwd, "the-same"));
		for (const folder of ["data", "the-same"]) {
			const second = await start(context, { DATA_DIR: join(cwd, folder) }, cwd);
			assert.deepEqual(await second.exited(), { code: 2, signal: null });
			assert.equal(
				second.stderr(),
				`tripline: DATA_DIR ${join(cwd, folder)} is used by another process: stop that one, or set DATA_DIR to another folder\n`,
			);
		}
		assert.equal((await fetch(`${first.publicUrl}/readyz`)).status, 200);
		assert.equal(statSync(join(cwd, "data", "service.lock")).mode & 0o777, 0o600);
	});

	test("is free at once after its process was killed or stopped", async (context) => {
		const cwd = temporaryFolder(context);
		for (const signal of ["SIGKILL", "SIGTERM"] as const) {
			const { child, exited, publicUrl } = await start(context, {}, cwd);
			assert.notEqual(publicUrl, "", "it started");
			child.kill(signal);
			await exited();
		}
		assert.notEqual((await start(context, {}, cwd)).publicUrl, "");
	});

	test("is free after a failed start", async (context) => {
		const cwd = temporaryFolder(context);
		const failed = await start(
			context,
			{ STORE_PORT: "0", HOST: "192.0.2.1", SERVICE_ACCESS_TOKEN: "t".repeat(16) },
			cwd,
		);
		assert.deepEqual(await failed.exited(), { code: 2, signal: null });
		assert.notEqual((await start(context, {}, cwd)).publicUrl, "");
	});
});
