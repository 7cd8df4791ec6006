import assert from "node:assert/strict";
import { before, test } from "node:test";
import { type Sql, statement } from "@tripline/platform/sql";
import { findHits, type SearchIndex } from "../../src/domain/search/find.ts";
import { parseQuery, type Scope } from "../../src/domain/search/query.ts";
import { buildTerms } from "../../src/domain/search/terms.ts";
import { searchStorage } from "../../src/storage/search.ts";

const COUNT = 20_000;

/** Entry n: "common" in all, "half" in every other, "tenth" in every tenth, "rare" in every thousandth. */
const buildContent = (nth: number): string =>
	[
		"common",
		nth % 2 === 0 ? "half" : "filler",
		nth % 10 === 0 ? "tenth" : "filler",
		nth % 1000 === 0 ? "rare" : "filler",
		nth === 3 ? "unique" : "filler",
		nth % 3 === 0 ? "thirds" : "third",
	].join(" ");

const pickType = (nth: number): string => (nth % 2000 === 0 ? "seldom" : nth % 4 === 0 ? "quarter" : "note");

/** Fills the index of a store whose tables exist. */
export async function fillIndex(sql: Sql): Promise<void> {
	const rows = Array.from({ length: COUNT }, (_, place) => ({
		seq: place + 1,
		terms: buildTerms({
			owner_id: "o",
			entry_type: pickType(place + 1),
			page_name: `Page${place + 1}`,
			content: buildContent(place + 1),
		}),
	}));
	await sql.write([
		statement(
			"insert into search (rowid, terms) select cast(value ->> 'seq' as integer), value ->> 'terms' from json_each(?1)",
			JSON.stringify(rows),
		),
	]);
}

const scope = (entry_types?: string[]): Scope => ({ owner_id: "o", area: "knowledge", entry_types });

/** `open` gives an index that `fillIndex` has filled. */
export function testFinding(open: () => Promise<Sql>): void {
	let index: SearchIndex;
	let reads = 0;
	let read = 0;
	before(async () => {
		index = searchStorage(await open()).index;
	});
	const counting: SearchIndex = {
		async filterByType(entries, types) {
			return entries.filter((nth) => types.includes(pickType(nth)));
		},
		async listNewest(expressions, most) {
			const result = await index.listNewest(expressions, most);
			reads++;
			read += result.answers.flat().length;
			return result;
		},
	};

	async function findBest(q: string, limit = 20, entry_types?: string[]): Promise<number[]> {
		reads = 0;
		read = 0;
		const hits = await findHits(counting, parseQuery(q), scope(entry_types), limit);
		return hits.map(({ seq }) => seq);
	}

	test("the only entry with all words comes first, however old it is and however common the other words are", async () => {
		assert.equal((await findBest("common unique "))[0], 3);
		assert.equal((await findBest("page3 common filler thirds unique "))[0], 3);
	});

	test("an entry with a rare and a common word ranks above one with only the rare word", async () => {
		const found = await findBest("rare thirds ", 6);
		assert.deepEqual(
			found.map((nth) => nth % 3000),
			[0, 0, 0, 0, 0, 0],
		);
		assert.deepEqual(
			found,
			found.toSorted((one, other) => other - one),
		);
	});

	test("of two common words, entries with both come first", async () => {
		for (const nth of await findBest("half tenth ")) assert.equal(nth % 10, 0);
	});

	test("an exact word ranks above its other forms", async () => {
		for (const nth of await findBest("thirds ")) assert.equal(nth % 3, 0);
		for (const nth of await findBest("third ")) assert.notEqual(nth % 3, 0);
	});

	test("a prefix finds longer words", async () => {
		assert.deepEqual(await findBest("uniq"), [3]);
		assert.equal((await findBest("page19999"))[0], 19_999);
		assert.ok((await findBest("pa")).length === 20);
	});

	test("entries of a rare type and of a common type are found", async () => {
		const seldom = await findBest("common ", 20, ["seldom"]);
		assert.deepEqual(seldom, [20_000, 18_000, 16_000, 14_000, 12_000, 10_000, 8000, 6000, 4000, 2000]);
		const quarter = await findBest("tenth ", 20, ["quarter"]);
		assert.equal(quarter.length, 20);
		for (const nth of quarter) assert.ok(pickType(nth) === "quarter" && nth % 10 === 0);
		assert.deepEqual(await findBest("common ", 20, ["absent"]), []);
		assert.deepEqual(await findBest("unique ", 20, ["note"]), [3]);
		assert.deepEqual(await findBest("unique ", 20, ["quarter"]), []);
	});

	test("a search reads a bounded part of the index in a bounded number of queries", async () => {
		const queries = [
			"common",
			"common half tenth ",
			"common half tenth rare unique third thirds filler page",
			"p",
			"c",
			Array.from({ length: 200 }, (_, nth) => `page${nth + 1}`).join(" "),
			"common half tenth filler third thirds page1 page2 page3 page4 page5",
		];
		for (const q of queries) {
			await findBest(q, 100);
			assert.ok(reads <= 2 && read <= 25_000, `${q.slice(0, 40)}: ${reads} reads of ${read}`);
			await findBest(q, 100, ["quarter", "seldom"]);
			assert.ok(reads <= 4 && read <= 40_000, `${q.slice(0, 40)}: ${reads} reads of ${read}`);
		}
	});

	test("owners and areas are searched separately", async () => {
		const words = parseQuery("common");
		assert.deepEqual(await findHits(index, words, { owner_id: "O", area: "knowledge" }, 5), []);
		assert.deepEqual(await findHits(index, words, { owner_id: "o", area: "workflows" }, 5), []);
	});
}
