import type { Json } from "@tripline/contract/json";
import { compileDateFormat } from "@tripline/engine/expressions/dates";
import { TerminalError } from "@tripline/engine/terminal-error";
import { NUMBER, TEXT, type Type } from "@tripline/engine/types/type";
import * as z from "zod";
import { type Amount, add, countDifference, UNITS } from "./datetime/arithmetic.ts";
import { readTime } from "./datetime/read.ts";
import { formatIso, formatOffset, getOffset, isZone } from "./datetime/zone.ts";
import { define } from "./define.ts";

/** The parameters of each operation besides the time zone; all of them are required. */
const NEEDS = {
	now: [],
	parse: ["value"],
	format: ["value", "format"],
	add: ["value", "amount"],
	diff: ["value", "to", "unit"],
} as const satisfies Record<string, readonly string[]>;

const Time = z.union([z.string(), z.number()]);
const Count = z.int().min(-1_000_000_000).max(1_000_000_000).optional();

const Amounts = z
	.strictObject(Object.fromEntries(UNITS.map((unit) => [unit, Count])))
	.refine((amount) => Object.keys(amount).length > 0, "must not be empty");

const Params = z
	.strictObject({
		operation: z.enum(["now", "parse", "format", "add", "diff"]).meta({ description: "What to do" }),
		value: Time.optional().meta({ description: "All operations except now: the time" }),
		timezone: z
			.string()
			.refine(
				(zone) => zone.length <= 64 && isZone(zone),
				"is not a time zone; use an IANA name such as Europe/Berlin",
			)
			.default("UTC")
			.meta({
				description: "IANA time zone for times without an offset, for calendar arithmetic and for the result",
			}),
		format: z.string().optional().meta({
			description:
				"format: `iso`, `unix`, or a pattern of YYYY MM DD HH mm ss SSS with literal letters in [brackets]",
		}),
		amount: Amounts.optional().meta({
			description: `add: the amount, such as \`{ days: 1, hours: -2 }\`; whole numbers of ${UNITS.join(", ")}`,
		}),
		to: Time.optional().meta({ description: "diff: the other time" }),
		unit: z.enum(UNITS).optional().meta({ description: "diff: the unit of the result" }),
	})
	.superRefine(({ operation, timezone: _, ...given }, context) => {
		const needs: readonly string[] = NEEDS[operation];
		for (const name of needs) {
			if (Object.hasOwn(given, name)) continue;
			context.addIssue({
				code: "custom",
				path: ["operation"],
				message: `is ${operation}, which needs ${name}`,
			});
		}
		for (const name of Object.keys(given)) {
			if (needs.includes(name)) continue;
			context.addIssue({
				code: "custom",
				path: [name],
				message: `is not used by ${operation}; leave it out`,
			});
		}
	});

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

function inferResult(operation: Json | undefined): Type | undefined {
	if (operation === "now" || operation === "add") return TEXT;
	return operation === "diff" ? NUMBER : undefined;
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

A time is ISO 8601 text, text in the format of mail and feeds (RFC 5322), or a number: Unix seconds, or Unix milliseconds from 100000000000 on. Text without an offset is local time in \`timezone\`; if that time occurs twice, the first is used, and if it is skipped, it is moved forward.`,
	params: Params,
	output: z
		.union([z.string(), z.number(), Parts])
		.meta({ description: "Text; for `parse` an object; for `diff`, and for `format` with `unix`, a number" }),
	inferOutput: ({ output, constant }) => inferResult(constant("operation")) ?? output,
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
	],
	run({ params, effects }) {
		const { operation, timezone, format = "", amount = {}, unit = "days" } = params;
		const readParam = (name: "value" | "to") => readTime(name, params[name] ?? "", timezone);
		switch (operation) {
			case "now":
				return formatIso(effects.clock.now(), timezone);
			case "parse":
				return toParts(readParam("value"), timezone);
			case "format":
				return formatTime(readParam("value"), format, timezone);
			case "add":
				return formatIso(add(readParam("value"), amount as Amount, timezone), timezone);
			case "diff":
				return countDifference(readParam("value"), readParam("to"), unit, timezone);
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
