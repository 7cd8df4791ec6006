import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { describeRefusal } from "../../src/pages/workflow/run/refusal.ts";

const createRefusal = (issues: unknown) =>
	Object.assign(new Error("invalid request"), { answer: { issues } });

describe("rejected input", () => {
	it("is described by path", () =>
		assert.equal(
			describeRefusal(
				createRefusal([
					{ path: "orders", message: "is required" },
					{ path: "", message: "too much" },
				]),
			),
			"orders: is required\ntoo much",
		));
	it("is not assumed for other errors", () => assert.equal(describeRefusal(new Error("away")), null));
});
