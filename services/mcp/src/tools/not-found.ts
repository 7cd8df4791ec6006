import { shown } from "@tripline/engine/diagnostics";
import { didYouMean } from "@tripline/engine/nearest";
import { shortened } from "./budget.ts";
import { matching } from "./matching.ts";
import { ToolProblem } from "./tool.ts";

const MOST_NAMES = 8;

/** There is none of that name: says which there are that are like it, and how to see all. */
export function notFound(what: string, name: string, names: readonly string[], how: string): ToolProblem {
	const hint = didYouMean(name, names);
	const alike = matching(names, name, (each) => [each]);
	const some = (alike.length > 0 ? alike : names)
		.slice(0, MOST_NAMES)
		.map((each) => shown(shortened(each, 80)));
	const there =
		names.length === 0
			? `There is no ${what} at all yet.`
			: `${alike.length > 0 ? "Names like it" : "There are, for example"}: ${some.join(", ")}.`;
	return new ToolProblem([`There is no ${what} ${shown(name)}.`, hint, there, how].filter(Boolean).join(" "));
}
