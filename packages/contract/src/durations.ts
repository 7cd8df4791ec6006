import * as z from "zod";

const UNITS = { second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 };
const DURATION = /^([1-9]\d{0,5}) (second|minute|hour|day|week)s?$/;

/** Milliseconds; null if it is no duration. */
export function parseDuration(text: string): number | null {
	const [, count, unit] = DURATION.exec(text) ?? [];
	return count === undefined ? null : Number(count) * UNITS[unit as keyof typeof UNITS];
}

/** Such as "90 seconds" or "3 days", up to a number of days. */
export const durationUpTo = (days: number) =>
	z.string().check((context) => {
		const ms = parseDuration(context.value);
		const message =
			ms === null
				? 'must be a number and a unit, such as "90 seconds", "20 minutes", "6 hours" or "3 days"'
				: ms > days * UNITS.day && `must be at most ${days} days`;
		if (message) context.issues.push({ code: "custom", message, input: context.value });
	});
