import type { Json } from "@tripline/contract/json";
import { compileDateFormat } from "@tripline/engine/expressions/dates";
import { TerminalError } from "@tripline/engine/terminal-error";
import { listMembers, NUMBER, TEXT, type Type } from "@tripline/engine/types/type";
import * as z from "zod";
import { type Amount, add, countDifference, type Unit } from "./datetime/arithmetic.ts";
import { readHolidays } from "./datetime/business-days.ts";
import { Params } from "./datetime/params.ts";
import { findEnd, findStart, getWeek, type Period } from "./datetime/periods.ts";
import { readTime } from "./datetime/read.ts";
import { formatIso, formatOffset, getOffset } from "./datetime/zone.ts";
import { define } from "./define.ts";

const Parts = z.object({
	iso: z.string(),
	unix: z.int().meta({ description: "Whole seconds" }),
	year: z.int(),
	month: z.int(),
	day: z.int(),
	hour: z.int(),
	minute: z.int(),
	second: z.int(),
	millisecond: z.int(),
	weekday: z.int().meta({ description: "1 is Monday, 7 is Sunday" }),
	offset: z.string(),
	timezone: z.string(),
});

const Week = z.object({
	week: z.int().meta({ description: "1 to 53" }),
	week_year: z.int().meta({ description: "The year that the week belongs to" }),
	iso: z.string(),
});
/** `output` is what any operation may return. */
function inferResult(operation: Json | undefined, output: Type): Type {
	const objects = listMembers(output).filter((member) => member.kind === "object");
	if (operation === "parse" || operation === "week")
		return objects.find(({ fields }) => fields.has("week") === (operation === "week")) ?? output;
	if (operation === "diff") return NUMBER;
	return operation === undefined || operation === "format" ? output : TEXT;
}

