import type { GraphNode } from "@tripline/contract/workflows";
import type { Component, PlannedStep } from "../component.ts";
import { quoteText, type Report } from "../diagnostics.ts";
import type { Scope } from "./names.ts";

/** Reports ON_WAIT edges of nodes that never wait, and whose steps do not either. */
export function checkWaitEdges(
	{ id, params }: GraphNode,
	place: number,
	component: Component<never>,
	steps: readonly PlannedStep<never>[],
	{ flow, positions }: Scope,
	report: Report,
): void {
	if (component.parks?.(params ?? {}) === true) return;
	if (steps.some((step) => step.component.parks?.(step.written?.params ?? {}) === true)) return;
	for (const { edge, index } of flow.outgoing[place] ?? []) {
		if (edge.on !== "ON_WAIT") continue;
		const spot = positions.edges[index]?.relation ?? { path: [] };
		const message = `${quoteText(id)} never waits, so ON_WAIT cannot follow it`;
		report.error(
			"bad_edge",
			message,
			spot,
			"It follows `ask`, `wait_for`, `wait` with `for` or `until`, or `agent` with `approve`",
		);
	}
}
