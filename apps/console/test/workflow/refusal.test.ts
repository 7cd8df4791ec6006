import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { refusalOf } from "../../src/pages/workflow/run/refusal.ts";

const refused = (issues: unknown) => Object.assign(new Error("invalid request"), { answer: { issues } });

describe("rejected input", () => {
	it("is described by path", () =>
		assert.equal(
			refusalOf(
				refused([
					{ path: "orders", message: "is required" },
					{ path: "", message: "too much" },
				]),
			),
			"orders: is required\ntoo much",
		));
	it("is not assumed for other errors", () => assert.equal(refusalOf(new Error("away")), null));
});
