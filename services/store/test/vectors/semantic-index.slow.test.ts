import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { uuidv7 } from "@tripline/contract/ids";
import { nodeBackground } from "@tripline/platform/background.node";
import { type Embedder, EmbedUnavailable } from "@tripline/platform/embed";
import type { Log } from "@tripline/platform/log";
import { statement } from "@tripline/platform/sql";
import type { IndexedVector, VectorIndex } from "@tripline/platform/vectors";
import { openMigrated } from "../../../../packages/platform/test/open-migrated.ts";
import { entryStorage } from "../../src/storage/entries.ts";
import { storeMigrations } from "../../src/storage/migrations.ts";
import { vectorStorage } from "../../src/storage/vectors.ts";
import { semanticIndex } from "../../src/vectors/semantic-index.ts";

const START = Date.UTC(2027, 0, 1);
const DIMENSIONS = 64;

/** One dimension per letter, so that texts that share letters are close. */
function toLetterVector(text: string, dimensions = DIMENSIONS): Float32Array {
	const vector = new Float32Array(dimensions);
	for (const letter of text) {
		const at = letter.charCodeAt(0) % dimensions;
		vector[at] = (vector[at] ?? 0) + 1;
	}
	return vector;
}

function letterEmbedder(fields: Partial<Embedder> = {}): Embedder & { readonly asked: string[] } {
	const asked: string[] = [];
	return {
		provider: "letters",
		model: "one",
		dimensions: DIMENSIONS,
		isModel: true,
		batchSize: 4,
		maxCharacters: 1000,
		asked,
		async embed(texts) {
			asked.push(...texts);
			return texts.map((text) => toLetterVector(text));
		},
		...fields,
	};
}

async function openWorld(context: TestContext) {
	const sql = await openMigrated(storeMigrations);
	context.after(() => sql.close());
	let now = START;
	const clock = { now: () => now };
	const background = nodeBackground((name, error) => assert.fail(`${name}: ${error}`));
	const entries = entryStorage(sql);
	const logged: string[] = [];
	const log: Log = (_, message, fields) => logged.push(`${message} ${JSON.stringify(fields)}`);
	return {
		sql,
		entries,
		background,
		logged,
		pass(seconds: number) {
			now += seconds * 1000;
		},
		index: (embedder: Embedder | null, outside: VectorIndex | null = null, rounds = 100) =>
			semanticIndex({
				storage: vectorStorage(sql),
				embedder,
				index: outside,
				background,
				clock,
				log,
				rounds,
			}),
		async write(page_name: string, content: string, metadata_json = '{"embed":true}', owner_id = "owner") {
			const { entry } = await entries.upsert({
				id: uuidv7(now),
				entry_type: "note",
				owner_id,
				page_name,
				content,
				metadata_json,
				now: Math.floor(now / 1000),
			});
			return entry;
		},
		async pages(found: readonly { readonly seq: number }[]) {
			const names: string[] = [];
			for (const { seq } of found) {
				const [row] = await sql.read<{ page_name: string }>(
					statement("select page_name from entries where seq = ?1", seq),
				);
				names.push(row?.page_name ?? "gone");
			}
			return names;
		},
	};
}

