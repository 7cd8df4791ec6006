import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { refusalOf } from "../../src/pages/workflow/run/refusal.ts";

const refused = (issues: unknown) => Object.assign(new Error("invalid request"), { answer: { issues } });

describe("an input that was refused", () => {
	it("is told by place", () =>
		assert.equal(
			refusalOf(
				refused([
					{ path: "orders", message: "is required" },
					{ path: "", message: "too much" },
				]),
			),
			"orders: is required\ntoo much",
		));
	it("is not what every problem is", () => assert.equal(refusalOf(new Error("away")), null));
});
