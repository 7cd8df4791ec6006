import type { Relation } from "@tripline/contract/workflows";
import type { Positions } from "../definition.ts";
import { quoteText, type Report } from "../diagnostics.ts";
import { describeTypes } from "../types/describe.ts";
import { mayOverlap } from "../types/overlap.ts";
import { ANY, ANY_LIST, BOOLEAN, NULL, NUMBER, TEXT, type Type, unionType } from "../types/type.ts";
import type { Flow } from "./flow.ts";
import type { KnownTypes } from "./name-types.ts";

interface Wanted {
	readonly type: Type;
	readonly hint: string;
}

const TRUE_OR_FALSE: Wanted = {
	type: BOOLEAN,
	hint: "Decide in an `if` node, whose output is true or false",
};

/** What a node's output must be for the relation; any other output fails the node or, with CASE, never takes the edge. */
const WANTED: Partial<Record<Relation, Wanted>> = {
	ON_TRUE: TRUE_OR_FALSE,
	ON_FALSE: TRUE_OR_FALSE,
	CASE: {
		type: unionType([TEXT, NUMBER, BOOLEAN, NULL]),
		hint: "CASE compares text: select a field in a `switch` node",
	},
	FOREACH: { type: ANY_LIST, hint: "Select the list in a `foreach` node" },
};

/** Reports edges that do not fit what their node returns. */
export function checkRelations(
	{ links, graph }: Flow,
	outputs: KnownTypes["outputs"],
	positions: Positions,
	report: Report,
): void {
	for (const { from, edge, index } of links) {
		const wanted = WANTED[edge.on];
		if (wanted === undefined) continue;
		const output = outputs[from]?.() ?? ANY;
		if (mayOverlap(output, wanted.type)) continue;
		const id = quoteText(graph.nodes[from]?.id ?? "");
		const message = `${edge.on} needs ${describeTypes(wanted.type)}, but the output of ${id} is ${describeTypes(output)}`;
		const spot = positions.edges[index]?.relation ?? { path: [] };
		// A CASE that never matches does not fail the node.
		if (edge.on === "CASE") report.warning("wrong_type", message, spot, wanted.hint);
		else report.claim("wrong_type", message, spot, wanted.hint);
	}
}
