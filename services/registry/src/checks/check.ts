import * as z from "zod";

/** The result of one automatic check of a submission. */
export const Check = z
	.object({
		name: z.enum(["size", "hash", "publisher", "name", "version", "manifest", "hosts", "patterns", "trial"]),
		ok: z.boolean(),
		message: z.string(),
	})
	.meta({ id: "Check" });
export type Check = z.output<typeof Check>;

/** Combines all problems of one kind into one check; only the first few are listed. */
export function checkOf(name: Check["name"], problems: readonly string[], whenFine: string): Check {
	const told = [...new Set(problems)];
	const rest = told.length - MOST_TOLD;
	const message = told.slice(0, MOST_TOLD).join("; ") + (rest > 0 ? `; and ${rest} more` : "");
	return problems.length === 0 ? { name, ok: true, message: whenFine } : { name, ok: false, message };
}

const MOST_TOLD = 10;
