import type { Edge, Node } from "@xyflow/react";
import { type Drawn, type DrawnTrigger, INPUT } from "./drawn.ts";
import type { EdgeData } from "./graph-edges.tsx";
import type { Box, Layout } from "./layout.ts";

/** Removes the role description: the buttons inside and the line labels describe themselves. */
const SILENT = { "aria-roledescription": undefined } as const;

const createNode = (
	id: string,
	type: string,
	{ x, y, width, height }: Box,
	data: Record<string, unknown>,
): Node => ({
	id,
	type,
	position: { x, y },
	width,
	height,
	data,
	domAttributes: SILENT,
});

/** Loops first, outer before inner: later nodes are drawn on top. */
export function buildFlowNodes(of: Drawn, layout: Layout, trigger: DrawnTrigger): Node[] {
	const getBox = (id: string) => layout.nodes.get(id) ?? { x: 0, y: 0, width: 0, height: 0 };
	const loops = [...of.loops].sort((one, other) => other.nodes.size - one.nodes.size);
	return [
		...loops.flatMap(({ id, on, name, subject }) => {
			const box = layout.loops.get(id);
			return box === undefined
				? []
				: [{ ...createNode(`loop ${id}`, "loop", box, { on, name, subject }), zIndex: -1 }];
		}),
		createNode(INPUT, "trigger", getBox(INPUT), { trigger }),
		...of.nodes.map(({ id, component }) => createNode(id, "step", getBox(id), { component })),
	];
}

export const buildFlowEdges = (
	of: Drawn,
	layout: Layout,
	labels: ReadonlyMap<string, string>,
): Edge<EdgeData>[] =>
	of.edges.flatMap(({ id, from, to, on }) => {
		const line = layout.edges.get(id);
		if (line === undefined) return [];
		const label = labels.get(id) ?? "";
		const data = { on, label, points: line.points, place: line.label };
		const ariaLabel = [from, label, to].filter(Boolean).join(" ");
		return [{ id, source: from, target: to, type: "relation", data, ariaLabel, domAttributes: SILENT }];
	});
