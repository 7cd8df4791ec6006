import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findFirstStep } from "../../src/pages/executions/data/steps.ts";

const step = (status: "retried" | "success" | "failed", place = "", attempt = 1) => ({
	status,
	place,
	attempt,
});

describe("the step of a node that is shown at first", () => {
	it("is one that failed", () =>
		assert.equal(findFirstStep([step("success", "0"), step("failed", "1")])?.place, "1"));
	it("is not one that was retried", () =>
		assert.equal(findFirstStep([step("retried"), step("success", "", 2)])?.attempt, 2));
	it("is a retried one if no other is kept", () =>
		assert.equal(findFirstStep([step("retried")])?.status, "retried"));
});
