import assert from "node:assert/strict";
import { test } from "node:test";
import { blockCache } from "../../src/vectors/block-cache.ts";

function createWorld(maxBytes: number) {
	const live = new Map([1, 2, 3, 4].map((id) => [id, 10]));
	const asked: number[][] = [];
	const cache = blockCache(async (ids) => {
		asked.push([...ids]);
		return ids
			.filter((id) => live.has(id))
			.map((id) => ({ id, live: live.get(id) ?? 0, vectors: new Uint8Array(100) }));
	}, maxBytes);
	const get = async (...ids: number[]) =>
		(
			await cache.get(
				ids.map((id) => ({ id, live: live.get(id) ?? 0, bytes: 100 })),
				ids.length * 100,
			)
		)
			.map(({ id }) => id)
			.toSorted();
	return { live, asked, cache, get };
}

test("a block is read once, and again after it lost a vector", async () => {
	const { live, asked, get } = createWorld(1000);
	assert.deepEqual(await get(1, 2), [1, 2]);
	assert.deepEqual(await get(2, 3), [2, 3]);
	live.set(2, 9);
	assert.deepEqual(await get(1, 2, 3), [1, 2, 3]);
	assert.deepEqual(asked, [[1, 2], [3], [2]]);
});

test("a deleted block is left out", async () => {
	const { live, get } = createWorld(1000);
	live.delete(2);
	assert.deepEqual(await get(1, 2), [1]);
});

test("the cache stays within its limit, and a search larger than that caches nothing", async () => {
	const { asked, cache, get } = createWorld(250);
	await get(1, 2);
	await get(3);
	assert.equal(cache.bytes(), 200);
	await get(1, 2, 3, 4);
	assert.equal(cache.bytes(), 200);
	await get(3);
	assert.deepEqual(asked.at(-1), [1, 4]);
});
