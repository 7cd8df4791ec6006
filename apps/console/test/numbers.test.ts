import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatBytes, formatElapsed, formatNumber, formatPercent } from "../src/numbers.ts";

test("groups digits like Intl in both languages", () => {
	for (const language of ["en", "zh-Hant"]) {
		const plain = new Intl.NumberFormat(language, { maximumFractionDigits: 20 });
		fc.assert(
			fc.property(fc.integer(), fc.constantFrom(0, 0.5, 0.25), (whole, part) => {
				assert.equal(formatNumber(whole + part), plain.format(whole + part));
			}),
		);
	}
});

test("formats a share as a percentage with at most one decimal", () => {
	assert.deepEqual([0, 0.004, 0.985, 0.9999, 1].map(formatPercent), ["0%", "0.4%", "98.5%", "100%", "100%"]);
});

test("formats bytes in the largest fitting unit", () => {
	assert.deepEqual([0, 999, 1000, 1_550_000, 5_000_000_000, 7e15].map(formatBytes), [
		"0 B",
		"999 B",
		"1 kB",
		"1.6 MB",
		"5 GB",
		"7,000,000 GB",
	]);
});

test("formats elapsed time in its two largest units, and never as negative", () => {
	assert.deepEqual([-5000, 999, 59_999, 60_000, 3_599_000, 7_800_000, 367_200_000].map(formatElapsed), [
		"0 s",
		"0 s",
		"59 s",
		"1 min 0 s",
		"59 min 59 s",
		"2 h 10 min",
		"4 d 6 h",
	]);
});
