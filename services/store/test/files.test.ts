import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { statement } from "@tripline/platform/sql";
import { openMigrated } from "../../../packages/platform/test/open-migrated.ts";
import { acceptedRunStorage } from "../src/storage/accepted-runs.ts";
import { fileStorage } from "../src/storage/files.ts";
import { storeMigrations } from "../src/storage/migrations.ts";

const NOW = 1_790_000_000_000;
const DAY = 24 * 60 * 60_000;
const OWNER = "o";
const RUN = "0199eeee-bbbb-7ccc-8ddd-000000000001";

async function openFiles(context: TestContext) {
	const sql = await openMigrated(storeMigrations);
	context.after(() => sql.close());
	const files = fileStorage(sql);
	const add = async (id: string) => {
		const key = { owner_id: OWNER, id, now: NOW };
		const file = { name: "a", type: "text/plain", execution_id: null, bytes: 4096, max_total: 1e9 };
		await files.reserve({ ...key, ...file });
		await files.commit({ ...key, size: 1, retention_ms: DAY });
		return id;
	};
	const countHolds = async () => (await sql.read(statement("select 1 from file_holds"))).length;
	return { files, runs: acceptedRunStorage(sql), add, countHolds };
}

test("holds of runs that have ended, or never were, are deleted after a day", async (context) => {
	const { files, runs, add, countHolds } = await openFiles(context);
	const id = await add("kept");
	await files.keep({ owner_id: OWNER, id, name: "kept", retention_ms: DAY, now: NOW });
	await files.hold({ owner_id: OWNER, ids: [id], execution_ids: [RUN, "never"], now: NOW });
	const metadata_json = "{}";
	const run = { entryId: "e", id: RUN, metadata_json };
	await runs.accept({ owner_id: OWNER, due_at: 5, metadata_json, runs: [run], now: 1 });
	assert.equal(await files.deleteEndedHolds(NOW + DAY), 0);
	assert.equal(await files.deleteEndedHolds(NOW + DAY + 1), 2);
	assert.equal(await countHolds(), 1);
	// The hold of the unfinished run is looked at again a day later.
	assert.equal(await files.deleteEndedHolds(NOW + DAY + 2), 0);
	await runs.end({ owner_id: OWNER, id: RUN, metadata_json, now: 2 });
	assert.equal(await files.deleteEndedHolds(NOW + 2 * DAY + 2), 1);
	assert.equal(await countHolds(), 0);
});

test("a removed file takes its holds along", async (context) => {
	const { files, add, countHolds } = await openFiles(context);
	const id = await add("loose");
	await files.hold({ owner_id: OWNER, ids: [id], execution_ids: [RUN], now: NOW });
	await files.mark(OWNER, { ids: [id] }, NOW);
	await files.remove([{ owner_id: OWNER, id }]);
	assert.equal(await countHolds(), 0);
});

test("held files do not keep the sweep from others that are due", async (context) => {
	const { files, runs, add } = await openFiles(context);
	const held = await Promise.all(Array.from({ length: 20 }, (_, nth) => add(`held-${nth}`)));
	const free = await add("free");
	await files.hold({ owner_id: OWNER, ids: held, execution_ids: [RUN], now: NOW });
	const metadata_json = "{}";
	const run = { entryId: "e", id: RUN, metadata_json };
	await runs.accept({ owner_id: OWNER, due_at: 5, metadata_json, runs: [run], now: 1 });
	const swept: string[] = [];
	for (let batch = 0; batch < 3; batch++)
		swept.push(...(await files.sweep(10, NOW + DAY)).map(({ id }) => id));
	assert.deepEqual(swept, [free]);
});
