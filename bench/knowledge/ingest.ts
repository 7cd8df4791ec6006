import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { migrate } from "@tripline/platform/migrations";
import { statement } from "@tripline/platform/sql";
import { openSqlite } from "@tripline/platform/sql.sqlite";
import { storeMigrations } from "@tripline/store/storage/migrations";
import { compare } from "../measure.ts";
import type { Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";
import { type Call, post } from "../store/requests.ts";
import { openSubject, type Subject } from "../store/subject.ts";

const CANDIDATES = 10_000;
const PER_BATCH = 250;
const ROUNDS = 7;
const OWNER = "acme";

/** One version of each of forty sources; every round ingests different sources. */
const createBatches = (round: number): Call[] =>
	Array.from({ length: CANDIDATES / PER_BATCH }, (_, nth) =>
		post("/triplets/ingest/batch", {
			owner_id: OWNER,
			source: { uri: `https://docs.example/${round}/${nth}`, hash: `sha256:${round}-${nth}` },
			candidates: Array.from({ length: PER_BATCH }, (_, index) => ({
				subject: `Subject ${index % 50} of ${nth}`,
				predicate: `relation ${index % 7}`,
				object: `Object ${index} of round ${round}`,
				anchor: `#section-${index % 10}`,
			})),
		}),
	);

/** The API against bare inserts of the same rows, with one transaction for each batch. */
export async function ingest(onProgress: (what: string) => void): Promise<Row[]> {
	onProgress(`ingest of ${CANDIDATES} candidates`);
	using folder = scratchFolder();
	using subject = await openEmptyStore(join(folder.path, "ours.db"));
	using maker = await openEmptyStore(join(folder.path, "maker.db"));
	using floor = await openBareInserts(join(folder.path, "floor.db"), maker);
	const first = await compare({
		rounds: ROUNDS,
		ours: async (round) => dividePerCandidate(subject.batch(createBatches(round))),
		floor: (round) => floor.batch(round),
	});
	const before = await countChanges(subject);
	await subject.batch(createBatches(0)).run();
	const written = (await countChanges(subject)) - before;
	return [
		{ what: "ingest, per candidate", unit: "µs", ...first, bar: { on: "ratio", most: 4 } },
		{
			what: "rows that the same batches write again",
			unit: "statements",
			ours: written,
			bar: { on: "ours", most: 0 },
		},
	];
}

async function openEmptyStore(path: string): Promise<Subject> {
	const sql = openSqlite(path);
	await migrate(sql, storeMigrations);
	sql.close();
	return openSubject(path);
}

const dividePerCandidate = (batch: { calls: number; run(): void | Promise<void> }) => ({
	...batch,
	calls: CANDIDATES,
});

async function countChanges({ sql }: Subject): Promise<number> {
	const [row] = await sql.read<{ n: number }>(statement("select total_changes() as n"));
	return row?.n ?? 0;
}

type Values = readonly SQLInputValue[];

/** Inserts the rows that `maker` writes for a round one by one into another database. */
async function openBareInserts(path: string, maker: Subject) {
	const opened = openSqlite(path);
	await migrate(opened, storeMigrations);
	opened.close();
	const database = new DatabaseSync(path);
	database.exec("pragma synchronous = full; pragma foreign_keys = off");
	const tables = ["entries", "sources", "triplets"].map((table) => {
		const columns = database.prepare(`select * from ${table}`).columns().length;
		const marks = Array.from({ length: columns }, () => "?").join(", ");
		return { table, insert: database.prepare(`insert into ${table} values (${marks})`) };
	});
	const written = new Map<string, number>();
	return {
		async batch(round: number) {
			await maker.batch(createBatches(round)).run();
			const rows = await Promise.all(
				tables.map(async ({ table, insert }) => {
					const key = table === "sources" ? "id" : "seq";
					const after = written.get(table) ?? 0;
					const found = await maker.sql.read<Record<string, SQLInputValue>>(
						statement(`select * from ${table} where ${key} > ?1 order by ${key} limit 100000`, after),
					);
					const last = found.at(-1)?.[key];
					written.set(table, Number(last ?? after));
					return { insert, values: found.map((row) => Object.values(row)) as Values[] };
				}),
			);
			return { calls: CANDIDATES, run: () => insertAll(rows) };
		},
		[Symbol.dispose]: () => database.close(),
	};

	function insertAll(
		rows: readonly { insert: ReturnType<DatabaseSync["prepare"]>; values: Values[] }[],
	): void {
		const commits = CANDIDATES / PER_BATCH;
		for (let nth = 0; nth < commits; nth++) {
			database.exec("begin immediate");
			for (const { insert, values } of rows) {
				const share = Math.ceil(values.length / commits);
				for (const row of values.slice(nth * share, (nth + 1) * share)) insert.run(...row);
			}
			database.exec("commit");
		}
	}
}
