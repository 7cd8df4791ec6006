import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { asking } from "./asking.ts";

describe("loading", () => {
	test("nothing is loaded before the first message, nor for what is no message", async () => {
		const { post, ask, loads } = asking();
		await post("nonsense");
		assert.equal(loads(), 0);
		await ask("tools/list");
		await ask("tools/list");
		assert.equal(loads(), 1);
	});

	test("requests that come at once are all served", async () => {
		const { ask } = asking();
		const answers = await Promise.all(Array.from({ length: 5 }, () => ask("tools/list")));
		assert.deepEqual(
			answers.map(({ status }) => status),
			[200, 200, 200, 200, 200],
		);
	});

	test("a server that was never asked can be closed", async () => {
		await asking().protocol.close();
	});
});