describe("the semantic index", () => {
	test("embeds after the write, and finds by meaning", async (context) => {
		const { index, write, background, pages } = await openWorld(context);
		const embedder = letterEmbedder();
		const semantic = index(embedder);
		await write("aaaa", "aaaa");
		await write("bbbb", "bbbb");
		semantic.scheduleEmbedding('{"embed":true}');
		assert.deepEqual(embedder.asked, []);
		await background.flush();
		assert.deepEqual(embedder.asked, ["aaaa\naaaa", "bbbb\nbbbb"]);
		assert.deepEqual(await semantic.getStatus(), {
			provider: "letters",
			model: "one",
			dimensions: DIMENSIONS,
			pending: 0,
			done: 2,
			failed: 0,
			last_error: null,
		});
		assert.deepEqual(await pages(await semantic.findNearest("owner", "bbb", 1, {})), ["bbbb"]);
		assert.deepEqual(await semantic.findNearest("another", "bbb", 1, {}), []);
		const [{ similarity } = { similarity: 0 }] = await semantic.findNearest("owner", "b", 1, {});
		assert.ok(similarity > 0.9 && similarity <= 1.000001);
	});

	test("a text that was changed back is not embedded again", async (context) => {
		const { index, write } = await openWorld(context);
		const embedder = letterEmbedder();
		const semantic = index(embedder);
		await write("p", "first");
		await semantic.tick();
		await write("p", "second");
		await write("p", "first");
		await semantic.tick();
		assert.deepEqual(embedder.asked, ["p\nfirst"]);
		assert.equal((await semantic.getStatus()).done, 1);
	});

	test("many entries are embedded in batches and packed into blocks, and search matches a full comparison", async (context) => {
		const { index, write, pages, sql } = await openWorld(context);
		const semantic = index(letterEmbedder({ batchSize: 250 }), null, 1000);
		const texts = Array.from({ length: 2_300 }, (_, nth) => {
			const word = [7, 13, 29, 31].map((step) => String.fromCharCode(97 + ((nth * step) % 26))).join("");
			return { page: `${nth}${word}`, text: word.repeat(1 + (nth % 3)) };
		});
		await Promise.all(texts.map(({ page, text }) => write(page, text)));
		await semantic.tick();
		assert.equal((await semantic.getStatus()).done, 2_300);
		const [blocks] = await sql.read<{ count: number }>(
			statement("select count(*) as count from vector_blocks"),
		);
		assert.ok((blocks?.count ?? 0) >= 2);
		const cosine = (one: Float32Array, other: Float32Array) =>
			one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0) /
			(Math.hypot(...one) * Math.hypot(...other));
		for (const query of ["hello", "zebra", "quick brown fox"]) {
			const asked = toLetterVector(query);
			const found = await semantic.findNearest("owner", query, 10, {});
			const exact = texts
				.map(({ page, text }) => cosine(toLetterVector(`${page}\n${text}`), asked))
				.toSorted((one, other) => other - one);
			for (const [rank, { similarity }] of found.entries()) {
				assert.ok(Math.abs(similarity - (exact[rank] ?? 0)) < 0.02, `${query} ${rank}`);
			}
			assert.equal(new Set(await pages(found)).size, 10);
		}
	});

	test("an outage fails no write, backs off, and ends when the provider responds", async (context) => {
		const { index, write, pass, logged } = await openWorld(context);
		let isDown = true;
		let calls = 0;
		const embedder = letterEmbedder({
			async embed(texts) {
				calls++;
				if (isDown) throw new EmbedUnavailable("the provider answered 500");
				return texts.map((text) => toLetterVector(text));
			},
		});
		const semantic = index(embedder);
		for (let nth = 0; nth < 10; nth++) await write(`p${nth}`, "text");
		await semantic.tick();
		assert.equal(calls, 1);
		const status = await semantic.getStatus();
		assert.deepEqual(
			[status.pending, status.failed, status.last_error],
			[6, 4, { message: "the provider answered 500", time: START / 1000 }],
		);
		assert.match(logged[0] ?? "", /embedding failed .*"texts":4.*answered 500/);
		pass(30);
		await semantic.tick();
		await semantic.tick();
		assert.equal((await semantic.getStatus()).failed, 10);
		isDown = false;
		await semantic.tick();
		assert.equal((await semantic.getStatus()).done, 0);
		pass(60);
		await semantic.tick();
		assert.deepEqual(
			{ ...(await semantic.getStatus()) },
			{
				provider: "letters",
				model: "one",
				dimensions: DIMENSIONS,
				pending: 0,
				done: 10,
				failed: 0,
				last_error: null,
			},
		);
	});

	test("a text that makes its batch fail is isolated and does not block others", async (context) => {
		const { index, write, pass } = await openWorld(context);
		const embedder = letterEmbedder({
			async embed(texts) {
				if (texts.some((text) => text.includes("poison"))) throw new Error("secret internals");
				return texts.map((text) => toLetterVector(text));
			},
		});
		const semantic = index(embedder);
		for (const page of ["a", "b", "poison", "c"]) await write(page, "text");
		for (let minutes = 0; minutes < 10; minutes++) {
			await semantic.tick();
			pass(60);
		}
		const status = await semantic.getStatus();
		assert.deepEqual([status.done, status.failed], [3, 1]);
		assert.equal(status.last_error?.message, "the embedder failed");
	});

	test("a text that the provider rejects fails alone", async (context) => {
		const { index, write } = await openWorld(context);
		const embedder = letterEmbedder({
			embed: async (texts) => texts.map((text) => (text.includes("no") ? null : toLetterVector(text))),
		});
		const semantic = index(embedder);
		for (const page of ["yes", "no"]) await write(page, "text");
		await semantic.tick();
		const status = await semantic.getStatus();
		assert.deepEqual([status.done, status.failed], [1, 1]);
		assert.match(status.last_error?.message ?? "", /rejected/);
	});

	test("a text without a vector counts as done and is never found", async (context) => {
		const { index, write } = await openWorld(context);
		const semantic = index(letterEmbedder({ embed: async (texts) => texts.map(() => new Float32Array(64)) }));
		await write("p", "text");
		await semantic.tick();
		assert.equal((await semantic.getStatus()).done, 1);
		assert.deepEqual(await semantic.findNearest("owner", "text", 5, {}), []);
	});

	test("a change of provider, model or dimensions embeds everything again, without mixing vectors", async (context) => {
		const { index, write, pages } = await openWorld(context);
		const first = index(letterEmbedder());
		for (let nth = 0; nth < 9; nth++) await write(`page${nth}`, "text");
		await first.tick();
		const changes: Partial<Embedder>[] = [{ model: "two" }, { provider: "other" }, {}];
		for (const change of changes) {
			const embedder = letterEmbedder(change);
			const semantic = index(embedder);
			assert.deepEqual(await semantic.findNearest("owner", "page1", 1, {}), []);
			await semantic.tick();
			assert.equal(embedder.asked.length, 9);
			assert.deepEqual(await pages(await semantic.findNearest("owner", "page1", 1, {})), ["page1"]);
		}
	});

	test("a model that changes its dimensions counts as another model", async (context) => {
		const { index, write, pages } = await openWorld(context);
		let dimensions = 64;
		const embedder = letterEmbedder({
			dimensions: null,
			embed: async (texts) => texts.map((text) => toLetterVector(text, dimensions)),
		});
		const semantic = index(embedder);
		assert.equal((await semantic.getStatus()).dimensions, null);
		await write("aaa", "a");
		await semantic.tick();
		assert.equal((await semantic.getStatus()).dimensions, 64);
		dimensions = 96;
		assert.deepEqual(await semantic.findNearest("owner", "a", 5, {}), []);
		await write("bbb", "b");
		await semantic.tick();
		const status = await semantic.getStatus();
		assert.deepEqual([status.dimensions, status.done, status.pending], [96, 2, 0]);
		assert.deepEqual(await pages(await semantic.findNearest("owner", "aa", 1, {})), ["aaa"]);
	});

	test("two processes share the work and embed each text once", async (context) => {
		const { index, write } = await openWorld(context);
		const one = letterEmbedder();
		const other = letterEmbedder();
		for (let nth = 0; nth < 40; nth++) await write(`p${nth}`, "text");
		await Promise.all([index(one).tick(), index(other).tick()]);
		assert.equal(new Set([...one.asked, ...other.asked]).size, 40);
		assert.equal(one.asked.length + other.asked.length, 40);
		assert.ok(one.asked.length > 0 && other.asked.length > 0);
	});

	test("one run does a bounded number of batches; the rest waits for the next", async (context) => {
		const { index, write } = await openWorld(context);
		const embedder = letterEmbedder();
		const semantic = index(embedder, null, 2);
		for (let nth = 0; nth < 20; nth++) await write(`p${nth}`, "text");
		await semantic.tick();
		assert.equal(embedder.asked.length, 8);
		await semantic.tick();
		assert.equal(embedder.asked.length, 16);
	});

	test("stopping aborts a call in progress, and its texts stay marked", async (context) => {
		const { index, write, background } = await openWorld(context);
		const called = Promise.withResolvers<void>();
		const embedder = letterEmbedder({
			embed(_, signal) {
				called.resolve();
				return new Promise((_, reject) => {
					signal.addEventListener("abort", () => reject(new EmbedUnavailable("aborted")));
				});
			},
		});
		const semantic = index(embedder);
		await write("p", "text");
		semantic.scheduleEmbedding('{"embed":true}');
		await called.promise;
		semantic.stop();
		await background.flush();
		const again = index(letterEmbedder());
		assert.deepEqual([(await again.getStatus()).pending, (await again.getStatus()).failed], [1, 0]);
		await again.tick();
		assert.equal((await again.getStatus()).done, 1);
	});

	test("writes before the timer fires share one run, which stopping ends", async (context) => {
		const { index, write, pass, background } = await openWorld(context);
		const called = Promise.withResolvers<void>();
		let calls = 0;
		const semantic = index(
			letterEmbedder({
				embed: () => {
					calls++;
					called.resolve();
					return new Promise(() => {});
				},
			}),
		);
		await write("p", "text");
		semantic.scheduleEmbedding('{"embed":true}');
		pass(1);
		semantic.scheduleEmbedding('{"embed":true}');
		await called.promise;
		await write("q", "text");
		semantic.scheduleEmbedding('{"embed":true}');
		semantic.stop();
		await background.flush();
		assert.equal(calls, 1);
		assert.equal((await semantic.getStatus()).pending, 2);
	});

	test("without an embedder entries stay marked until one is configured", async (context) => {
		const { index, write } = await openWorld(context);
		const none = index(null);
		await write("p", "text");
		none.scheduleEmbedding('{"embed":true}');
		await none.tick();
		assert.deepEqual(await none.findNearest("owner", "text", 5, {}), []);
		const status = await none.getStatus();
		assert.deepEqual(
			[status.provider, status.model, status.dimensions, status.pending],
			[null, null, null, 1],
		);
		const semantic = index(letterEmbedder());
		await semantic.tick();
		assert.equal((await semantic.getStatus()).done, 1);
	});

	test("a search works without a failing provider and skips it for a while", async (context) => {
		const { index, write, pass, pages, logged } = await openWorld(context);
		let isDown = false;
		let calls = 0;
		const embedder = letterEmbedder({
			async embed(texts) {
				calls++;
				if (isDown) throw new EmbedUnavailable("the provider took too long");
				return texts.map((text) => toLetterVector(text));
			},
		});
		const semantic = index(embedder);
		await write("aaa", "text");
		await semantic.tick();
		isDown = true;
		calls = 0;
		assert.deepEqual(await semantic.findNearest("owner", "a", 5, {}), []);
		assert.deepEqual(await semantic.findNearest("owner", "a", 5, {}), []);
		assert.equal(calls, 1);
		assert.match(logged.at(-1) ?? "", /embedding of the query failed/);
		isDown = false;
		pass(11);
		assert.deepEqual(await pages(await semantic.findNearest("owner", "a", 5, {})), ["aaa"]);
	});
});

