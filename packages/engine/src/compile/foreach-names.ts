import { type Positions, RESERVED } from "../definition.ts";
import { quoteText, type Report } from "../diagnostics.ts";
import { isIdentifier } from "../expressions/identifiers.ts";
import type { Flow } from "./flow.ts";
import type { Loop, Loops } from "./loops.ts";
import { toIndexName } from "./names.ts";

/** Reports FOREACH names that templates could not use, or that would hide another name. */
export function checkForeachNames(
	flow: Flow,
	loops: Loops | null,
	positions: Positions,
	report: Report,
): void {
	const byEdge = new Map(loops?.all.map((loop) => [loop.link.index, loop]));
	for (const [index, { on, as = "" }] of flow.graph.edges.entries()) {
		if (on !== "FOREACH") continue;
		const problem = findNameProblem(as, flow) ?? findHiddenName(byEdge.get(index));
		if (problem === undefined) continue;
		const spot = positions.edges[index]?.relation ?? { path: [] };
		report.error(
			"reserved_name",
			`the FOREACH name ${quoteText(as)} ${problem}`,
			spot,
			"Choose another name",
		);
	}
}

function findNameProblem(name: string, flow: Flow): string | undefined {
	if (!isIdentifier(name)) {
		return "must consist of letters, digits and _, and must not start with a digit";
	}
	if (RESERVED.has(name)) return "is reserved: templates use it";
	const node = [name, `${name}_index`].find((name) => flow.places.has(name));
	return node === undefined ? undefined : `hides the node ${quoteText(node)}`;
}

function findHiddenName(loop: Loop | undefined): string | undefined {
	for (let outer = loop?.parent ?? null; loop !== undefined && outer !== null; outer = outer.parent) {
		const names = [outer.name, toIndexName(outer)];
		if (names.includes(loop.name) || names.includes(toIndexName(loop))) {
			return `hides the name ${quoteText(outer.name)} of the enclosing loop`;
		}
	}
	return undefined;
}
