import { createHash } from "node:crypto";
import { constants, copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { uuidv7 } from "@tripline/contract/ids";
import { migrate } from "@tripline/platform/migrations";
import { openSqlite } from "@tripline/platform/sql.sqlite";
import { recordOf } from "@tripline/store/domain/execution-log";
import { upsertKey } from "@tripline/store/storage/entries";
import { storeMigrations } from "@tripline/store/storage/migrations";

const FOLDER = join(import.meta.dirname, "..", "data");
const YEAR_START = Date.UTC(2025, 0, 1) / 1000;
const YEAR = 365 * 24 * 60 * 60;
const ROWS_PER_COMMIT = 50_000;
const SEED = 1;

export const OWNERS = ["acme", "birch", "cedar", "delta", "ember"] as const;
export const TYPES = ["note", "document", "task", "contact", "event"] as const;
/** The one whose executions are asked for. */
export const RUNNER = "acme";
export const WORKFLOWS: readonly string[] = Array.from({ length: 200 }, (_, index) => `workflow-${index}`);
/** With these, 10,000 entries still hold a full page of records for each workflow of the runner. */
const OTHERS_WORKFLOWS = 22;
const FAILURES = 0.1;

export const WORDS =
	"The quick brown fox jumps over the lazy dog while the report waits for its review. ".repeat(3);

/** The same numbers from 0 to 1 on every run. */
export function randomNumbers(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** The place of the nth entry that is no execution record. Names are in no order, as people's are. */
export function placeOf(index: number): { owner_id: string; entry_type: string; page_name: string } {
	return {
		owner_id: OWNERS[index % OWNERS.length] as string,
		entry_type: TYPES[Math.floor(index / OWNERS.length) % TYPES.length] as string,
		page_name: `${(Math.imul(index, 0x9e3779b1) >>> 0).toString(36)} page ${index}`,
	};
}

/** A copy in `folder` of a database with that many entries, which is made once and kept. */
export async function databaseOf(count: number, folder: string): Promise<string> {
	mkdirSync(FOLDER, { recursive: true });
	const prefix = `store-${count}-`;
	const name = `${prefix}${fingerprint()}.db`;
	const files = readdirSync(FOLDER).filter((file) => file.startsWith(prefix));
	if (!files.includes(name)) {
		for (const file of files) rmSync(join(FOLDER, file));
		await make(count, join(FOLDER, `${name}.part`));
		renameSync(join(FOLDER, `${name}.part`), join(FOLDER, name));
	}
	const copy = join(folder, `${count}-${uuidv7(Date.now())}.db`);
	copyFileSync(join(FOLDER, name), copy, constants.COPYFILE_FICLONE);
	return copy;
}

/** Of all that decides what is in the file. */
function fingerprint(): string {
	const hash = createHash("sha256").update(JSON.stringify(storeMigrations));
	return hash
		.update(readFileSync(import.meta.filename))
		.digest("hex")
		.slice(0, 12);
}

async function make(count: number, path: string): Promise<void> {
	const sql = openSqlite(path);
	await migrate(sql, storeMigrations);
	sql.close();
	const database = new DatabaseSync(path);
	database.exec("pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -1000000");
	fill(database, count);
	database.exec("pragma journal_mode = wal; pragma wal_checkpoint(truncate)");
	database.close();
}

/** Every other one an execution record, in the order of their times. */
function fill(database: DatabaseSync, count: number): void {
	const random = randomNumbers(SEED);
	const insert = database.prepare(
		`insert into entries
			(id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at, upsert_key)
		values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?8)`,
	);
	for (let index = 0; index < count; index++) {
		if (index % ROWS_PER_COMMIT === 0) database.exec(index === 0 ? "begin" : "commit; begin");
		const nth = Math.floor(index / 2);
		const time = YEAR_START + Math.floor((index / count) * YEAR);
		const { owner_id, entry_type, page_name, content, metadata, key } =
			index % 2 === 0 ? entry(nth) : execution(nth, time, random());
		const id = uuidv7(time * 1000);
		insert.run(id, entry_type, owner_id, page_name, content, JSON.stringify(metadata), time, key);
	}
	database.exec("commit");
}

function entry(nth: number) {
	const place = placeOf(nth);
	const metadata = { source: "bench", nth, tags: ["one", "two"] };
	return { ...place, content: WORDS, metadata, key: upsertKey(place) };
}

function execution(nth: number, time: number, chance: number) {
	const turn = nth % (WORKFLOWS.length + OTHERS_WORKFLOWS);
	const workflow = WORKFLOWS[turn];
	const failed = chance < FAILURES;
	const report = {
		workflow: workflow ?? `other-${turn}`,
		verdict: failed ? ("failed" as const) : ("success" as const),
		duration_ms: nth % 1000,
		time: new Date(time * 1000).toISOString(),
		trigger: "schedule",
		...(failed ? { error: "the answer was 503", failed_node: "fetch", nodes: [{ id: "fetch" }] } : {}),
	};
	return {
		entry_type: "execution_log",
		owner_id: workflow === undefined ? (OWNERS[1 + (turn % (OWNERS.length - 1))] as string) : RUNNER,
		page_name: report.workflow,
		content: "",
		metadata: recordOf(report, time * 1000),
		key: null,
	};
}