/** An index whose writes become visible only on demand, because those of Vectorize are delayed. */
function slowIndex() {
	const shown = new Map<string, IndexedVector>();
	const queue: (() => void)[] = [];
	const calls: string[] = [];
	const index: VectorIndex = {
		name: "slow",
		delaySeconds: 60,
		batchSize: 100,
		async upsert(vectors) {
			calls.push(`upsert ${vectors.length}`);
			queue.push(() => {
				for (const vector of vectors) shown.set(vector.id, vector);
			});
		},
		async remove(ids) {
			calls.push(`remove ${ids.length}`);
			queue.push(() => {
				for (const id of ids) shown.delete(id);
			});
		},
		async query(partition, vector, limit) {
			return [...shown.values()]
				.filter((each) => each.partition === partition)
				.map(({ id, vector: other }) => ({
					id,
					similarity: other.reduce((sum, value, at) => sum + value * (vector[at] ?? 0), 0),
				}))
				.toSorted((one, other) => other.similarity - one.similarity)
				.slice(0, limit);
		},
	};
	return {
		index,
		calls,
		shown,
		settle() {
			for (const apply of queue.splice(0)) apply();
		},
	};
}

describe("the semantic index with an external index", () => {
	test("recent writes are found before and after the index shows them", async (context) => {
		const { index, write, pages, pass } = await openWorld(context);
		const outside = slowIndex();
		const semantic = index(letterEmbedder(), outside.index);
		await write("aaaa", "a");
		await write("bbbb", "b");
		await semantic.tick();
		const nearest = async (text: string) => pages(await semantic.findNearest("owner", text, 1, {}));
		assert.deepEqual(await nearest("aa"), ["aaaa"]);
		outside.settle();
		assert.deepEqual(await nearest("aa"), ["aaaa"]);
		pass(120);
		assert.deepEqual(await nearest("bb"), ["bbbb"]);
		assert.equal(outside.shown.size, 2);
	});

	test("a changed text is compared in its current form, not as the index still has it", async (context) => {
		const { index, write, pass } = await openWorld(context);
		const outside = slowIndex();
		const semantic = index(letterEmbedder(), outside.index);
		await write("p", "aaaaaaaa");
		await semantic.tick();
		outside.settle();
		pass(120);
		await write("p", "zzzzzzzz");
		await semantic.tick();
		const [near] = await semantic.findNearest("owner", "aaaa", 1, {});
		assert.ok((near?.similarity ?? 0) < 0.1);
		assert.ok(((await semantic.findNearest("owner", "zzzz", 1, {}))[0]?.similarity ?? 0) > 0.9);
	});

	test("a deleted entry is not found even if the index has it, and a tick removes it there", async (context) => {
		const { index, write, pass, entries } = await openWorld(context);
		const outside = slowIndex();
		const semantic = index(letterEmbedder(), outside.index);
		const { id } = await write("p", "text");
		await semantic.tick();
		outside.settle();
		pass(120);
		await entries.delete(id, "owner");
		assert.deepEqual(await semantic.findNearest("owner", "text", 5, {}), []);
		await semantic.tick();
		outside.settle();
		assert.equal(outside.shown.size, 0);
	});

	test("a failing index loses nothing: a later tick sends the changes", async (context) => {
		const { index, write, logged, pages } = await openWorld(context);
		const outside = slowIndex();
		let isDown = true;
		const semantic = index(letterEmbedder(), {
			...outside.index,
			async upsert(vectors) {
				if (isDown) throw new Error("down");
				await outside.index.upsert(vectors);
			},
		});
		await write("p", "text");
		await semantic.tick();
		assert.equal((await semantic.getStatus()).done, 1);
		assert.deepEqual(await pages(await semantic.findNearest("owner", "text", 1, {})), ["p"]);
		assert.match(logged[0] ?? "", /not sent to the index/);
		isDown = false;
		await semantic.tick();
		outside.settle();
		assert.equal(outside.shown.size, 1);
	});

	test("a search works without a failing index", async (context) => {
		const { index, write, pages, logged } = await openWorld(context);
		const outside = slowIndex();
		const semantic = index(letterEmbedder(), {
			...outside.index,
			query: () => Promise.reject(new Error("down")),
		});
		await write("p", "text");
		await semantic.tick();
		assert.deepEqual(await pages(await semantic.findNearest("owner", "text", 1, {})), ["p"]);
		assert.match(logged[0] ?? "", /vector index query failed/);
	});

	test("each type has its own partition, so that many notes do not hide a workflow", async (context) => {
		const { index, write, pass, entries, pages } = await openWorld(context);
		const outside = slowIndex();
		const semantic = index(letterEmbedder({ batchSize: 100 }), outside.index);
		for (let nth = 0; nth < 30; nth++) await write(`note ${nth}`, "daily report");
		await entries.append({
			id: uuidv7(START),
			entry_type: "workflow",
			owner_id: "owner",
			page_name: "flow",
			content: "something else",
			metadata_json: '{"embed":true}',
			now: START / 1000,
		});
		await semantic.tick();
		outside.settle();
		pass(120);
		const findByTypes = (types: object) => semantic.findNearest("owner", "daily report", 5, types);
		assert.deepEqual(await pages(await findByTypes({ only: ["workflow"] })), ["flow"]);
		assert.ok(
			(await pages(await findByTypes({ except: ["workflow"] }))).every((page) => page.startsWith("note")),
		);
	});
});