export const datetime = define({
	id: "datetime",
	title: "Date and time",
	description: `Reads, formats, shifts and compares times in any time zone.

- \`now\`: the current time as ISO 8601.
- \`parse\`: an object with \`iso\`, \`unix\`, \`year\`, \`month\`, \`day\`, \`hour\`, \`minute\`, \`second\`, \`millisecond\`, \`weekday\` (1 is Monday), \`offset\` and \`timezone\`.
- \`format\`: the time as text in the given format.
- \`add\`: a later time, or with negative numbers an earlier one, as ISO 8601. Days, weeks, months and years keep the time of day, also across a change to or from daylight saving time; hours and smaller units are exact. One month after 31 January is the last day of February.
- \`diff\`: how much later \`to\` is than \`value\`. Hours and smaller units have fractions; for days, weeks, months and years it is the number of whole units that can be added to \`value\` without passing \`to\`.
- \`start_of\`, \`end_of\`: the first and the last millisecond of the day, week, month, quarter or year, as ISO 8601. A week starts on Monday.
- \`week\`: an object with the ISO week as \`week\`, its year as \`week_year\`, and \`iso\`, such as \`2026-W01-4\`.

Business days are Monday to Friday without the \`holidays\`. They keep the time of day, and the day itself is not counted: one business day after a Saturday is the next Monday.

A time is ISO 8601 text, text in the format of mail and feeds (RFC 5322), or a number: Unix seconds, or Unix milliseconds from 100000000000 on. Text without an offset is local time in \`timezone\`; if that time occurs twice, the first is used, and if it is skipped, it is moved forward.`,
	params: Params,
	output: z.union([z.string(), z.number(), Parts, Week]).meta({
		description: "Text; for `parse` and `week` an object; for `diff`, and for `format` with `unix`, a number",
	}),
	inferOutput: ({ output, constant }) => inferResult(constant("operation"), output),
	examples: [
		{ title: "The current time in Taipei", params: { operation: "now", timezone: "Asia/Taipei" } },
		{
			title: "The parts of a time",
			input: { at: "Wed, 21 Oct 2015 07:28:00 GMT" },
			params: { operation: "parse", value: "{{input.at}}", timezone: "America/Los_Angeles" },
			output: {
				iso: "2015-10-21T00:28:00.000-07:00",
				unix: 1445412480,
				year: 2015,
				month: 10,
				day: 21,
				hour: 0,
				minute: 28,
				second: 0,
				millisecond: 0,
				weekday: 3,
				offset: "-07:00",
				timezone: "America/Los_Angeles",
			},
		},
		{
			title: "A date in the German format",
			params: {
				operation: "format",
				value: "2026-03-28T23:30:00Z",
				timezone: "Europe/Berlin",
				format: "DD.MM.YYYY, HH:mm [Uhr]",
			},
			output: "29.03.2026, 00:30 Uhr",
		},
		{
			title: "Adding a day across the change to daylight saving time",
			params: {
				operation: "add",
				value: "2026-03-28T12:00:00",
				timezone: "Europe/Berlin",
				amount: { days: 1 },
			},
			output: "2026-03-29T12:00:00.000+02:00",
		},
		{
			title: "Adding 24 hours across the same change",
			params: {
				operation: "add",
				value: "2026-03-28T12:00:00",
				timezone: "Europe/Berlin",
				amount: { hours: 24 },
			},
			output: "2026-03-29T13:00:00.000+02:00",
		},
		{
			title: "Whole months between two dates",
			params: { operation: "diff", value: "2026-01-31", to: "2026-03-30", unit: "months" },
			output: 1,
		},
		{
			title: "The last moment of the quarter",
			params: { operation: "end_of", value: "2026-02-14", unit: "quarter", timezone: "Europe/Berlin" },
			output: "2026-03-31T23:59:59.999+02:00",
		},
		{
			title: "Five business days later, over a weekend and a holiday",
			params: {
				operation: "add",
				value: "2026-12-23T09:00:00",
				amount: { business_days: 5 },
				holidays: ["2026-12-25"],
			},
			output: "2026-12-31T09:00:00.000Z",
		},
		{
			title: "The ISO week, which may belong to another year",
			params: { operation: "week", value: "2027-01-02" },
			output: { week: 53, week_year: 2026, iso: "2026-W53-6" },
		},
	],
	run({ params, effects }) {
		const { operation, timezone, format = "", amount = {}, unit = "days", holidays = [] } = params;
		const readParam = (name: "value" | "to") => readTime(name, params[name] ?? "", timezone);
		const readCalendar = () => ({ zone: timezone, holidays: readHolidays(holidays) });
		switch (operation) {
			case "now":
				return formatIso(effects.clock.now(), timezone);
			case "parse":
				return toParts(readParam("value"), timezone);
			case "format":
				return formatTime(readParam("value"), format, timezone);
			case "add":
				return formatIso(add(readParam("value"), amount as Amount, readCalendar()), timezone);
			case "diff":
				return countDifference(readParam("value"), readParam("to"), unit as Unit, readCalendar());
			case "start_of":
				return formatIso(findStart(readParam("value"), unit as Period, timezone), timezone);
			case "end_of":
				return formatIso(findEnd(readParam("value"), unit as Period, timezone), timezone);
			case "week":
				return getWeek(readParam("value"), timezone);
		}
	},
});

function toParts(instant: number, timezone: string): z.output<typeof Parts> {
	const offset = getOffset(instant, timezone);
	const wall = new Date(instant + offset);
	return {
		iso: formatIso(instant, timezone),
		unix: Math.floor(instant / 1000),
		year: wall.getUTCFullYear(),
		month: wall.getUTCMonth() + 1,
		day: wall.getUTCDate(),
		hour: wall.getUTCHours(),
		minute: wall.getUTCMinutes(),
		second: wall.getUTCSeconds(),
		millisecond: wall.getUTCMilliseconds(),
		weekday: wall.getUTCDay() === 0 ? 7 : wall.getUTCDay(),
		offset: formatOffset(Math.round(offset / 60_000)),
		timezone,
	};
}

function formatTime(instant: number, format: string, timezone: string): Json {
	if (format === "iso") return formatIso(instant, timezone);
	const write = compileDateFormat(format);
	if (typeof write !== "function") throw new TerminalError(write.problem);
	return write(format === "unix" ? instant : instant + getOffset(instant, timezone));
}
