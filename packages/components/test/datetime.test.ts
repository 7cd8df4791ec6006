import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import fc from "fast-check";
import { runForError, runForOutput } from "./run-node.ts";

type Params = { [name: string]: Json };
const datetime = (operation: string, params: Params) => ["datetime", { operation, ...params }] as const;
const add = async (value: Json, amount: Params, timezone = "UTC") =>
	(await runForOutput(...datetime("add", { value, amount, timezone }))) as string;
const diff = (value: Json, to: Json, unit: string, timezone = "UTC") =>
	runForOutput(...datetime("diff", { value, to, unit, timezone }));
const toIso = async (value: Json, timezone = "UTC") =>
	runForOutput(...datetime("format", { value, format: "iso", timezone }));

describe("datetime", () => {
	test("now is the clock's time in the time zone", async () => {
		const clock = { now: () => Date.parse("2026-07-31T10:00:00Z") };
		const now = await runForOutput(...datetime("now", { timezone: "Asia/Kolkata" }), { effects: { clock } });
		assert.equal(now, "2026-07-31T15:30:00.000+05:30");
		assert.equal(
			await runForOutput(...datetime("now", {}), { effects: { clock } }),
			"2026-07-31T10:00:00.000Z",
		);
	});

	test("reads text with and without an offset, numbers, and mail dates", async () => {
		for (const value of [
			"2015-10-21T07:28:00Z",
			"2015-10-21 09:28:00+0200",
			"2015-10-21T09:28",
			1445412480,
			1445412480000,
			"Wed, 21 Oct 2015 07:28:00 GMT",
			"21 Oct 2015 09:28 +0200",
		]) {
			assert.equal(await toIso(value, "Europe/Berlin"), "2015-10-21T09:28:00.000+02:00", String(value));
		}
		assert.equal(await toIso("2015-10-21", "Asia/Taipei"), "2015-10-21T00:00:00.000+08:00");
	});

	test("rejects values that are not times", async () => {
		for (const value of [
			"",
			"tomorrow",
			"2026-02-30",
			"2026-13-01",
			"2026-01-01T25:00",
			"21 Okt 2015 09:28 GMT",
			"21 anF 2015 09:28 GMT",
			1e300,
		]) {
			assert.match(await runForError(...datetime("parse", { value })), /^value is not a time/);
		}
	});

	test("uses the first of an ambiguous time, and moves a skipped time forward", async () => {
		assert.equal(await toIso("2026-10-25T02:30", "Europe/Berlin"), "2026-10-25T02:30:00.000+02:00");
		assert.equal(await toIso("2026-03-29T02:30", "Europe/Berlin"), "2026-03-29T03:30:00.000+02:00");
		assert.equal(await toIso("2026-11-01T01:30", "America/New_York"), "2026-11-01T01:30:00.000-04:00");
		// A whole day is skipped.
		assert.equal(await toIso("2011-12-30T12:00", "Pacific/Apia"), "2011-12-31T12:00:00.000+14:00");
	});

	test("adds days by the calendar and hours by the clock", async () => {
		const before = "2026-10-24T12:00:00";
		assert.equal(await add(before, { days: 1 }, "Europe/Berlin"), "2026-10-25T12:00:00.000+01:00");
		assert.equal(await add(before, { hours: 24 }, "Europe/Berlin"), "2026-10-25T11:00:00.000+01:00");
		assert.equal(await add(before, { days: 1, hours: -1 }, "Europe/Berlin"), "2026-10-25T11:00:00.000+01:00");
		assert.equal(
			await add("2026-10-25T00:30:00Z", { hours: 1 }, "Europe/Berlin"),
			"2026-10-25T02:30:00.000+01:00",
		);
	});

	test("adds months up to the last day of the month", async () => {
		assert.equal(await add("2026-01-31", { months: 1 }), "2026-02-28T00:00:00.000Z");
		assert.equal(await add("2024-02-29", { years: 1 }), "2025-02-28T00:00:00.000Z");
		assert.equal(await add("2026-03-31", { months: -13 }), "2025-02-28T00:00:00.000Z");
		assert.equal(await add("0099-12-31", { days: 1 }), "0100-01-01T00:00:00.000Z");
	});

	test("rejects results outside the years 1 to 9999", async () => {
		for (const amount of [{ years: 1e9 }, { years: -3000 }, { hours: 1e9 }, { days: 1e9 }]) {
			assert.match(await runForError(...datetime("add", { value: "2026-01-01", amount })), /years 1 to 9999/);
		}
	});

	test("counts whole calendar units, and fractions of hours", async () => {
		assert.equal(await diff("2026-03-28T12:00", "2026-03-29T12:00", "days", "Europe/Berlin"), 1);
		assert.equal(await diff("2026-03-28T12:00", "2026-03-29T12:00", "hours", "Europe/Berlin"), 23);
		assert.equal(await diff("2026-01-01T00:00", "2026-01-01T01:30", "hours"), 1.5);
		assert.equal(await diff("2024-02-29", "2026-02-28", "years"), 2);
		assert.equal(await diff("2026-03-30", "2026-01-31", "months"), -1);
		assert.equal(await diff("2026-01-01", "2026-01-01", "weeks"), 0);
		assert.equal(await diff("9999-12-30", "9999-12-31", "years"), 0);
	});

	test("adding the difference does not pass the later time, and adding one more does", async () => {
		const time = fc.integer({ min: -2_000_000_000, max: 4_000_000_000 });
		const zone = fc.constantFrom(
			"UTC",
			"Europe/Berlin",
			"America/St_Johns",
			"Australia/Lord_Howe",
			"Pacific/Apia",
		);
		await fc.assert(
			fc.asyncProperty(
				time,
				time,
				fc.constantFrom("days", "weeks", "months", "years"),
				zone,
				async (a, b, unit, zone) => {
					const [from, to] = a < b ? [a, b] : [b, a];
					const count = (await diff(from, to, unit, zone)) as number;
					const reached = Date.parse(await add(from, { [unit]: count }, zone));
					const passed = Date.parse(await add(from, { [unit]: count + 1 }, zone));
					assert.ok(reached <= to * 1000 && to * 1000 < passed, `${count} ${unit}`);
				},
			),
			{ numRuns: 150 },
		);
	});

	test("writes the same instant that it read, in every time zone", async () => {
		const zone = fc.constantFrom(...Intl.supportedValuesOf("timeZone"));
		const time = fc.integer({ min: -4_000_000_000, max: 10_000_000_000 });
		await fc.assert(
			fc.asyncProperty(time, zone, async (seconds, timezone) => {
				assert.equal(Date.parse((await toIso(seconds, timezone)) as string), seconds * 1000);
			}),
			{ numRuns: 150 },
		);
	});

	test("formats like the date filter, in the time zone", async () => {
		const format = (format: string) => datetime("format", { value: 0, format, timezone: "America/New_York" });
		assert.equal(await runForOutput(...format("YYYY-MM-DD HH:mm:ss.SSS")), "1969-12-31 19:00:00.000");
		assert.equal(await runForOutput(...format("unix")), 0);
		assert.match(await runForError(...format("Qq")), /unknown token "Q"/);
	});

	test("rejects unknown time zones, and parameters that the operation does not use", async () => {
		assert.match(await runForError(...datetime("now", { timezone: "Mars/Olympus" })), /is not a time zone/);
		assert.match(await runForError(...datetime("now", { value: 0 })), /"value" is not used by now/);
		assert.match(await runForError(...datetime("diff", { value: 0, to: 1 })), /is diff, which needs unit/);
		assert.match(await runForError(...datetime("add", { value: 0, amount: {} })), /must not be empty/);
		assert.match(
			await runForError(...datetime("add", { value: 0, amount: { fortnights: 1 } })),
			/fortnights/,
		);
	});
});
