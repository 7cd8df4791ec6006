import { quoteText } from "@tripline/engine/diagnostics";
import { didYouMean } from "@tripline/engine/nearest";
import { shorten } from "./budget.ts";
import { filterMatching } from "./matching.ts";
import { ToolProblem } from "./tool.ts";

const MAX_NAMES = 8;

/** Nothing has that name: suggests similar names, and says how to list all. */
export function createNotFound(
	what: string,
	name: string,
	names: readonly string[],
	how: string,
): ToolProblem {
	const hint = didYouMean(name, names);
	const alike = filterMatching(names, name, (each) => [each]);
	const some = (alike.length > 0 ? alike : names)
		.slice(0, MAX_NAMES)
		.map((each) => quoteText(shorten(each, 80)));
	const there =
		names.length === 0
			? `No ${what} exists yet.`
			: `${alike.length > 0 ? "Similar names" : "Existing names include"}: ${some.join(", ")}.`;
	return new ToolProblem(
		[`There is no ${what} ${quoteText(name)}.`, hint, there, how].filter(Boolean).join(" "),
	);
}

export const createUnknownExecution = (id: string): ToolProblem =>
	new ToolProblem(
		`There is no execution ${id}. Records are kept for a few weeks, and only your own are visible. Find runs with list_recent_executions.`,
	);
