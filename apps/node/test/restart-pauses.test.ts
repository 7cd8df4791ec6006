import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { restartPauses } from "../src/restart-pauses.ts";

describe("pauses before a process is started again", () => {
	test("the first time there is none, then they grow up to 30 seconds", () => {
		const pauses = restartPauses();
		const seconds = Array.from({ length: 9 }, () => pauses.next(500) / 1000);
		assert.deepEqual(seconds, [0, 1, 2, 4, 8, 16, 30, 30, 30]);
	});

	test("there is none for a process that served for a while, however often it ends", () => {
		const pauses = restartPauses();
		const seconds = Array.from({ length: 4 }, () => pauses.next(60_000) / 1000);
		assert.deepEqual(seconds, [0, 0, 0, 0]);
	});

	test("a process that served for a while is forgiven its earlier ends", () => {
		const pauses = restartPauses();
		const seconds = [500, 500, 500, 60_000, 500, 500].map((lived) => pauses.next(lived) / 1000);
		assert.deepEqual(seconds, [0, 1, 2, 0, 0, 1]);
	});
});
