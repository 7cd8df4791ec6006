import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { type Started, start, temporaryFolder } from "../../apps/node/test/process.ts";

const ROUNDS = 8;
const WRITERS = 16;

/** Writes until the service is killed, soon after a number of acknowledged writes. Returns the acknowledged keys. */
async function writeUntilKilled(service: Started, round: number, last: number): Promise<string[]> {
	const acknowledged: string[] = [];
	const writer = async (number: number) => {
		for (let count = 0; ; count++) {
			const page_name = `${round}-${number}-${count}`;
			const isLog = count % 3 === 2;
			const body = isLog
				? { owner_id: "o", workflow: page_name, verdict: "success", duration_ms: 1 }
				: { owner_id: "o", entry_type: "note", page_name, content: page_name.repeat(50) };
			try {
				const response = await fetch(`${service.storeUrl}${isLog ? "/execution-log" : "/entries"}`, {
					method: isLog ? "POST" : "PUT",
					body: JSON.stringify(body),
				});
				if (!response.ok) return;
				acknowledged.push(page_name);
				if (acknowledged.length === last) setTimeout(() => service.child.kill("SIGKILL"), randomInt(5));
			} catch {
				return;
			}
		}
	};
	await Promise.all(Array.from({ length: WRITERS }, (_, number) => writer(number)));
	return acknowledged;
}

test("kill -9 during writes loses no acknowledged write", async (context) => {
	const cwd = temporaryFolder(context);
	const acknowledged: string[] = [];
	for (let round = 0; round < ROUNDS; round++) {
		const service = await start(context, { LOG_LEVEL: "silent" }, cwd);
		// Counted in writes rather than time, because a busy machine makes few writes per second.
		const last = 2 * WRITERS + randomInt(60);
		acknowledged.push(...(await writeUntilKilled(service, round, last)));
		await service.exited();
	}
	const database = new DatabaseSync(join(cwd, "data/store.db"));
	context.after(() => database.close());
	const kept = new Set(
		database
			.prepare("select page_name from entries")
			.all()
			.map((row) => String(row.page_name)),
	);
	assert.ok(acknowledged.length > ROUNDS * WRITERS, `only ${acknowledged.length} writes were acknowledged`);
	assert.deepEqual(
		acknowledged.filter((page) => !kept.has(page)),
		[],
	);
	assert.equal(database.prepare("pragma integrity_check").get()?.integrity_check, "ok");
	const counted = database
		.prepare(
			"select sum(metadata_json ->> 'count') as n from entries where entry_type = 'execution_log_usage'",
		)
		.get()?.n;
	const records = database
		.prepare("select count(*) as n from entries where entry_type = 'execution_log'")
		.get()?.n;
	assert.equal(counted, records);
	context.diagnostic(`${acknowledged.length} acknowledged writes over ${ROUNDS} kills, none lost`);
});
