import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { getStartText, START_IDS } from "../../src/pages/workflows/starts.ts";

describe("example workflows", () => {
	it("use the user's time zone", () =>
		assert.match(getStartText("schedule", "Asia/Taipei"), /timezone: Asia\/Taipei/));

	it("fall back to the first example for an unknown ID", () =>
		assert.equal(getStartText("no such", "UTC"), getStartText(START_IDS[0] ?? null, "UTC")));
});
