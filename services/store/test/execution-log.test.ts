import assert from "node:assert/strict";
import { test } from "node:test";
import { uuidv7 } from "@tripline/contract/ids";
import { migrate } from "@tripline/platform/migrations";
import { openSqlite } from "@tripline/platform/sql.sqlite";
import fc from "fast-check";
import { loggingMode, recordOf } from "../src/domain/execution-log.ts";
import { entryStorage } from "../src/storage/entries.ts";
import { executionLogStorage } from "../src/storage/execution-log.ts";
import { storeMigrations } from "../src/storage/migrations.ts";

type Verdict = "success" | "failed";

/** The rule, one write at a time: which of the batches' records are kept. */
function keptOneByOne(batches: readonly (readonly Verdict[])[], dailyLimit: number): number[][] {
	let count = 0;
	return batches.map((batch) =>
		batch.flatMap((verdict, position) => {
			const mode = loggingMode(count, dailyLimit);
			const isKept = mode === "normal" || (mode === "failures_only" && verdict === "failed");
			if (!isKept) return [];
			count++;
			return [position];
		}),
	);
}

test("any batches under any limit are cut exactly as if each record came alone", async (context) => {
	const sql = openSqlite(":memory:");
	context.after(() => sql.close());
	await migrate(sql, storeMigrations);
	const log = executionLogStorage(sql);
	const entries = entryStorage(sql);
	let day = 0;
	const verdicts = fc.array(fc.constantFrom<Verdict>("success", "failed"), { minLength: 1, maxLength: 12 });
	await fc.assert(
		fc.asyncProperty(fc.array(verdicts, { maxLength: 6 }), fc.nat(25), async (batches, dailyLimit) => {
			const now = Date.UTC(2030, 0, ++day, 12);
			const owner_id = `owner-${day}`;
			const expected = keptOneByOne(batches, dailyLimit);
			for (const [index, batch] of batches.entries()) {
				const { recorded } = await log.append({
					records: batch.map((verdict, position) => ({
						id: uuidv7(now),
						owner_id,
						time: now,
						record: recordOf({ workflow: String(index), verdict, duration_ms: position }, now),
					})),
					now,
					counterId: uuidv7(now),
					dailyLimit,
				});
				assert.equal(recorded, expected[index]?.length);
				const { items } = await entries.list({
					owner_id,
					entry_type: "execution_log",
					page_name: String(index),
					limit: 100,
				});
				const kept = items.map(
					(row) => (JSON.parse(row.metadata_json) as { duration_ms: number }).duration_ms,
				);
				assert.deepEqual(kept.reverse(), expected[index]);
			}
		}),
		{ numRuns: 300 },
	);
});
