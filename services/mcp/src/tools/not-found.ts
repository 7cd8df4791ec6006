import { shown } from "@tripline/engine/diagnostics";
import { didYouMean } from "@tripline/engine/nearest";
import { shortened } from "./budget.ts";
import { matching } from "./matching.ts";
import { ToolProblem } from "./tool.ts";

const MOST_NAMES = 8;

/** Nothing has that name: suggests similar names, and says how to list all. */
export function notFound(what: string, name: string, names: readonly string[], how: string): ToolProblem {
	const hint = didYouMean(name, names);
	const alike = matching(names, name, (each) => [each]);
	const some = (alike.length > 0 ? alike : names)
		.slice(0, MOST_NAMES)
		.map((each) => shown(shortened(each, 80)));
	const there =
		names.length === 0
			? `No ${what} exists yet.`
			: `${alike.length > 0 ? "Similar names" : "Existing names include"}: ${some.join(", ")}.`;
	return new ToolProblem([`There is no ${what} ${shown(name)}.`, hint, there, how].filter(Boolean).join(" "));
}
