import type { DatabaseSync } from "node:sqlite";
import { uuidv7 } from "@tripline/contract/ids";
import { buildDailyLimits, toStoredRecord } from "@tripline/store/domain/execution-log";
import { entryStorage } from "@tripline/store/storage/entries";
import { executionLogStorage, type OwnedRecord } from "@tripline/store/storage/execution-log";
import { copyCachedDatabase } from "../cached-database.ts";
import { directSql } from "../direct-sql.ts";

const YEAR_START = Date.UTC(2025, 0, 1) / 1000;
const YEAR = 365 * 24 * 60 * 60;
const SEED = 1;
const ENTRIES_PER_STEP = 1000;

export const OWNERS = ["acme", "birch", "cedar", "delta", "ember"] as const;
export const TYPES = ["note", "document", "task", "contact", "event"] as const;
/** The owner whose executions are read. */
export const RUNNER = "acme";
export const WORKFLOWS: readonly string[] = Array.from({ length: 200 }, (_, index) => `workflow-${index}`);
/** With these, 10,000 entries still hold a full page of records for each workflow of the runner. */
const OTHERS_WORKFLOWS = 22;
const FAILURES = 0.1;

export const WORDS =
	"The quick brown fox jumps over the lazy dog while the report waits for its review. ".repeat(3);

/** A seeded random generator: the same numbers from 0 to 1 on every run. */
export function randomNumbers(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** Owner, type and page of the nth entry that is not an execution record. Names are unordered, like real ones. */
export function getPlace(index: number): { owner_id: string; entry_type: string; page_name: string } {
	return {
		owner_id: OWNERS[index % OWNERS.length] as string,
		entry_type: TYPES[Math.floor(index / OWNERS.length) % TYPES.length] as string,
		page_name: `${(Math.imul(index, 0x9e3779b1) >>> 0).toString(36)} page ${index}`,
	};
}

/** A copy in `folder` of a database with that many entries. */
export const copyDatabase = (count: number, folder: string): Promise<string> =>
	copyCachedDatabase(
		{
			name: `store-${count}`,
			filledBy: import.meta.filename,
			fill: (database) => fill(database, count),
		},
		folder,
	);

/** Every second entry is an execution record, ordered by time; written with the store's own statements. */
async function fill(database: DatabaseSync, count: number): Promise<void> {
	const sql = directSql(database);
	const entries = entryStorage(sql);
	const executionLog = executionLogStorage(sql);
	const random = randomNumbers(SEED);
	for (let start = 0; start < count; start += ENTRIES_PER_STEP) {
		const records: OwnedRecord[] = [];
		let time = 0;
		for (let index = start; index < Math.min(start + ENTRIES_PER_STEP, count); index++) {
			const nth = Math.floor(index / 2);
			time = YEAR_START + Math.floor((index / count) * YEAR);
			if (index % 2 === 1) records.push(createExecution(nth, time, random()));
			else {
				const metadata_json = JSON.stringify({ source: "bench", nth, tags: ["one", "two"] });
				const id = uuidv7(time * 1000);
				await entries.upsert({ ...getPlace(nth), id, content: WORDS, metadata_json, now: time });
			}
		}
		const now = time * 1000;
		await executionLog.append({ records, now, limits: buildDailyLimits(count, false) });
	}
}

function createExecution(nth: number, time: number, chance: number): OwnedRecord {
	const turn = nth % (WORKFLOWS.length + OTHERS_WORKFLOWS);
	const workflow = WORKFLOWS[turn];
	const failed = chance < FAILURES;
	const report = {
		workflow: workflow ?? `other-${turn}`,
		verdict: failed ? ("failed" as const) : ("success" as const),
		duration_ms: nth % 1000,
		trigger: "schedule",
		...(failed ? { error: "the response was 503", failed_node: "fetch", nodes: [{ id: "fetch" }] } : {}),
	};
	return {
		id: uuidv7(time * 1000),
		owner_id: workflow === undefined ? (OWNERS[1 + (turn % (OWNERS.length - 1))] as string) : RUNNER,
		time: time * 1000,
		record: toStoredRecord(report, time * 1000),
	};
}
