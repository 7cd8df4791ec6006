// How well the search ranks, on a retrieval set in BEIR's layout (corpus.jsonl, queries.jsonl, qrels/test.tsv), on both
// databases, beside textbook BM25 over the same words: node bench/knowledge/quality.ts <folder>
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { migrate } from "@tripline/platform/migrations";
import type { Sql } from "@tripline/platform/sql";
import { openPostgres } from "@tripline/platform/sql.postgres";
import { openSqlite } from "@tripline/platform/sql.sqlite";
import { isStopWord } from "@tripline/store/domain/search/stop-words";
import { tokenize, toTerm } from "@tripline/store/domain/search/tokens";
import { chooseStoreMigrations } from "@tripline/store/storage/postgres/migrations";
import { startDatabase } from "../postgres/deployment.ts";
import { scratchFolder } from "../scratch.ts";
import { post } from "../store/requests.ts";
import { createSubject } from "../store/subject.ts";
import { computeNdcg, DEPTH, MAX_NDCG_DIFFERENCE } from "./ndcg.ts";

const OWNER = "quality";
const BM25 = { k1: 1.2, b: 0.75, titleWeight: 2 };

interface Document {
	readonly _id: string;
	readonly title?: string;
	readonly text: string;
}

type Ranking = (query: string) => Promise<string[]> | string[];

const [folder] = process.argv.slice(2);
if (folder === undefined) {
	console.error(
		"usage: node bench/knowledge/quality.ts <folder with corpus.jsonl, queries.jsonl, qrels/test.tsv>",
	);
	process.exit(2);
}
const lines = (file: string) => readFileSync(join(folder, file), "utf8").trim().split("\n");
const documents = lines("corpus.jsonl").map((line) => JSON.parse(line) as Document);
const queries = new Map(
	lines("queries.jsonl").map((line) => {
		const { _id, text } = JSON.parse(line) as Document;
		return [_id, text];
	}),
);
const judged = parseJudgements(lines("qrels/test.tsv").slice(1));

await using opened = new AsyncDisposableStack();
const sqlite = openSqlite(join(opened.use(scratchFolder()).path, "store.db"));
opened.defer(() => sqlite.close());
const server = opened.use(await startDatabase());
const postgres = await openPostgres(server.url, { schema: "quality" });
opened.defer(() => postgres.close());
console.log(`${documents.length} documents, ${judged.size} queries, nDCG@${DEPTH}`);
const onSqlite = await measureQuality(await fillStore(sqlite));
console.log(`search on SQLite      ${onSqlite.toFixed(4)}`);
const onPostgres = await measureQuality(await fillStore(postgres));
console.log(`search on PostgreSQL  ${onPostgres.toFixed(4)}`);
console.log(`textbook BM25         ${(await measureQuality(rankByTextbook(documents))).toFixed(4)}`);
if (Math.abs(onSqlite - onPostgres) > MAX_NDCG_DIFFERENCE) {
	console.error(`PostgreSQL and SQLite differ by more than ${MAX_NDCG_DIFFERENCE}`);
	process.exitCode = 1;
}

function parseJudgements(rows: readonly string[]): Map<string, Map<string, number>> {
	const judged = new Map<string, Map<string, number>>();
	for (const row of rows) {
		const [query = "", document = "", score] = row.split("\t");
		const gains = judged.get(query) ?? new Map<string, number>();
		if (Number(score) > 0) judged.set(query, gains.set(document, Number(score)));
	}
	return judged;
}

async function measureQuality(ranking: Ranking): Promise<number> {
	let sum = 0;
	for (const [query, relevance] of judged)
		sum += computeNdcg(await ranking(queries.get(query) ?? ""), relevance);
	return sum / judged.size;
}

/** End to end: entries and searches through the API. */
async function fillStore(sql: Sql): Promise<Ranking> {
	await migrate(sql, chooseStoreMigrations(sql));
	const store = createSubject(sql);
	const documentById = new Map<string, string>();
	for (const { _id, title, text } of documents) {
		const page = (title ?? "").replaceAll(/\p{Cc}/gu, " ").slice(0, 500) || "-";
		const entry = { owner_id: OWNER, entry_type: "note", page_name: page, content: text };
		const answer = (await store.answer(post("/entries", entry))) as { entry: { id: string } };
		documentById.set(answer.entry.id, _id);
	}
	return async (query) => {
		const asked = { owner_id: OWNER, q: query.slice(0, 1000), limit: DEPTH };
		const answer = (await store.answer(post("/search", asked))) as { suggestions: { id: string }[] };
		return answer.suggestions.map(({ id }) => documentById.get(id) ?? "");
	};
}

/** Scores every document, without pruning or rounding. */
function rankByTextbook(corpus: readonly Document[]): Ranking {
	const splitTerms = (text: string) =>
		tokenize(text, text.length).map(({ form }) => ({ form, term: toTerm(form) }));
	const postings = new Map<string, Map<number, number>>();
	const lengths = corpus.map(({ title = "", text }, place) => {
		const parts = [
			{ terms: splitTerms(title), weight: BM25.titleWeight },
			{ terms: splitTerms(text), weight: 1 },
		];
		for (const { terms, weight } of parts) {
			for (const { term } of terms) {
				const counts = postings.get(term) ?? new Map<number, number>();
				postings.set(term, counts.set(place, (counts.get(place) ?? 0) + weight));
			}
		}
		return parts.reduce((sum, { terms, weight }) => sum + terms.length * weight, 0);
	});
	const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
	return (query) => {
		const asked = splitTerms(query);
		const meaningful = asked.filter(({ form }) => !isStopWord(form));
		const scores = new Map<number, number>();
		for (const term of new Set((meaningful.length > 0 ? meaningful : asked).map((each) => each.term))) {
			const counts = postings.get(term) ?? new Map<number, number>();
			const rarity = Math.log(1 + (corpus.length - counts.size + 0.5) / (counts.size + 0.5));
			for (const [place, count] of counts) {
				const norm = BM25.k1 * (1 - BM25.b + (BM25.b * (lengths[place] as number)) / average);
				const score = (rarity * count * (BM25.k1 + 1)) / (count + norm);
				scores.set(place, (scores.get(place) ?? 0) + score);
			}
		}
		return [...scores]
			.sort(([, one], [, other]) => other - one)
			.slice(0, DEPTH)
			.map(([place]) => (corpus[place] as Document)._id);
	};
}
