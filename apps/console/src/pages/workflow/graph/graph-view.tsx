import { type Edge, type Node, ReactFlow, ReactFlowProvider, useReactFlow } from "@xyflow/react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTexts } from "../../../texts/texts.ts";
import { listTakenEdges, type RunStates } from "../run/run-states.ts";
import { WORKFLOW } from "../texts.ts";
import { type Drawn, type DrawnTrigger, INPUT } from "./drawn.ts";
import { listRelations } from "./edge-styles.ts";
import { buildFlowEdges, buildFlowNodes } from "./flow.ts";
import { ArrowHeads, EDGE_TYPES } from "./graph-edges.tsx";
import { buttonId, NODE_TYPES } from "./graph-nodes.tsx";
import { GraphContext, type GraphState } from "./graph-state.ts";
import { type Layout, layouts } from "./layout.ts";
import { Legend } from "./legend.tsx";
import { findNeighbour } from "./neighbour.ts";
import { useSize } from "./use-size.ts";
import { besidePanel, firstView, fitView, MAX_ZOOM, revealBox } from "./viewport.ts";
import { ZoomButtons } from "./zoom-buttons.tsx";

interface Props {
	readonly of: Drawn;
	readonly trigger: DrawnTrigger;
	readonly states: RunStates;
	readonly hasRun: boolean;
	readonly marks: GraphState["marks"];
	readonly pinned: GraphState["pinned"];
	readonly selected: string | null;
	onSelect(id: string | null, isByPointer?: boolean): void;
}

export default function GraphView(props: Props) {
	return (
		<ReactFlowProvider>
			<Graph {...props} />
		</ReactFlowProvider>
	);
}

/** The compiled graph with automatic layout. It is read-only: the text is the source. */
function Graph({ of, trigger, states, hasRun, marks, pinned, selected, onSelect }: Props) {
	const text = useTexts(WORKFLOW);
	const frame = useRef<HTMLDivElement>(null);
	const size = useSize(frame);
	const labels = useMemo(() => {
		const words = of.edges.map(({ id, on, detail, isImplied, from }) => {
			if (isImplied || (from === INPUT && on === "ON_SUCCESS")) return [id, ""] as const;
			return [id, [text.relations[on], detail].filter(Boolean).join(" ")] as const;
		});
		return new Map(words);
	}, [of, text]);
	const layoutFor = useMemo(() => layouts(of, (id) => labels.get(id) ?? ""), [of, labels]);
	const layout = useMemo(() => layoutFor(size), [layoutFor, size]);
	const nodes: Node[] = useMemo(() => buildFlowNodes(of, layout, trigger), [of, layout, trigger]);
	const edges: Edge[] = useMemo(() => buildFlowEdges(of, layout, labels), [of, layout, labels]);
	const taken = useMemo(() => listTakenEdges(of.edges, states), [of, states]);
	const [focused, setFocused] = useState<string>(INPUT);
	const { reveal } = useViewport(layout, size, selected);

	const onKey = useCallback(
		(id: string, key: string) => {
			const next = findNeighbour(layout.nodes, id, key);
			if (next === null) return false;
			reveal(next);
			document.getElementById(buttonId(next))?.focus({ preventScroll: true });
			return true;
		},
		[layout, reveal],
	);
	const state: GraphState = useMemo(
		() => ({
			states,
			hasRun,
			marks,
			pinned,
			taken,
			selected,
			focusable: layout.nodes.has(focused) ? focused : INPUT,
			onSelect,
			onFocus: setFocused,
			onKey,
		}),
		[states, hasRun, marks, pinned, taken, selected, layout, focused, onSelect, onKey],
	);
	return (
		<GraphContext value={state}>
			<div className="graph-frame" ref={frame}>
				<ArrowHeads />
				{size.width > 0 && (
					<ReactFlow
						defaultViewport={firstView(layout, size)}
						nodes={nodes}
						edges={edges}
						nodeTypes={NODE_TYPES}
						edgeTypes={EDGE_TYPES}
						aria-label={text.graphLabel}
						minZoom={0.05}
						maxZoom={MAX_ZOOM}
						nodesDraggable={false}
						nodesConnectable={false}
						nodesFocusable={false}
						edgesFocusable={false}
						elementsSelectable={false}
						deleteKeyCode={null}
						selectionKeyCode={null}
						multiSelectionKeyCode={null}
						panActivationKeyCode={null}
						disableKeyboardA11y
						zoomOnScroll={false}
						zoomOnDoubleClick={false}
						preventScrolling={false}
						onPaneClick={() => onSelect(null)}
						proOptions={{ hideAttribution: true }}
					/>
				)}
				<Legend relations={listRelations(of.edges)} />
				<ZoomButtons whole={() => fitView(layout, size)} />
			</div>
		</GraphContext>
	);
}

type Size = ReturnType<typeof useSize>;

/** Shows a new layout from its start, and moves a node that was selected elsewhere into view. */
function useViewport(layout: Layout, size: Size, selected: string | null) {
	const flow = useReactFlow();
	useEffect(() => {
		if (size.width > 0) flow.setViewport(firstView(layout, size));
	}, [layout, size, flow]);
	const reveal = useCallback(
		(id: string) => {
			const box = layout.nodes.get(id);
			const free = selected === null ? size : besidePanel(size);
			const moved = box === undefined ? null : revealBox(flow.getViewport(), box, free);
			if (moved !== null) flow.setViewport(moved, { duration: 150 });
		},
		[layout, size, flow, selected],
	);
	useEffect(() => {
		if (selected !== null) reveal(selected);
	}, [selected, reveal]);
	return { reveal };
}
