import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createAsking } from "./asking.ts";

describe("loading", () => {
	test("loads nothing before the first valid message", async () => {
		const { post, ask, loads } = createAsking();
		await post("nonsense");
		assert.equal(loads(), 0);
		await ask("tools/list");
		await ask("tools/list");
		assert.equal(loads(), 1);
	});

	test("serves concurrent first requests", async () => {
		const { ask } = createAsking();
		const answers = await Promise.all(Array.from({ length: 5 }, () => ask("tools/list")));
		assert.deepEqual(
			answers.map(({ status }) => status),
			[200, 200, 200, 200, 200],
		);
	});

	test("loads nothing when it is closed before any request", async () => {
		const { protocol, loads } = createAsking();
		await protocol.close();
		assert.equal(loads(), 0);
	});
});
