import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { findCronProblem, findLatestRun, findNextRun, findZoneProblem } from "../src/cron.ts";

const at = (iso: string) => Date.parse(iso);
const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString());
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe("a schedule", () => {
	test("is five fields or a nickname, and matches some date", () => {
		for (const good of ["* * * * *", "*/5 9-17 * * MON-FRI", "@hourly", "@weekly", " 0 0 L * * "]) {
			assert.equal(findCronProblem(good, "UTC"), null, good);
		}
		for (const bad of [
			"",
			"* * * *",
			"* * * * * *",
			"60 * * * *",
			"0 0 30 2 *",
			"@never",
			"2030-01-01",
			"a b c d e",
		]) {
			assert.notEqual(findCronProblem(bad, "UTC"), null, bad);
		}
	});

	test("has an IANA time zone", () => {
		assert.equal(findZoneProblem("Asia/Taipei"), null);
		for (const bad of ["", "Mars/Phobos", "Asia"]) assert.notEqual(findZoneProblem(bad), null, bad);
	});

	test("has its next occurrence strictly after the given time", () => {
		const noon = at("2026-05-01T12:00:00Z");
		assert.equal(iso(findNextRun("0 12 * * *", "UTC", noon - 1)), iso(noon));
		assert.equal(iso(findNextRun("0 12 * * *", "UTC", noon)), iso(noon + DAY));
		assert.equal(iso(findNextRun("0 12 * * *", "Asia/Taipei", noon)), "2026-05-02T04:00:00.000Z");
	});

	test("runs once on days when a clock change skips or repeats its time", () => {
		const spring = at("2026-03-08T00:00:00Z");
		assert.equal(iso(findNextRun("30 2 * * *", "America/New_York", spring)), "2026-03-08T07:00:00.000Z");
		const autumn = at("2026-11-01T00:00:00Z");
		const first = findNextRun("30 1 * * *", "America/New_York", autumn) as number;
		assert.equal(iso(first), "2026-11-01T05:30:00.000Z");
		assert.equal(iso(findNextRun("30 1 * * *", "America/New_York", first)), "2026-11-02T06:30:00.000Z");
	});

	test("finds the latest occurrence in a period, ends included", () => {
		const noon = at("2026-05-01T12:00:00Z");
		assert.equal(findLatestRun("0 12 * * *", "UTC", noon, noon), noon);
		assert.equal(findLatestRun("0 12 * * *", "UTC", noon + 1, noon + DAY - 1), null);
		assert.equal(findLatestRun("0 12 * * *", "UTC", noon - 100 * DAY, noon + 999), noon);
		assert.equal(findLatestRun("* * * * *", "UTC", 0, noon + 59_999), noon);
	});

	test("finds the same occurrences backwards and forwards across clock changes", () => {
		const schedules = [
			"*/15 * * * *",
			"30 2 * * *",
			"30 1 * * *",
			"0 */3 * * *",
			"59 23 L * *",
			"5 0 * * SUN",
		];
		const zones = ["UTC", "America/New_York", "Europe/London", "Australia/Lord_Howe", "Asia/Taipei"];
		const around = fc.constantFrom(
			"2026-03-08",
			"2026-03-29",
			"2026-04-05",
			"2026-10-04",
			"2026-10-25",
			"2026-11-01",
		);
		fc.assert(
			fc.property(
				fc.constantFrom(...schedules),
				fc.constantFrom(...zones),
				around,
				fc.integer({ min: -2 * DAY, max: 2 * DAY }),
				(schedule, zone, day, offset) => {
					const from = at(`${day}T00:00:00Z`) + offset;
					const next = findNextRun(schedule, zone, from) as number;
					assert.equal(iso(findLatestRun(schedule, zone, from, next)), iso(next));
					assert.equal(findLatestRun(schedule, zone, from + 1, next - 1), null);
				},
			),
			{ numRuns: 300 },
		);
	});
});
