import { uuidv7 } from "@tripline/contract/ids";
import { migrate } from "@tripline/platform/migrations";
import { postgresStatement, type Sql, type Statement, statement } from "@tripline/platform/sql";
import { openPostgres } from "@tripline/platform/sql.postgres";
import { buildTerms } from "@tripline/store/domain/search/terms";
import { chooseStoreMigrations } from "@tripline/store/storage/postgres/migrations";
import { computeNdcg, DEPTH, MAX_NDCG_DIFFERENCE } from "../knowledge/ndcg.ts";
import {
	copySearched,
	createEntries,
	createQueries,
	measureTimes,
	pickPercentile95,
} from "../knowledge/search.ts";
import { median } from "../measure.ts";
import type { Row, Section } from "../report.ts";
import { scratchFolder } from "../scratch.ts";
import { randomNumbers } from "../store/data.ts";
import { type Call, get, post } from "../store/requests.ts";
import { createSubject, openSubject, type Subject } from "../store/subject.ts";
import { startDatabase } from "./deployment.ts";

/** Unless another number is given. */
const ENTRIES = 100_000;
const QUERIES = 100;
const KNOWN_ITEMS = 200;
const MAX_STOP_WORD_LENGTH = 3;
const MAX_SEARCH_RATIO = 2;
const RECORDS_RATIO = 100;
const MAX_RECORDS_RATIO = 1.3;
const RECORDS_PER_INSERT = 500_000;
const WORKFLOWS = 200;
const OWNER = "acme";
const CALLS = 200;
const ROUNDS = 5;
const ROWS_PER_UNIT = 100;

type OnProgress = (what: string) => void;
type Answering = Pick<Subject, "answer">;

/** Reading the store on PostgreSQL; `count` says among how many entries. */
export async function postgresStoreSuite(
	onProgress: OnProgress,
	{ count = ENTRIES }: { readonly count?: number },
): Promise<Section[]> {
	await using server = await startDatabase();
	return [
		{ title: "Search: PostgreSQL / SQLite", rows: await compareSearch(server.url, count, onProgress) },
		{
			title: `Execution records on PostgreSQL: ${RECORDS_RATIO * count} / ${count}`,
			rows: await compareRecords(server.url, count, onProgress),
		},
	];
}

/** The same searches on both databases. */
async function compareSearch(url: string, count: number, onProgress: OnProgress): Promise<Row[]> {
	onProgress(`search among ${count} entries on SQLite (made once, then kept in bench/data)`);
	using folder = scratchFolder();
	using floor = openSubject(await copySearched(count, folder.path));
	await using sql = await openStore(url, "bench_search");
	onProgress(`search among ${count} entries on PostgreSQL`);
	await fillEntries(sql, count);
	const ours = createSubject(sql);
	const queries = createQueries().slice(0, QUERIES);
	// The fastest of several runs counts, so that the first warms up.
	const [slow, fast] = [await measureTimes(ours, queries), await measureTimes(floor, queries)];
	const row = (what: string, of: (times: readonly number[]) => number): Row => ({
		what,
		unit: "µs",
		floor: of(fast),
		ours: of(slow),
		ratio: of(slow) / of(fast),
	});
	return [
		{
			...row("POST /search, 95 of 100 take at most", pickPercentile95),
			bar: { on: "ratio", most: MAX_SEARCH_RATIO },
		},
		row("POST /search, half take at most", median),
		await compareQuality(ours, floor, count),
	];
}

/** How well both find entries of which a few words are known; `ours` is the difference. */
async function compareQuality(ours: Answering, floor: Answering, count: number): Promise<Row> {
	const known = createKnownItems(Math.min(count, KNOWN_ITEMS));
	const measure = async (subject: Answering): Promise<number> => {
		let sum = 0;
		for (const { call, page_name } of known) {
			const { suggestions } = (await subject.answer(call)) as { suggestions: { page_name: string }[] };
			const pages = suggestions.map((each) => each.page_name);
			sum += computeNdcg(pages, new Map([[page_name, 1]]));
		}
		return sum / known.length;
	};
	const best = await measure(floor);
	return {
		what: `nDCG@${DEPTH} of ${known.length} searches for a known entry, difference`,
		unit: "nDCG",
		floor: best,
		ours: Math.abs((await measure(ours)) - best),
		bar: { on: "ours", most: MAX_NDCG_DIFFERENCE },
	};
}

