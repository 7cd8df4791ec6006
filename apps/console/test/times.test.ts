import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { TIMES } from "../src/times.ts";

const at = (hour: number, minute = 5) => new Date(2026, 10, 5, hour, minute, 9).getTime();
const date = () => fc.date({ min: new Date(1970, 0, 2), max: new Date(2200, 0, 1), noInvalidDate: true });

test("formats English times like Intl", () => {
	const plain = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });
	const exact = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });
	const hour = new Intl.DateTimeFormat("en", { hour: "numeric" });
	const weekday = new Intl.DateTimeFormat("en", { weekday: "short" });
	fc.assert(
		fc.property(date(), (any) => {
			const time = any.getTime();
			assert.equal(TIMES.en.formatTime(time), plain.format(any));
			assert.equal(TIMES.en.formatTime(any.toISOString(), { withSeconds: true }), exact.format(any));
			assert.equal(TIMES.en.formatHour(time), hour.format(any));
			assert.equal(TIMES.en.formatWeekday(time), weekday.format(any));
		}),
	);
});

test("formats relative times like Intl in both languages", () => {
	for (const language of ["en", "zh-Hant"] as const) {
		const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
		const cases = [
			["second", 1000, 59],
			["minute", 60_000, 59],
			["hour", 3_600_000, 23],
			["day", 86_400_000, 30],
		] as const;
		for (const [unit, size, most] of cases)
			for (let count = 1; count <= most; count++) {
				assert.equal(TIMES[language].formatAgo(0, count * size), format.format(-count, unit));
				assert.equal(TIMES[language].formatAgo(count * size, 0), format.format(count, unit));
			}
		assert.equal(TIMES[language].formatAgo(400, 900), format.format(0, "second"));
	}
});

test("formats a time ahead with its date, and how far it is to the nearest whole", () => {
	const { formatSoon, formatAhead } = TIMES.en;
	assert.equal(formatSoon(at(9, 0)), "Nov 5, 9:00 AM");
	assert.equal(TIMES["zh-Hant"].formatSoon(at(9, 0)), "11月5日 上午9:00");
	const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
	for (const [ms, text] of [
		[-day, "now"],
		[0, "now"],
		[40 * second, "in 40 seconds"],
		[minute, "in 1 minute"],
		[5 * hour - minute, "in 5 hours"],
		[day, "in 1 day"],
		[3 * day - second, "in 3 days"],
		[40 * day, "in 40 days"],
	] as const)
		assert.equal(formatAhead(ms, 0), text);
	assert.equal(TIMES["zh-Hant"].formatAhead(2 * day, 0), "2 天後");
});

test("shows the date beyond a month", () => {
	assert.equal(TIMES.en.formatAgo(at(17), at(17) + 31 * 86_400_000), TIMES.en.formatTime(at(17)));
});

test("formats Chinese times with the part of the day and unambiguous noon and midnight", () => {
	const { formatTime, formatClockTime, formatHour, formatWeekday } = TIMES["zh-Hant"];
	assert.equal(formatTime(at(17)), "2026年11月5日 下午5:05");
	assert.equal(formatTime(at(0), { withSeconds: true }), "2026年11月5日 凌晨12:05:09");
	assert.equal(formatClockTime(at(12)), "中午12:05");
	assert.equal(formatHour(at(9)), "上午9時");
	assert.equal(formatWeekday(at(9)), "週四");
});

test("includes the day in a span if days differ", () => {
	const span = [at(9, 0), at(12, 0)] as const;
	assert.equal(TIMES.en.formatSpan(...span, { withDay: false }), "9:00 AM – 12:00 PM");
	assert.equal(TIMES.en.formatSpan(...span, { withDay: true }), "Thu, Nov 5, 9:00 AM – 12:00 PM");
	assert.equal(TIMES["zh-Hant"].formatSpan(...span, { withDay: true }), "週四 11月5日 上午9:00 – 中午12:00");
});
