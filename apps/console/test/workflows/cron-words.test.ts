import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { describeSchedule } from "../../src/pages/workflows/cron-words.ts";

describe("description of a schedule", () => {
	const cases: readonly [string, string, string][] = [
		["* * * * *", "every minute", "每分鐘"],
		["*/15 * * * *", "every 15 minutes", "每 15 分鐘"],
		["@hourly", "every hour", "每小時"],
		["5 * * * *", "every hour at minute 5", "每小時的第 5 分"],
		["0 */6 * * *", "every 6 hours", "每 6 小時"],
		["0 7 * * *", "every day at 07:00", "每天 07:00"],
		["30 9,17 * * *", "every day at 09:30 and 17:30", "每天 09:30、17:30"],
		["30 6 * * 1-5", "Monday to Friday at 06:30", "週一至週五 06:30"],
		["0 8 * * mon,4", "every Monday and Thursday at 08:00", "每週一、週四 08:00"],
		["0 8 * * 7", "every Sunday at 08:00", "每週日 08:00"],
		["0 8 * * mon#1", "the first Monday of every month at 08:00", "每月第 1 個週一 08:00"],
		["0 0 1 * *", "every month on day 1 at 00:00", "每月 1 日 00:00"],
		["0 0 L * *", "every month on the last day at 00:00", "每月最後一天 00:00"],
		["@yearly", "every year on 1 January at 00:00", "每年1月1日 00:00"],
	];
	for (const [expression, english, chinese] of cases)
		it(`describes ${expression}`, () => {
			assert.deepEqual(
				[describeSchedule(expression, "en"), describeSchedule(expression, "zh-Hant")],
				[english, chinese],
			);
		});

	for (const expression of ["0 9 13 * fri", "0-30/10 * * * *", "15W 0 * * *", "61 0 * * *", "", "0 7 * *"])
		it(`does not describe ${JSON.stringify(expression)}`, () =>
			assert.equal(describeSchedule(expression, "en"), null));
});
