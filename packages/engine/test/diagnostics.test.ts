import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createLocator, Report } from "../src/diagnostics.ts";

const AT = { path: ["config"] };
const locate = createLocator({ config: {} });

describe("a report", () => {
	test("with more warnings than it keeps still tells the first error", () => {
		const report = new Report();
		for (let nth = 0; nth < 1_200; nth++) report.warning("unused", "nothing reads it", AT);
		report.error("cycle", "edges form a cycle", AT);
		report.error("bad_edge", "the edge leads nowhere", AT);
		const found = report.diagnostics(locate);
		assert.equal(found.length, 1_000);
		assert.deepEqual(
			found.filter(({ severity }) => severity === "error").map(({ code }) => code),
			["cycle"],
		);
	});

	test("that ran out of units after many warnings says so", () => {
		const report = new Report();
		const warnForever = () => {
			for (;;) report.warning("unused", "nothing reads it", AT);
		};
		report.runBounded(warnForever, undefined);
		const errors = report.diagnostics(locate).filter(({ severity }) => severity === "error");
		assert.deepEqual(
			errors.map(({ code }) => code),
			["too_large"],
		);
	});

	test("spends nothing on what types tell about a stored workflow", () => {
		const report = new Report({ isStored: true });
		for (let nth = 0; nth < 50_000; nth++) report.claim("missing_field", "it has no x", AT);
		assert.deepEqual([report.units, report.errors], [0, 0]);
		assert.equal(report.diagnostics(locate).length, 1_000);
	});
});
