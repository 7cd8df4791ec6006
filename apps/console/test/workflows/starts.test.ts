import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { START_IDS, startText } from "../../src/pages/workflows/starts.ts";

describe("example workflows", () => {
	it("use the user's time zone", () =>
		assert.match(startText("schedule", "Asia/Taipei"), /timezone: Asia\/Taipei/));

	it("fall back to the first example for an unknown ID", () =>
		assert.equal(startText("no such", "UTC"), startText(START_IDS[0] ?? null, "UTC")));
});
