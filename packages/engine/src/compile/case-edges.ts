import type { GraphNode } from "@tripline/contract/workflows";
import { type Component, findExpression } from "../component.ts";
import { type Path, quoteText, type Report } from "../diagnostics.ts";
import { didYouMean } from "../nearest.ts";
import type { Scope } from "./names.ts";

/** Compares the labels of a node's cases with its CASE edges: only these labels can be its output. */
export function checkCaseEdges(
	node: GraphNode,
	place: number,
	component: Component<unknown>,
	{ flow, positions }: Scope,
	report: Report,
): void {
	const name = findExpression(component, "cases");
	if (name === undefined) return;
	const labels = readLabels(node, name);
	if (labels === null) return;
	const links = flow.outgoing[place] ?? [];
	report.meter.spend(labels.length + links.length);
	const edges = links.filter(({ edge }) => edge.on === "CASE");
	const known = new Set(labels);
	for (const { edge, index } of edges)
		if (!known.has(edge.value ?? "")) reportUnknown(edge.value ?? "", index);
	const hasDefault = links.some(({ edge }) => edge.on === "DEFAULT");
	const isWhole = !flow.isBroken && positions.unread.isEmpty;
	if (edges.length === 0 || hasDefault || !isWhole) return;
	const handled = new Set(edges.map(({ edge }) => edge.value));
	for (const [index, label] of labels.entries())
		if (!handled.has(label)) reportUnhandled(label, [name, index, "label"]);

	function reportUnknown(value: string, index: number): void {
		const spot = positions.edges[index]?.relation ?? { path: [] };
		const message = `${quoteText(node.id)} has no case ${quoteText(value)}, so this edge is never taken`;
		report.error("bad_edge", message, spot, () => didYouMean(value, known) ?? listLabels(known));
	}

	function reportUnhandled(label: string, path: Path): void {
		const spot = positions.nodes.get(node.id)?.params(path) ?? { path };
		const message = `no edge of ${quoteText(node.id)} is taken for the case ${quoteText(label)}`;
		const hint = `Add ${node.id} >> CASE ${label} >> … or ${node.id} >> DEFAULT >> …`;
		report.warning("unhandled_case", message, spot, hint);
	}
}

/** Null if the cases cannot be read; the component's schema reports that. */
function readLabels({ params }: GraphNode, name: string): readonly string[] | null {
	const cases = Object.hasOwn(params, name) ? params[name] : undefined;
	if (!Array.isArray(cases)) return null;
	const labels = cases.map((one) =>
		typeof one === "object" && one !== null && !Array.isArray(one) ? one.label : undefined,
	);
	return labels.every((label) => typeof label === "string") ? labels : null;
}

const listLabels = (labels: Iterable<string>): string =>
	`The cases are ${[...labels].slice(0, 20).map(quoteText).join(", ")}`;
