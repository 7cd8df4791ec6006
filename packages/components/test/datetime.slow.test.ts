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
const edge = async (operation: "start_of" | "end_of", value: Json, unit: string, timezone = "UTC") =>
	(await runForOutput(...datetime(operation, { value, unit, timezone }))) as string;
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
				fc.constantFrom("days", "weeks", "months", "years", "business_days"),
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

	test("finds the first and the last moment of a period", async () => {
		const cases: [string, string, string, string][] = [
			["2026-05-14T15:30", "day", "2026-05-14T00:00:00.000+02:00", "2026-05-14T23:59:59.999+02:00"],
			["2026-05-14", "week", "2026-05-11T00:00:00.000+02:00", "2026-05-17T23:59:59.999+02:00"],
			["2026-03-23", "week", "2026-03-23T00:00:00.000+01:00", "2026-03-29T23:59:59.999+02:00"],
			["2024-02-10", "month", "2024-02-01T00:00:00.000+01:00", "2024-02-29T23:59:59.999+01:00"],
			["2026-11-30", "quarter", "2026-10-01T00:00:00.000+02:00", "2026-12-31T23:59:59.999+01:00"],
			["2026-06-01", "year", "2026-01-01T00:00:00.000+01:00", "2026-12-31T23:59:59.999+01:00"],
		];
		for (const [value, unit, start, end] of cases) {
			assert.equal(await edge("start_of", value, unit, "Europe/Berlin"), start, `${unit} of ${value}`);
			assert.equal(await edge("end_of", value, unit, "Europe/Berlin"), end, `${unit} of ${value}`);
		}
	});

	test("starts a day later where midnight is skipped, and ends it before", async () => {
		const zone = "America/Sao_Paulo";
		assert.equal(await edge("start_of", "2018-11-04T12:00", "day", zone), "2018-11-04T01:00:00.000-02:00");
		assert.equal(await edge("end_of", "2018-11-03T12:00", "day", zone), "2018-11-03T23:59:59.999-03:00");
		// The clock jumped from 23:30 to 00:30.
		assert.equal(
			await edge("start_of", "1919-03-31T12:00", "day", "America/Toronto"),
			"1919-03-31T00:30:00.000-04:00",
		);
		// A whole day is skipped.
		assert.equal(
			await edge("end_of", "2011-12-29T12:00", "day", "Pacific/Apia"),
			"2011-12-29T23:59:59.999-10:00",
		);
		assert.equal(
			await edge("start_of", "2011-12-31T12:00", "day", "Pacific/Apia"),
			"2011-12-31T00:00:00.000+14:00",
		);
	});

	test("ends a day only when its date does not come back", async () => {
		// At 00:01 the clock was set back to 23:01 of the day before.
		const zone = "America/St_Johns";
		assert.equal(await edge("end_of", "2010-11-06T12:00", "day", zone), "2010-11-06T23:59:59.999-03:30");
		assert.equal(await edge("start_of", "2010-11-07T12:00", "day", zone), "2010-11-07T00:00:00.000-02:30");
	});

	test("a period starts and ends where the local date enters and leaves it", async () => {
		const zone = fc.constantFrom(
			"UTC",
			"Europe/Berlin",
			"America/Sao_Paulo",
			"America/St_Johns",
			"America/Havana",
			"Asia/Beirut",
			"Africa/Cairo",
			"Australia/Lord_Howe",
			"Pacific/Apia",
		);
		const time = fc.integer({ min: 0, max: 2_500_000_000 });
		const unit = fc.constantFrom("day", "week", "month", "quarter", "year");
		const getDate = async (ms: number, timezone: string) =>
			((await toIso(ms === 0 ? 0 : new Date(ms).toISOString(), timezone)) as string).slice(0, 10);
		await fc.assert(
			fc.asyncProperty(time, unit, zone, async (seconds, unit, zone) => {
				const start = Date.parse(await edge("start_of", seconds, unit, zone));
				const end = Date.parse(await edge("end_of", seconds, unit, zone));
				assert.ok(start <= seconds * 1000 && seconds * 1000 <= end);
				const [first, last] = [await getDate(start, zone), await getDate(end, zone)];
				assert.ok((await getDate(start - 1, zone)) < first, `start ${first} ${zone}`);
				assert.ok((await getDate(end + 1, zone)) > last, `end ${last} ${zone}`);
				assert.equal(Date.parse(await edge("start_of", new Date(start).toISOString(), unit, zone)), start);
				assert.equal(Date.parse(await edge("end_of", new Date(end).toISOString(), unit, zone)), end);
				const days = (Date.parse(last) - Date.parse(first)) / 86_400_000 + 1;
				const [least, most] = {
					day: [1, 1],
					week: [7, 7],
					month: [28, 31],
					quarter: [90, 92],
					year: [365, 366],
				}[unit] as [number, number];
				assert.ok(days >= least && days <= most, `${days} days`);
			}),
			{ numRuns: 300 },
		);
	});

	test("a month ends at the first of two midnights, unless the day before goes on after it", async () => {
		const end = (value: string, zone: string) => edge("end_of", value, "month", zone);
		assert.equal(await end("2026-10-15", "America/Havana"), "2026-10-31T23:59:59.999-04:00");
		assert.equal(await end("1999-10-15", "America/St_Johns"), "1999-10-31T23:59:59.999-03:30");
	});

	test("numbers weeks as ISO 8601 does", async () => {
		const week = async (value: Json, timezone = "UTC") =>
			((await runForOutput(...datetime("week", { value, timezone }))) as { iso: string }).iso;
		const cases: [string, string][] = [
			["2005-01-01", "2004-W53-6"],
			["2005-12-31", "2005-W52-6"],
			["2007-01-01", "2007-W01-1"],
			["2008-12-29", "2009-W01-1"],
			["2010-01-03", "2009-W53-7"],
			["2026-11-16", "2026-W47-1"],
		];
		for (const [value, iso] of cases) assert.equal(await week(value), iso);
		assert.equal(await week("2026-11-15T23:30:00Z", "Asia/Taipei"), "2026-W47-1");
		await fc.assert(
			fc.asyncProperty(fc.integer({ min: 0, max: 8_000_000_000 }), async (seconds) => {
				// The fourth of January is always in week 1.
				const { week, week_year, iso } = (await runForOutput(...datetime("week", { value: seconds }))) as {
					week: number;
					week_year: number;
					iso: string;
				};
				const first = Date.parse(await edge("start_of", `${week_year}-01-04`, "week"));
				const monday = Date.parse(await edge("start_of", seconds, "week"));
				assert.equal((monday - first) / (7 * 86_400_000) + 1, week);
				assert.match(iso, new RegExp(`^${week_year}-W${String(week).padStart(2, "0")}-[1-7]$`));
			}),
			{ numRuns: 100 },
		);
	});

	test("counts business days without weekends and holidays", async () => {
		const holidays = ["2026-12-25", "2026-12-26", "2027-01-01"];
		const later = async (value: string, business_days: number) =>
			(await runForOutput(...datetime("add", { value, amount: { business_days }, holidays }))) as string;
		assert.equal(await later("2026-12-24", 1), "2026-12-28T00:00:00.000Z");
		assert.equal(await later("2026-12-28", -1), "2026-12-24T00:00:00.000Z");
		assert.equal(await later("2026-12-26", 1), "2026-12-28T00:00:00.000Z");
		assert.equal(await later("2026-12-26", 0), "2026-12-26T00:00:00.000Z");
		assert.equal(await later("2026-12-27", -1), "2026-12-24T00:00:00.000Z");
		assert.equal(await later("2026-12-31", 1), "2027-01-04T00:00:00.000Z");
		const between = async (value: Json, to: Json) =>
			runForOutput(...datetime("diff", { value, to, unit: "business_days", holidays }));
		assert.equal(await between("2026-12-21", "2026-12-31"), 7);
		assert.equal(await between("2026-12-31", "2026-12-21"), -7);
		assert.equal(await between("2026-12-25", "2026-12-27"), 0);
		assert.equal(await between("2026-12-23T12:00", "2026-12-24T11:00"), 0);
		assert.equal(
			await add("2026-03-27T12:00", { business_days: 1 }, "Europe/Berlin"),
			"2026-03-30T12:00:00.000+02:00",
		);
		assert.match(
			await runForError(...datetime("add", { value: 0, amount: { business_days: 1e9 } })),
			/years 1 to 9999/,
		);
	});

	test("business days agree with counting day by day", async () => {
		const day = fc.integer({ min: 20_000, max: 20_200 });
		const toDate = (at: number) => new Date(at * 86_400_000).toISOString().slice(0, 10);
		await fc.assert(
			fc.asyncProperty(
				day,
				fc.integer({ min: -60, max: 60 }),
				fc.array(day, { maxLength: 30 }),
				async (start, count, free) => {
					const isFree = (at: number) =>
						[0, 6].includes(new Date(at * 86_400_000).getUTCDay()) || free.includes(at);
					let expected = start;
					for (let left = Math.abs(count); left > 0; ) {
						expected += Math.sign(count);
						if (!isFree(expected)) left--;
					}
					const holidays = free.map(toDate);
					const params = { value: toDate(start), amount: { business_days: count }, holidays };
					const reached = (await runForOutput(...datetime("add", params))) as string;
					assert.equal(reached, `${toDate(expected)}T00:00:00.000Z`);
					const unit = "business_days";
					const back = datetime("diff", { value: toDate(start), to: toDate(expected), unit, holidays });
					assert.equal(await runForOutput(...back), count);
				},
			),
			{ numRuns: 200 },
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
		for (const [operation, params, message] of [
			["start_of", { value: 0 }, /is start_of, which needs unit/],
			[
				"start_of",
				{ value: 0, unit: "days" },
				/"unit" must be one of day, week, month, quarter, year for start_of/,
			],
			["diff", { value: 0, to: 1, unit: "quarter" }, /"unit" must be one of milliseconds, .* for diff/],
			["end_of", { value: 0, unit: "day", holidays: [] }, /"holidays" is not used by end_of/],
			["add", { value: 0, amount: { business_days: 1 }, holidays: ["2026-02-30"] }, /must be a date/],
			["add", { value: 0, amount: { business_days: 1 }, holidays: ["2026-2-3"] }, /must be a date/],
			["week", {}, /is week, which needs value/],
		] as const)
			assert.match(await runForError(...datetime(operation, params as Params)), message);
	});
});
