import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { createBestList } from "../../src/vectors/best.ts";
import { fuse } from "../../src/vectors/fuse.ts";
import { computeRetrySeconds } from "../../src/vectors/text.ts";

const hits = (...seqs: number[]) => seqs.map((seq) => ({ seq }));
const listSeqs = (found: ReturnType<typeof fuse>) => found.map(({ seq }) => seq);

describe("fusing", () => {
	test("word vectors only add hits below the word hits", () => {
		const found = fuse({ words: hits(1, 2, 3), nearest: hits(9, 2, 8), isModel: false, limit: 10 });
		assert.deepEqual(listSeqs(found), [1, 2, 3, 9, 8]);
		assert.deepEqual(
			found.map(({ by }) => by),
			["words", "both", "words", "meaning", "meaning"],
		);
	});

	test("a model's hits are weighted: agreement ranks higher, and hits of one list stay", () => {
		const found = fuse({ words: hits(1, 2, 3), nearest: hits(9, 3, 8), isModel: true, limit: 10 });
		assert.deepEqual(listSeqs(found), [3, 1, 2, 9, 8]);
	});

	test("without word hits the nearest are the result, and vice versa", () => {
		for (const isModel of [true, false]) {
			assert.deepEqual(listSeqs(fuse({ words: [], nearest: hits(5, 4), isModel, limit: 10 })), [5, 4]);
			assert.deepEqual(listSeqs(fuse({ words: hits(5, 4), nearest: [], isModel, limit: 10 })), [5, 4]);
		}
	});

	test("for any lists: every hit once, at most the limit, scores descending within 0 to 1", () => {
		const list = fc.array(fc.nat(20), { maxLength: 15 });
		fc.assert(
			fc.property(
				list,
				list,
				fc.boolean(),
				fc.integer({ min: 1, max: 30 }),
				(words, nearest, isModel, limit) => {
					const found = fuse({ words: hits(...words), nearest: hits(...nearest), isModel, limit });
					const all = new Set([...words, ...nearest]);
					assert.equal(found.length, Math.min(limit, all.size));
					assert.equal(new Set(listSeqs(found)).size, found.length);
					for (const [place, { score }] of found.entries()) {
						assert.ok(score > 0 && score <= 1);
						assert.ok(place === 0 || score <= (found[place - 1]?.score ?? 0));
					}
				},
			),
		);
	});
});

test("the best items of any scores are kept", () => {
	fc.assert(
		fc.property(
			fc.array(fc.float({ min: -1, max: 1, noNaN: true })),
			fc.integer({ min: 1, max: 10 }),
			(scores, limit) => {
				const best = createBestList<number>(limit);
				for (const [index, score] of scores.entries()) best.offer(score, index);
				const expected = scores.filter((score) => score > 0).toSorted((one, other) => other - one);
				assert.deepEqual(
					best.kept().map(({ similarity }) => similarity),
					expected.slice(0, limit),
				);
			},
		),
	);
});

test("a text is retried after a minute, then with increasing delays of at most an hour", () => {
	assert.deepEqual([0, 1, 2, 3].map(computeRetrySeconds), [60, 120, 240, 480]);
	assert.equal(computeRetrySeconds(1000), 3600);
});
