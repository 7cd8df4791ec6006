import { CliProblem, type Invocation } from "./command.ts";

export interface Plan {
	/** What will change. */
	readonly lines: readonly string[];
	/** Without a question mark. */
	readonly question: string;
	/** Said if it is not done, such as "nothing was changed". */
	readonly refusal: string;
}

export const planFlags = [
	{ name: "yes", about: "do it without asking" },
	{ name: "dry-run", about: "only show what would change" },
] as const;

/** Shows what will change and asks; false with `--dry-run`. Without a terminal, `--yes` is required. */
export async function confirmPlan(
	{ flags, io, progress }: Pick<Invocation, "flags" | "io" | "progress">,
	{ lines, question, refusal }: Plan,
): Promise<boolean> {
	for (const line of lines) progress(line);
	if (flags["dry-run"] === true) return false;
	if (flags.yes === true) return true;
	const answer = await io.ask(`${question}? (y/N)`);
	if (answer === null)
		throw new CliProblem(`${refusal}. Not a terminal; pass --yes`, {
			code: 2,
			hint: "--dry-run shows what would change",
		});
	if (/^y(?:es)?$/i.test(answer.trim())) return true;
	throw new CliProblem(refusal, { hint: "--yes does it without asking" });
}
