import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { uuidv7 } from "@tripline/contract/ids";
import { type Sql, statement } from "@tripline/platform/sql";
import fc from "fast-check";
import {
	buildDailyLimits,
	type DailyLimits,
	getLoggingMode,
	toStoredRecord,
} from "../src/domain/execution-log.ts";
import { executionLogStorage } from "../src/storage/execution-log.ts";

interface Written {
	readonly owner: string;
	readonly verdict: "success" | "failed";
}

/** The reference rule, applied to one write at a time: which records of the batches are kept. */
function keepOneByOne(
	batches: readonly (readonly Written[])[],
	limits: DailyLimits,
	own: Map<string, number>,
) {
	let count = [...own.values()].reduce((sum, each) => sum + each, 0);
	return batches.map((batch) =>
		batch.flatMap(({ owner, verdict }, position) => {
			const mode = getLoggingMode({ count, own: own.get(owner) ?? 0, namespaces: own.size }, limits);
			const isKept = mode === "normal" || (mode === "failures_only" && verdict === "failed");
			if (!isKept) return [];
			count++;
			own.set(owner, (own.get(owner) ?? 0) + 1);
			return [position];
		}),
	);
}

const owners = fc.constantFrom("a", "b", "c");
const arbitraryBatches = (most: number) => {
	const written = fc.record({
		owner: owners,
		verdict: fc.constantFrom("success", "failed") as fc.Arbitrary<Written["verdict"]>,
	});
	return fc.array(fc.array(written, { minLength: 1, maxLength: most }), { maxLength: 6 });
};

function openLog(sql: Sql) {
	const log = executionLogStorage(sql);
	let day = 0;
	return {
		/** A day without any writes. */
		nextDay: () => Date.UTC(2030, 0, ++day, 12),
		/** Owners are named after the day too, so that days do not mix. */
		append: (batch: readonly Written[], now: number, limits: DailyLimits, workflow = "") =>
			log.append({
				records: batch.map(({ owner, verdict }, position) => ({
					id: uuidv7(now),
					owner_id: `${owner}-${day}`,
					time: now,
					record: toStoredRecord({ workflow, verdict, duration_ms: position }, now),
				})),
				now,
				limits,
			}),
		/** The positions in the batch of the records that were written. */
		async kept(workflow: string): Promise<number[]> {
			const rows = await sql.read<{ position: number }>(
				statement(
					`select cast(metadata_json ->> '$.duration_ms' as integer) as position from entries
					where entry_type = 'execution_log' and page_name = ?1 order by seq`,
					workflow,
				),
			);
			return rows.map(({ position }) => position);
		},
	};
}

/** Properties of the daily limits on any database; `share` is how much of the usual number of examples is tried. */
export function testDailyLimits(open: (context: TestContext) => Promise<Sql>, share = 1): void {
	for (const isShared of [false, true]) {
		const mode = isShared ? "namespaces that have shares" : "one namespace";
		test(`${mode}: any batches under any limit are limited exactly as single records are`, async (context) => {
			const log = openLog(await open(context));
			await fc.assert(
				fc.asyncProperty(arbitraryBatches(12), fc.nat(25), async (batches, most) => {
					const limits = buildDailyLimits(most, isShared);
					const now = log.nextDay();
					const expected = keepOneByOne(batches, limits, new Map());
					for (const [index, batch] of batches.entries()) {
						const workflow = `${now}-${index}`;
						const { recorded } = await log.append(batch, now, limits, workflow);
						assert.equal(recorded, expected[index]?.length);
						assert.deepEqual(await log.kept(workflow), expected[index]);
					}
				}),
				{ numRuns: 200 * share },
			);
		});
	}

	test("batches of namespaces near their shares are limited exactly as single records are", async (context) => {
		const log = openLog(await open(context));
		const written = fc.record({ a: fc.integer({ min: 985, max: 1010 }), b: fc.nat(1010) });
		await fc.assert(
			fc.asyncProperty(
				written,
				arbitraryBatches(20),
				fc.integer({ min: 1000, max: 3000 }),
				async (before, batches, most) => {
					const limits = buildDailyLimits(most, true);
					const now = log.nextDay();
					const own = new Map<string, number>();
					for (const [owner, count] of Object.entries(before)) {
						const records = Array.from({ length: count }, () => ({ owner, verdict: "failed" }) as const);
						// The limit is high enough that all are written.
						await log.append(records, now, buildDailyLimits(1_000_000, true));
						if (count > 0) own.set(owner, count);
					}
					const expected = keepOneByOne(batches, limits, own);
					for (const [index, batch] of batches.entries()) {
						const workflow = `${now}-${index}`;
						await log.append(batch, now, limits, workflow);
						assert.deepEqual(await log.kept(workflow), expected[index]);
					}
				},
			),
			{ numRuns: 40 * share },
		);
	});
}
