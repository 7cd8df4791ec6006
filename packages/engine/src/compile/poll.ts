import type { Poll, Trigger } from "@tripline/contract/workflows";
import type { Catalogue } from "../component.ts";
import { type Definition, type Positions, Unread } from "../definition.ts";
import { type Path, quoteText, type Report } from "../diagnostics.ts";
import { parseValuePath, VALUE_PATH_PROBLEM } from "../expressions/value-path.ts";

/** The node of its plan, and the start of its error messages. */
const NODE = "poll";

/** The problems of a poll, besides those of its operation, which is compiled as a node. */
export function checkPoll(
	{ type, overlap }: Trigger,
	{ items, key, operation }: Poll,
	catalogue: Catalogue<never>,
	report: Report,
): void {
	const problem = (path: Path, message: string) =>
		report.error("bad_poll", message, { path: ["trigger", ...path] });
	if (type !== "schedule") problem([NODE], `poll belongs to a trigger of type schedule, not ${type}`);
	for (const [name, path] of Object.entries({ items, key }))
		if (path !== undefined && parseValuePath(path) === null)
			problem([NODE, name], `${name} ${VALUE_PATH_PROBLEM}`);
	if (overlap === "skip")
		problem(["overlap"], "overlap cannot be skip with poll: items that are skipped would be lost");
	const component = catalogue.get(operation);
	if (component !== undefined && component.hosts.length === 0)
		problem(
			[NODE, "operation"],
			`component ${quoteText(operation)} reads nothing from outside: use http_request or an operation of a recipe`,
		);
}

/** A workflow of one node that reads what is polled. */
export function buildPollDefinition({ context }: Definition, poll: Poll): Definition {
	const { operation: component, params = {}, credential } = poll;
	const node = { id: NODE, component, params, ...(credential !== undefined && { credential }) };
	const edges = [{ from: "input", on: "ON_SUCCESS", to: NODE } as const];
	return { graph: { nodes: [node], edges }, context, options: {} };
}

export function buildPollPositions({ locate }: Positions): Positions {
	const at = (...path: Path) => ({ path: ["trigger", NODE, ...path] });
	const spots = {
		node: at("operation"),
		component: at("operation"),
		credential: at("credential"),
		setting: (name: string) => at(name),
		params: (path: Path) => at("params", ...path),
	};
	const edge = { from: at(), relation: at(), to: at() };
	return {
		nodes: new Map([[NODE, spots]]),
		edges: [edge],
		result: ["trigger", NODE],
		unread: new Unread(),
		locate,
	};
}