/** Searches for an entry by three of its words, with the page of that entry. */
function createKnownItems(count: number): { call: Call; page_name: string }[] {
	const random = randomNumbers(13);
	return [...createEntries(count)].map(({ page_name, content }) => {
		const words = content.split(" ").filter((word) => word.length > MAX_STOP_WORD_LENGTH);
		const q = Array.from({ length: 3 }, () => words[Math.floor(random() * words.length)]).join(" ");
		return { call: post("/search", { owner_id: OWNER, q: `${q} `, limit: DEPTH }), page_name };
	});
}

async function fillEntries(sql: Sql, count: number): Promise<void> {
	let unit: Statement[] = [];
	let units: Promise<unknown>[] = [];
	let nth = 0;
	for (const entry of createEntries(count)) {
		nth++;
		unit.push(
			statement(
				`insert into entries (id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at)
				values (?1, ?2, ?3, ?4, ?5, '{}', 1, 1)`,
				entry.id,
				entry.entry_type,
				entry.owner_id,
				entry.page_name,
				entry.content,
			),
			statement("insert into search (rowid, terms) values (?1, ?2)", nth, buildTerms(entry)),
		);
		if (unit.length < 2 * ROWS_PER_UNIT) continue;
		units.push(sql.write(unit));
		unit = [];
		if (units.length < 8) continue;
		await Promise.all(units);
		units = [];
	}
	await Promise.all([...units, sql.write(unit)]);
	await sql.write([postgresStatement("analyze")]);
}

/** The newest records and the latest of workflows, among few and among many. */
async function compareRecords(url: string, count: number, onProgress: OnProgress): Promise<Row[]> {
	await using few = await openStore(url, "bench_few");
	await using many = await openStore(url, "bench_many");
	await fillRecords(few, count, onProgress);
	await fillRecords(many, RECORDS_RATIO * count, onProgress);
	const [floor, ours] = [createSubject(few), createSubject(many)];
	const rows: Row[] = [];
	for (const [what, call] of [
		["GET /execution-log, newest", () => get("/execution-log", { owner_id: OWNER })],
		[
			"GET /execution-log, one workflow",
			() => get("/execution-log", { owner_id: OWNER, workflow: pickWorkflow() }),
		],
		[
			"GET /execution-log/latest, one workflow",
			() => get("/execution-log/latest", { owner_id: OWNER, workflow: pickWorkflow() }),
		],
	] as const) {
		onProgress(what);
		const measure = async (subject: Answering) => {
			const started = performance.now();
			for (let nth = 0; nth < CALLS; nth++) await subject.answer(call());
			return ((performance.now() - started) * 1000) / CALLS;
		};
		const times: { floor: number[]; ours: number[] } = { floor: [], ours: [] };
		for (let round = 0; round <= ROUNDS; round++) {
			const measured = { floor: await measure(floor), ours: await measure(ours) };
			if (round === 0) continue;
			times.floor.push(measured.floor);
			times.ours.push(measured.ours);
		}
		const ratio = median(times.ours.map((time, nth) => time / (times.floor[nth] as number)));
		rows.push({
			what,
			unit: "µs",
			...{ floor: median(times.floor), ours: median(times.ours), ratio },
			bar: { on: "ratio", most: MAX_RECORDS_RATIO },
		});
	}
	return rows;
}

const pickWorkflow = (): string => `workflow-${Math.floor(Math.random() * WORKFLOWS)}`;

/** As the service writes them, but without its limits. */
async function fillRecords(sql: Sql, count: number, onProgress: OnProgress): Promise<void> {
	for (let from = 0; from < count; from += RECORDS_PER_INSERT) {
		onProgress(`${from} of ${count} records`);
		await sql.write([
			postgresStatement(
				`insert into entries (id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at, webhook)
				select ?1 || n, 'execution_log', ?2, 'workflow-' || n % ${WORKFLOWS}, '',
					'{"execution_id":"' || n || '","verdict":"success","duration_ms":1,"trigger":"schedule","error":""}', 1700000000 + n, 1700000000 + n, 0
				from generate_series(cast(?3 as bigint), cast(?4 as bigint)) as numbers (n)`,
				uuidv7(1).slice(0, 24),
				OWNER,
				from + 1,
				Math.min(count, from + RECORDS_PER_INSERT),
			),
		]);
	}
	await sql.write([postgresStatement("analyze")]);
}

async function openStore(url: string, schema: string): Promise<Sql & AsyncDisposable> {
	const sql = await openPostgres(url, { schema, statementTimeoutMs: 600_000 });
	await migrate(sql, chooseStoreMigrations(sql));
	return Object.assign(sql, { [Symbol.asyncDispose]: () => sql.close() });
}
