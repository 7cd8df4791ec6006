import * as z from "zod";

/** The result of one automatic check of a submission. */
export const Check = z
	.object({
		name: z.enum(["size", "hash", "publisher", "name", "version", "manifest", "hosts", "trial"]),
		ok: z.boolean(),
		message: z.string(),
	})
	.meta({ id: "Check" });
export type Check = z.output<typeof Check>;

/** Combines all problems of one kind into one check; only the first few are listed. */
export function toCheck(name: Check["name"], problems: readonly string[], whenFine: string): Check {
	const listedProblems = [...new Set(problems)];
	const rest = listedProblems.length - MAX_LISTED_PROBLEMS;
	const message =
		listedProblems.slice(0, MAX_LISTED_PROBLEMS).join("; ") + (rest > 0 ? `; and ${rest} more` : "");
	return problems.length === 0 ? { name, ok: true, message: whenFine } : { name, ok: false, message };
}

const MAX_LISTED_PROBLEMS = 10;
