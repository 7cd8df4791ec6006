import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createMasterKeyText } from "@tripline/platform/master-key";
import { openDatabase } from "../../apps/node/src/databases.ts";
import { parseSettings } from "../../apps/node/src/settings.ts";
import { temporaryFolder } from "../../apps/node/test/process.ts";
import { startPostgres } from "../postgres.ts";
import { bundleServiceOnce } from "../service-bundle.ts";
import { readRows } from "../sqlite-rows.ts";

const ENTRIES = 5000;
const MAX_DELAY_MS = 100;
/** A process is killed soon after it has said one of these. */
const MOMENTS = [
	"copying kv.kv",
	"copying store.entries",
	"copying store.entries",
	"indexing",
	"indexing",
	"comparing kv",
	"comparing store.entries",
];

test("kill -9 during a move, there and back, loses nothing: running it again continues it", async (context) => {
	const server = await startPostgres();
	context.after(() => server.stop());
	const program = join(await bundleServiceOnce(), "move.js");
	const cwd = temporaryFolder(context);
	const folder = join(cwd, "data");
	const back = join(cwd, "back");
	await fill(folder);
	const before = readRows(folder);

	await moveWithKills({ DATA_DIR: folder }, server.url);
	assert.deepEqual(readRows(folder), before);
	const secrets = { MASTER_KEY: createMasterKeyText(), MCP_OWNER_SECRET: "the owner's long secret" };
	await moveWithKills({ DATABASE_URL: server.url, ...secrets }, back);
	assert.deepEqual(readRows(back), before);

	async function moveWithKills(variables: Record<string, string>, to: string): Promise<void> {
		let killed = 0;
		for (const moment of MOMENTS) {
			const { code } = await run(variables, to, moment);
			if (code === null) killed++;
		}
		assert.ok(killed >= MOMENTS.length - 2, `only ${killed} were killed in time`);
		const { code, stderr } = await run(variables, to, null);
		// Nothing is left to do if the last one was not killed in time.
		if (code !== 0) assert.match(stderr, /was moved to/);
	}

	async function run(variables: Record<string, string>, to: string, moment: string | null) {
		const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", program], {
			cwd,
			env: { PATH: process.env.PATH, ...variables, TRIPLINE_MOVE_TO: to },
			stdio: ["ignore", "pipe", "pipe"],
		});
		let stderr = "";
		let isKilled = false;
		child.stderr.on("data", async (chunk) => {
			stderr += chunk;
			if (moment === null || isKilled || !stderr.includes(moment)) return;
			isKilled = true;
			await sleep(Math.random() * MAX_DELAY_MS);
			child.kill("SIGKILL");
		});
		const [code] = (await once(child, "close")) as [number | null];
		return { code, stderr };
	}
});

/** Rows in several pages of the larger tables. */
async function fill(folder: string): Promise<void> {
	const settings = parseSettings({ DATA_DIR: folder });
	await using opened = new AsyncDisposableStack();
	mkdirSync(folder);
	for (const name of ["kv", "executor", "store"] as const)
		opened.use(await openDatabase(name, settings, folder));
	const store = new DatabaseSync(join(folder, "store.db"));
	store.exec(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${ENTRIES})
		insert into entries (id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at)
		select 'id ' || n, iif(n % 5 = 0, 'workflow', 'note'), 'owner', 'page ' || n, 'tea 茶 ' || n, '{}', n, n
		from numbers`);
	store.close();
	const kv = new DatabaseSync(join(folder, "kv.db"));
	kv.exec(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${ENTRIES})
		insert into kv (namespace, key, value) select 'n' || n % 3, 'key ' || n, 'value' from numbers`);
	kv.close();
}
