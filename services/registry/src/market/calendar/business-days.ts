import { choice, flag, integer, list, text } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { object, orNull, params } from "../schema.ts";

export const businessDays = code({
	id: "business_days",
	title: "Working days",
	description: `Counts in working days: the day so many working days later or earlier, how many there are between two days, and whether a day is one.

Use it for deadlines, payment terms and reminders. Weekends are Saturday and Sunday unless \`weekend\` says otherwise; give public holidays as dates, for example those of \`public_holidays\`. \`count\` counts the days after \`date\` up to and with \`to\`, so it is the inverse of \`add\`.`,
	tags: ["calendar", "time", "deadline"],
	params: params(
		{
			operation: choice(["add", "count", "check"], "What to do"),
			date: text("The day, such as 2026-03-01; a time of day after it does not count"),
			days: integer("add: how many working days; negative for earlier", { minimum: -5_000, maximum: 5_000 }),
			to: text("count: the other day"),
			holidays: list({ type: "string" }, "Days off, as dates", { maxItems: 2_000 }),
			weekend: list({ type: "integer", minimum: 1, maximum: 7 }, "Days of the week off; 1 is Monday", {
				default: [6, 7],
				maxItems: 6,
			}),
		},
		["operation", "date"],
	),
	output: object(
		{
			date: text("add: the day; count: to; check: the first working day from date on"),
			days: integer("add, count: how many working days; check: 0, or how many days date is moved"),
			is_working_day: flag("Whether the given date is a working day"),
			holiday: orNull(text("check: the given date if it is among the holidays")),
		},
		"The answer",
	),
	code: String.raw`
const DAY = 86_400_000;
const weekend = new Set(input.weekend);
if (weekend.size === 7) throw new Error("weekend names all seven days: there is no working day");
const holidays = new Set((input.holidays ?? []).map((date, place) => dayOf(date, "holidays[" + place + "]")));
const start = dayOf(input.date, "date");
const isWorkingDay = isWorking(start);
const answer = { add, count, check }[input.operation]();
return { ...answer, is_working_day: isWorkingDay, holiday: holidays.has(start) ? written(start) : null };

function add() {
	if (input.days === undefined) throw new Error("add needs days");
	const step = Math.sign(input.days) * DAY;
	let day = start;
	for (let left = Math.abs(input.days); left > 0; ) {
		day += step;
		if (isWorking(day)) left--;
		if (Math.abs(day - start) > 40_000 * DAY) throw new Error("there are too many days off to find that day");
	}
	return { date: written(day), days: input.days };
}

function count() {
	if (input.to === undefined) throw new Error("count needs to");
	const end = dayOf(input.to, "to");
	if (Math.abs(end - start) > 40_000 * DAY) throw new Error("date and to are more than 40000 days apart");
	const step = Math.sign(end - start) * DAY;
	let found = 0;
	for (let day = start; day !== end; ) {
		day += step;
		if (isWorking(day)) found++;
	}
	return { date: written(end), days: found === 0 ? 0 : Math.sign(step) * found };
}

function check() {
	let day = start;
	while (!isWorking(day)) {
		day += DAY;
		if (day - start > 4000 * DAY) throw new Error("there are too many days off to find a working day");
	}
	return { date: written(day), days: (day - start) / DAY };
}

function isWorking(day) {
	// 1 January 1970 was a Thursday.
	const weekday = ((((day / DAY + 3) % 7) + 7) % 7) + 1;
	return !weekend.has(weekday) && !holidays.has(day);
}

function dayOf(text, where) {
	const found = /^(\d{4})-(\d{2})-(\d{2})(?:$|T)/.exec(text);
	const day = found === null ? NaN : Date.UTC(Number(found[1]), Number(found[2]) - 1, Number(found[3]));
	if (Number.isNaN(day) || written(day) !== text.slice(0, 10)) {
		throw new Error(where + " is " + JSON.stringify(text.slice(0, 40).toWellFormed()) + ", which is no date such as 2026-03-01");
	}
	return day;
}

function written(day) {
	return new Date(day).toISOString().slice(0, 10);
}
`,
	examples: [
		{
			title: "Five working days from a Thursday, over a holiday",
			params: { operation: "add", date: "2026-04-30", days: 5, holidays: ["2026-05-01"] },
			output: { date: "2026-05-08", days: 5, is_working_day: true, holiday: null },
		},
		{
			title: "Working days of a month",
			params: { operation: "count", date: "2026-01-31", to: "2026-02-28" },
			output: { date: "2026-02-28", days: 20, is_working_day: false, holiday: null },
		},
		{
			title: "Is it a working day, and when is the next one?",
			params: { operation: "check", date: "2026-12-25", holidays: ["2026-12-25"] },
			output: { date: "2026-12-28", days: 3, is_working_day: false, holiday: "2026-12-25" },
		},
		{
			title: "A day that is not in the calendar",
			params: { operation: "check", date: "2026-02-30" },
			error: 'date is "2026-02-30", which is no date such as 2026-03-01',
		},
	],
});
