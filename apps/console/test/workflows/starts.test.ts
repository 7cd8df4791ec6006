import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { START_IDS, startText } from "../../src/pages/workflows/starts.ts";

describe("starting points", () => {
	it("are in the zone of who asks", () =>
		assert.match(startText("schedule", "Asia/Taipei"), /timezone: Asia\/Taipei/));

	it("begin with the first where the name is not known", () =>
		assert.equal(startText("no such", "UTC"), startText(START_IDS[0] ?? null, "UTC")));
});
