import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, type TestContext, test } from "node:test";
import { type PostgresServer, startPostgres } from "../../../test/postgres.ts";
import { createTemporaryFolder, start } from "./process.ts";

const PASSWORD = "s3cret-of-the-database";
const FREE_PORTS = { PORT: "0", STORE_PORT: "0" };

describe("tripline move", () => {
	let server: PostgresServer;
	let url: string;
	before(async () => {
		server = await startPostgres();
		url = server.url.replace("postgres@", `postgres:${PASSWORD}@`);
	});
	after(() => server.stop());

	/** Starts the service once, so that there is something to move. */
	async function createDeployment(context: TestContext): Promise<string> {
		const cwd = createTemporaryFolder(context);
		const running = start(context, ["serve"], { cwd, env: FREE_PORTS });
		await running.waitForText("Try it:");
		running.child.kill("SIGTERM");
		await running.waitForExit();
		return cwd;
	}

	async function move(context: TestContext, cwd: string, args: readonly string[], env = {}) {
		const running = start(context, ["move", ...args], { cwd, env });
		const { code } = await running.waitForExit();
		const output = running.stdout() + running.stderr();
		assert.ok(!output.includes(PASSWORD), output);
		return { code, stdout: running.stdout(), stderr: running.stderr(), output };
	}

	test("copies the data folder, and says what to set next", async (context) => {
		const cwd = await createDeployment(context);
		const tried = await move(context, cwd, ["--to", url, "--dry-run"]);
		assert.equal(tried.code, 0, tried.stderr);
		assert.match(tried.stdout, /^store\.entries +\d+$/m);
		assert.match(tried.stdout, /A dry run: nothing was copied from .*data to postgres:\/\/127/);

		const done = await move(context, cwd, ["--to", url]);
		assert.equal(done.code, 0, done.stderr);
		assert.match(done.stderr, /^copying store\.entries: \d+ rows$/m);
		assert.match(done.stdout, /rows of \d+ tables were copied from .* and compared\./);
		for (const text of [
			"DATABASE_URL",
			"MASTER_KEY to the content of",
			"keys/master.key",
			"MCP_OWNER_SECRET",
			"/files",
		])
			assert.ok(done.stdout.includes(text), text);
		const key = readFileSync(join(cwd, "data", "keys", "master.key"), "utf8").trim();
		assert.ok(!done.output.includes(key));

		const refused = start(context, ["serve"], { cwd, env: FREE_PORTS });
		assert.deepEqual(await refused.waitForExit(), { code: 2, signal: null });
		assert.match(refused.stderr(), /was moved to postgres:/);
		const env = {
			...FREE_PORTS,
			DATABASE_URL: url,
			MASTER_KEY: key,
			MCP_OWNER_SECRET: "a long secret of the owner",
		};
		const running = start(context, ["serve"], { cwd, env });
		await running.waitForText("Try it:");
		running.child.kill("SIGTERM");
		await running.waitForExit();

		const back = await move(context, cwd, ["--to", "again", "--json"], env);
		assert.equal(back.code, 0, back.stderr);
		assert.equal(back.stderr, "");
		const { to, tables } = JSON.parse(back.stdout) as { to: string; tables: { checksum: string }[] };
		assert.equal(to, join(cwd, "again"));
		assert.ok(tables.length > 15 && tables.every(({ checksum }) => /^[0-9a-f]{64}$/.test(checksum)));
	});

	test("explains what is wrong in one line, without the password", async (context) => {
		const cwd = createTemporaryFolder(context);
		for (const [args, code, message] of [
			[[], 2, /--to must be postgres:\/\/user@host:5432\/database or a folder/],
			[["--to", `mysql://u:${PASSWORD}@db/x`], 2, /--to must be/],
			[["--to", url], 2, /there is no store\.db in .*: set DATA_DIR/],
			[["--to", `${url}?ssl=1`], 2, /--to has an unknown parameter: ssl/],
		] as const) {
			const refused = await move(context, cwd, args);
			assert.equal(refused.code, code);
			assert.match(refused.stderr, message);
			assert.match(refused.stderr, /^tripline: .*\n$/);
		}
	});
});
