import { quoteText } from "../diagnostics.ts";
import type { PlanNode } from "../plan.ts";
import { isLoop, type Scope } from "./scope.ts";

/** Names in a message; a loop may run many. */
const MAX_NAMES = 3;

/** The node's name with the indexes of the loops around it: `fetch[2]`. */
export function formatNode<Effects>(scope: Scope<Effects>, node: PlanNode<Effects>): string {
	let path = "";
	for (let { loop, frame } = scope; loop !== null; { loop, frame } = loop.scope)
		path = `[${frame.index}]${path}`;
	return node.id + path;
}

/** Continues a sentence: ` while "fetch" was running`; empty if no node was. `computing` is one that did not wait. */
export function describeRunning<Effects>(top: Scope<Effects>, computing: string | null): string {
	const names = [...(computing === null ? [] : [computing]), ...listRunning(top)];
	if (names.length === 0) return "";
	const shown = names.slice(0, MAX_NAMES).map(quoteText);
	if (names.length > MAX_NAMES) shown.push(`${names.length - MAX_NAMES} more`);
	const last = shown.pop();
	const list = shown.length === 0 ? last : `${shown.join(", ")} and ${last}`;
	return ` while ${list} ${names.length === 1 ? "was" : "were"} running`;
}

function listRunning<Effects>(scope: Scope<Effects>): string[] {
	return scope.listActivities().flatMap((activity) => {
		const elements = isLoop(activity) ? activity.listElements() : [];
		return elements.length === 0 ? [formatNode(scope, activity.node)] : elements.flatMap(listRunning);
	});
}
