import * as z from "zod";
import { UNITS } from "./arithmetic.ts";
import { PERIODS } from "./periods.ts";
import { isZone } from "./zone.ts";

/** The parameters of each operation besides the time zone. */
const OPERATIONS = {
	now: { needs: [] },
	parse: { needs: ["value"] },
	format: { needs: ["value", "format"] },
	add: { needs: ["value", "amount"], takes: ["holidays"] },
	diff: { needs: ["value", "to", "unit"], takes: ["holidays"], units: UNITS },
	start_of: { needs: ["value", "unit"], units: PERIODS },
	end_of: { needs: ["value", "unit"], units: PERIODS },
	week: { needs: ["value"] },
} as const satisfies Record<string, Operation>;

interface Operation {
	readonly needs: readonly string[];
	readonly takes?: readonly string[];
	readonly units?: readonly string[];
}
type Name = keyof typeof OPERATIONS;

const Time = z.union([z.string(), z.number()]);
const Count = z.int().min(-1_000_000_000).max(1_000_000_000).optional();
const MAX_HOLIDAYS = 1_000;

const Amounts = z
	.strictObject(
		Object.fromEntries(
			UNITS.map((unit) => [
				unit,
				Count.meta({ description: `Number of ${unit.replace("_", " ")}; negative to subtract` }),
			]),
		),
	)
	.refine((amount) => Object.keys(amount).length > 0, "must not be empty");

const CalendarDate = z
	.string()
	.refine((date) => /^\d{4}-\d\d-\d\d$/.test(date) && isDate(date), "must be a date such as 2026-12-25");

const isDate = (date: string): boolean => {
	const ms = Date.parse(`${date}T00:00:00Z`);
	return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
};

export const Params = z
	.strictObject({
		operation: z.enum(Object.keys(OPERATIONS) as [Name, ...Name[]]).meta({ description: "What to do" }),
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
		unit: z
			.enum([...UNITS, ...PERIODS])
			.optional()
			.meta({
				description: `diff: the unit of the result, one of ${UNITS.join(", ")}; start_of and end_of: ${PERIODS.join(", ")}`,
			}),
		holidays: z
			.array(CalendarDate)
			.max(MAX_HOLIDAYS)
			.optional()
			.meta({ description: "add and diff: dates that are not business days, such as `[2026-12-25]`" }),
	})
	.superRefine(({ operation, timezone: _, ...given }, context) => {
		const { needs, takes = [], units }: Operation = OPERATIONS[operation];
		for (const name of needs) {
			if (Object.hasOwn(given, name)) continue;
			context.addIssue({
				code: "custom",
				path: ["operation"],
				message: `is ${operation}, which needs ${name}`,
			});
		}
		for (const name of Object.keys(given)) {
			if (needs.includes(name) || takes.includes(name)) continue;
			context.addIssue({
				code: "custom",
				path: [name],
				message: `is not used by ${operation}; leave it out`,
			});
		}
		if (units !== undefined && given.unit !== undefined && !units.includes(given.unit))
			context.addIssue({
				code: "custom",
				path: ["unit"],
				message: `must be one of ${units.join(", ")} for ${operation}`,
			});
	});
