import assert from "node:assert/strict";
import { sqlJournal } from "../../src/journal.sql.ts";
import { limitedJournal } from "../../src/journal-limit.sql.ts";
import type { Sql } from "../../src/sql.ts";
import { type ContractCase, manualClock } from "./contract.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const STEP = new Uint8Array(8);

function limit(sql: Sql, dailyRows: number) {
	const clock = manualClock();
	const journal = limitedJournal(sqlJournal(sql), { sql, clock, dailyRows });
	const isTaken = async (run: string) => (await journal.take(run, "tag")) !== null;
	return { journal, clock, isTaken };
}

/** Each case gets an empty database. */
export const journalLimitContract: readonly ContractCase<Sql>[] = [
	{
		name: "takes new runs until the day's rows are written, and again on the next day",
		async run(sql) {
			const { clock, isTaken } = limit(sql, 5);
			assert.deepEqual(
				[await isTaken("a"), await isTaken("b"), await isTaken("c"), await isTaken("d")],
				[true, true, true, false],
			);
			clock.advance(DAY_MS);
			assert.equal(await isTaken("d"), true);
		},
	},
	{
		name: "a run that was taken goes on past the limit",
		async run(sql) {
			const { journal, isTaken } = limit(sql, 1);
			const run = await journal.take("a", "tag");
			assert.equal(await isTaken("b"), false);
			await run?.append("", STEP);
			const again = await journal.take("a", "tag");
			assert.equal(again?.list("").length, 1);
		},
	},
	{
		name: "counts each step and its deletion, however often the run is taken",
		async run(sql) {
			const { journal, isTaken } = limit(sql, 27);
			// Each time that it is taken: two rows, and the five steps since.
			for (let turn = 0; turn < 2; turn++) {
				const run = await journal.take("a", "tag");
				for (let step = 0; step < 5; step++) await run?.append("", STEP);
			}
			assert.equal(await isTaken("b"), true);
			// The other five steps, ten deletions, three rows: with the eleven above twenty-nine.
			await journal.retain("a", 1_000);
			assert.equal(await isTaken("c"), false);
		},
	},
	{
		name: "the steps of a cancelled run count too",
		async run(sql) {
			const { journal, isTaken } = limit(sql, 15);
			const run = await journal.take("a", "tag");
			for (let step = 0; step < 5; step++) await run?.append("", STEP);
			assert.equal(await isTaken("b"), true);
			await journal.cancel("a", 1_000);
			assert.equal(await isTaken("c"), false);
		},
	},
	{
		name: "without a limit every run is taken",
		async run(sql) {
			const { isTaken } = limit(sql, 0);
			for (let run = 0; run < 20; run++) assert.equal(await isTaken(`${run}`), true);
		},
	},
];
