import { type Graph, isLoopRelation } from "@tripline/contract/workflows";
import type { Report } from "../diagnostics.ts";
import { isIdentifier } from "../expressions/identifiers.ts";
import { joinPath } from "../expressions/path.ts";
import type { Evaluate } from "../frame.ts";
import { findLoop, formatLoop, type Loop } from "./loops.ts";
import { type KnownTypes, VisibleTypes } from "./name-types.ts";
import { buildResultNames, type Scope } from "./names.ts";
import { ParameterTypes } from "./parameter-context.ts";
import { compileTemplates } from "./parameters.ts";

/** Null if the document chooses no result: then the nodes that end the run do. */
export function compileResult(
	{ result }: Graph,
	scope: Scope,
	types: KnownTypes,
	report: Report,
): Evaluate | null {
	if (result === undefined) {
		if (report.errors === 0) checkEnds(scope, report);
		return null;
	}
	const at = scope.positions.result;
	return compileTemplates(result, {
		component: null,
		names: buildResultNames(scope, new VisibleTypes(scope, types, null)),
		types: new ParameterTypes(),
		spot: (path) => ({ path: [...at, ...path] }),
		report,
	});
}

/** Warns if all that a run can return is the list or the number of turns that its loop started with. */
function checkEnds({ flow, positions, reach }: Scope, report: Report): void {
	if (reach === null) return;
	const { loops } = reach;
	const ends: Loop[] = [];
	for (const place of flow.graph.nodes.keys()) {
		const outgoing = flow.outgoing[place] ?? [];
		if (loops.around[place] !== null || outgoing.some(({ edge }) => !isLoopRelation(edge.on))) continue;
		const loop = findLoop(loops, outgoing[0]);
		if (loop === undefined) return;
		ends.push(loop);
	}
	const [loop] = ends;
	if (loop === undefined) return;
	const id = flow.graph.nodes[loop.members.at(-1) ?? -1]?.id ?? "";
	const path = isIdentifier(id) ? id : joinPath("nodes", id);
	const data = loop.on === "FOREACH" ? "the list of its elements" : "the number of its turns";
	report.warning(
		"ends_in_loop",
		`the run ends in the loop "${formatLoop(flow, loop)}", so it returns only ${data}`,
		positions.edges[loop.link.index]?.relation ?? { path: [] },
		`Set result, such as result: '{{${path}}}'`,
	);
}
