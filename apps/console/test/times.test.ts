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
			assert.equal(TIMES.en.timeOf(time), plain.format(any));
			assert.equal(TIMES.en.timeOf(any.toISOString(), { withSeconds: true }), exact.format(any));
			assert.equal(TIMES.en.hourOf(time), hour.format(any));
			assert.equal(TIMES.en.weekdayOf(time), weekday.format(any));
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
				assert.equal(TIMES[language].agoOf(0, count * size), format.format(-count, unit));
				assert.equal(TIMES[language].agoOf(count * size, 0), format.format(count, unit));
			}
		assert.equal(TIMES[language].agoOf(400, 900), format.format(0, "second"));
	}
});

test("shows the date beyond a month", () => {
	assert.equal(TIMES.en.agoOf(at(17), at(17) + 31 * 86_400_000), TIMES.en.timeOf(at(17)));
});

test("formats Chinese times with the part of the day and unambiguous noon and midnight", () => {
	const { timeOf, clockTimeOf, hourOf, weekdayOf } = TIMES["zh-Hant"];
	assert.equal(timeOf(at(17)), "2026年11月5日 下午5:05");
	assert.equal(timeOf(at(0), { withSeconds: true }), "2026年11月5日 凌晨12:05:09");
	assert.equal(clockTimeOf(at(12)), "中午12:05");
	assert.equal(hourOf(at(9)), "上午9時");
	assert.equal(weekdayOf(at(9)), "週四");
});

test("includes the day in a span if days differ", () => {
	const span = [at(9, 0), at(12, 0)] as const;
	assert.equal(TIMES.en.spanOf(...span, { withDay: false }), "9:00 AM – 12:00 PM");
	assert.equal(TIMES.en.spanOf(...span, { withDay: true }), "Thu, Nov 5, 9:00 AM – 12:00 PM");
	assert.equal(TIMES["zh-Hant"].spanOf(...span, { withDay: true }), "週四 11月5日 上午9:00 – 中午12:00");
});
