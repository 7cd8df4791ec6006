import { useMemo } from "react";
import { useTexts } from "../../texts/texts.ts";
import { Empty } from "../../ui/empty.tsx";
import { Skeleton } from "../../ui/loaded.tsx";
import { buildDrawn, type DrawnTrigger } from "./graph/drawn.ts";
import GraphView from "./graph/graph-view.tsx";
import { NodePanel } from "./graph/node-panel.tsx";
import type { RunStates } from "./run/run-states.ts";
import type { Checked } from "./text/use-validation.ts";
import { WORKFLOW } from "./texts.ts";

interface Props {
	readonly checked: Checked;
	readonly trigger: DrawnTrigger;
	readonly states: RunStates;
	readonly hasRun: boolean;
	readonly selected: string | null;
	onSelect(id: string | null, isByPointer?: boolean): void;
	onShowText(id: string): void;
}

/** The graph of the last text that compiled, with the selected node. */
export function GraphPane({ checked, trigger, states, hasRun, selected, onSelect, onShowText }: Props) {
	const text = useTexts(WORKFLOW);
	const { graph, isGraphOld } = checked;
	// Keyed by the graph's structure: a changed parameter does not change the layout.
	const key =
		graph === null
			? null
			: JSON.stringify([graph.nodes.map(({ id, component }) => [id, component]), graph.edges]);
	// biome-ignore lint/correctness/useExhaustiveDependencies: see above.
	const shape = useMemo(() => (graph === null ? null : buildDrawn(graph)), [key]);
	const node = graph?.nodes.find(({ id }) => id === selected);
	if (shape === null || graph === null || graph.nodes.length === 0)
		return (
			<div className="graph-pane">
				{checked.validation === null ? (
					<Skeleton lines={4} />
				) : (
					<Empty icon="graph" title={text.graphEmpty} />
				)}
			</div>
		);
	return (
		<div className={isGraphOld ? "graph-pane old" : "graph-pane"}>
			<GraphView
				of={shape}
				trigger={trigger}
				states={states}
				hasRun={hasRun}
				selected={selected}
				onSelect={onSelect}
			/>
			{isGraphOld && (
				<p className="graph-note" role="status">
					{text.graphOutdated}
				</p>
			)}
			{node !== undefined && (
				<NodePanel
					node={node}
					state={states.get(node.id)}
					isInLoop={shape.loopByNode.has(node.id)}
					hasRun={hasRun}
					onShowText={() => onShowText(node.id)}
					onClose={() => onSelect(null)}
				/>
			)}
		</div>
	);
}
