import type { DatabaseSync } from "node:sqlite";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { uuidv7 } from "@tripline/contract/ids";
import type { Sql } from "@tripline/platform/sql";
import { buildTerms, TERMS_VERSION } from "@tripline/store/domain/search/terms";
import { copyCachedDatabase } from "../cached-database.ts";
import { median } from "../measure.ts";
import type { Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";
import { randomNumbers } from "../store/data.ts";
import { type Call, post } from "../store/requests.ts";
import { openSubject, type Subject } from "../store/subject.ts";

const FEW = 1000;
const MANY = 100_000;
const OWNER = "acme";
const TYPES = ["note", "task", "document"] as const;
const VOCABULARY = 30_000;
const QUERIES = 300;
/** The fastest of this many runs counts, to exclude other load on the machine. */
const RUNS = 3;
const ENTRIES_PER_COMMIT = 200;
/** Searched words must not be kept in memory. */
const MAX_MEGABYTES = 8;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const SYLLABLES =
	"ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu".split(" ");
const STOP_WORDS = ["the", "of", "and", "to", "in"];

/** The nth most frequent word: each has three or more syllables of its own. */
function word(rank: number): string {
	let rest = Math.imul(rank + 1, 0x9e3779b1) >>> 0;
	let text = "";
	do {
		text += SYLLABLES[rest % SYLLABLES.length];
		rest = Math.floor(rest / SYLLABLES.length);
	} while (rest > 0 && text.length < 9);
	return text;
}

/** Frequencies follow Zipf's law: a word of rank r has a frequency of 1/r. */
const pickRank = (random: () => number, first = 1): number =>
	Math.floor(first * (VOCABULARY / first) ** random()) - 1;

const sentence = (random: () => number, words: number): string =>
	Array.from({ length: words }, () =>
		random() < 0.25
			? (STOP_WORDS[Math.floor(random() * STOP_WORDS.length)] as string)
			: word(pickRank(random)),
	).join(" ");

interface SearchedEntry {
	readonly id: string;
	readonly entry_type: string;
	readonly owner_id: string;
	readonly page_name: string;
	readonly content: string;
}

export function* createEntries(count: number): Generator<SearchedEntry> {
	const random = randomNumbers(11);
	for (let nth = 1; nth <= count; nth++)
		yield {
			id: uuidv7(nth),
			entry_type: TYPES[nth % TYPES.length] as string,
			owner_id: OWNER,
			page_name: sentence(random, 4),
			content: sentence(random, 20 + Math.floor(random() * 120)),
		};
}

function createFill(count: number) {
	return (database: DatabaseSync): void => {
		const insert = database.prepare(
			`insert into entries (id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at)
			values (?, ?, ?, ?, ?, '{}', 1, 1)`,
		);
		const index = database.prepare("insert into search (rowid, terms) values (?, ?)");
		let nth = 0;
		for (const entry of createEntries(count)) {
			nth++;
			insert.run(entry.id, entry.entry_type, OWNER, entry.page_name, entry.content);
			index.run(nth, buildTerms(entry));
			// Like real writes: each commit adds an index segment, and segments are merged from time to time.
			if (nth % ENTRIES_PER_COMMIT === 0) database.exec("commit; begin");
		}
	};
}

/** From one word to eight, common and rare, some cut as if still being typed, some for one type only. */
export function createQueries(): Call[] {
	const random = randomNumbers(12);
	return Array.from({ length: QUERIES }, (_, nth) => {
		const words = Array.from({ length: 1 + (nth % 4) * (nth % 5 === 0 ? 2 : 1) }, () =>
			word(pickRank(random, 10)),
		);
		const q = words.join(" ");
		return post("/search", {
			owner_id: OWNER,
			q: nth % 3 === 0 ? q.slice(0, -2) : `${q} `,
			...(nth % 6 === 0 ? { entry_types: ["note"] } : {}),
		});
	});
}

/** A database of so many entries, which is made once. */
export const copySearched = (count: number, folder: string): Promise<string> =>
	copyCachedDatabase(
		{ name: `search-${count}-${TERMS_VERSION}`, filledBy: import.meta.filename, fill: createFill(count) },
		folder,
	);

/** The same searches among a hundred thousand entries ("ours") and among a thousand ("floor"). */
export async function search(onProgress: (what: string) => void): Promise<Row[]> {
	onProgress(`search among ${FEW} and ${MANY} entries (made once, then kept in bench/data)`);
	using folder = scratchFolder();
	const database = (count: number) => copySearched(count, folder.path);
	let statements = 0;
	const countReads = (sql: Sql): Sql => ({
		...sql,
		read(each) {
			statements++;
			return sql.read(each);
		},
	});
	using few = openSubject(await database(FEW));
	using many = openSubject(await database(MANY), { wrap: countReads });
	let most = 0;
	for (const query of createQueries()) {
		statements = 0;
		await many.answer(query);
		most = Math.max(most, statements);
	}
	await measureTimes(few);
	await measureTimes(many);
	const before = measureMemory();
	const [slow, fast] = [await measureTimes(many), await measureTimes(few)];
	const row = (what: string, of: (times: readonly number[]) => number): Row => ({
		what,
		unit: "µs",
		floor: of(fast),
		ours: of(slow),
		ratio: of(slow) / of(fast),
	});
	return [
		{ ...row("POST /search, 95 of 100 take at most", pickPercentile95), bar: { on: "ratio", most: 10 } },
		row("POST /search, half take at most", median),
		{
			what: "statements of one search, at most",
			unit: "statements",
			ours: most,
			bar: { on: "ours", most: 6 },
		},
		{
			what: `memory kept after ${QUERIES * RUNS} searches`,
			unit: "MB",
			ours: Math.max(0, measureMemory() - before),
			bar: { on: "ours", most: MAX_MEGABYTES },
		},
	];
}

export async function measureTimes(
	subject: Pick<Subject, "answer">,
	queries: readonly Call[] = createQueries(),
): Promise<number[]> {
	const times: number[] = [];
	for (const query of queries) {
		let fastest = Number.POSITIVE_INFINITY;
		for (let run = 0; run < RUNS; run++) {
			const start = performance.now();
			await subject.answer(query);
			fastest = Math.min(fastest, performance.now() - start);
		}
		times.push(fastest * 1000);
	}
	return times;
}

export function pickPercentile95(times: readonly number[]): number {
	const sorted = times.toSorted((one, other) => one - other);
	return sorted[Math.floor(sorted.length * 0.95)] as number;
}

function measureMemory(): number {
	collectGarbage();
	const { heapUsed, external } = process.memoryUsage();
	return (heapUsed + external) / 1024 / 1024;
}
