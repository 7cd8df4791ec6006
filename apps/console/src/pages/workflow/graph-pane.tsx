import { useMemo } from "react";
import { useTexts } from "../../texts/texts.ts";
import { Empty } from "../../ui/empty.tsx";
import { Skeleton } from "../../ui/loaded.tsx";
import { buildDrawn, type DrawnTrigger } from "./graph/drawn.ts";
import { NO_MARKS, NO_NODES } from "./graph/graph-state.ts";
import GraphView from "./graph/graph-view.tsx";
import { NodePanel } from "./graph/node-panel.tsx";
import { NO_STATES, type RunStates } from "./run/run-states.ts";
import type { DraftPins } from "./run/use-draft-pins.ts";
import type { Checked } from "./text/use-validation.ts";
import { WORKFLOW } from "./texts.ts";
import type { Comparison } from "./versions/comparison.ts";
import { VERSIONS } from "./versions/texts.ts";

interface Props {
	readonly checked: Checked;
	readonly trigger: DrawnTrigger;
	readonly states: RunStates;
	readonly hasRun: boolean;
	/** The id of the run that is shown, once it has ended. */
	readonly endedRun: string | null;
	readonly pins: Pick<DraftPins, "nodes" | "show">;
	/** Shown instead of the text's graph. */
	readonly comparison: Comparison | null;
	readonly selected: string | null;
	onSelect(id: string | null, isByPointer?: boolean): void;
	onCredential(id: string, name: string): void;
	onShowText(id: string): void;
}

/** The graph of the last text that compiled, with the selected node. */
export function GraphPane(props: Props) {
	const { checked, comparison, trigger, selected, onSelect, onCredential, onShowText } = props;
	const text = useTexts(WORKFLOW);
	const compared = comparison?.drawn ?? null;
	const graph = compared?.graph ?? checked.graph;
	const isGraphOld = compared === null && checked.isGraphOld;
	// A run is of another version than the ones that are compared.
	const states = compared === null ? props.states : NO_STATES;
	const hasRun = compared === null && props.hasRun;
	const pinned = compared === null ? props.pins.nodes : NO_NODES;
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
		<div className={`graph-pane${isGraphOld ? " old" : ""}${compared === null ? "" : " compared"}`}>
			<GraphView
				of={shape}
				trigger={trigger}
				states={states}
				hasRun={hasRun}
				marks={compared?.marks ?? NO_MARKS}
				pinned={pinned}
				selected={selected}
				onSelect={onSelect}
			/>
			{compared !== null && comparison !== null && <ComparisonNote of={comparison} />}
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
					isPinned={pinned.has(node.id)}
					onShowPin={() => props.pins.show(node.id)}
					endedRun={compared === null ? props.endedRun : null}
					onCredential={compared === null ? (name) => onCredential(node.id, name) : undefined}
					onShowText={() => onShowText(node.id)}
					onClose={() => onSelect(null)}
				/>
			)}
		</div>
	);
}

function ComparisonNote({ of: { from, to } }: { readonly of: Comparison }) {
	const text = useTexts(VERSIONS);
	const [before, after] = [from, to].map((side) =>
		side === null ? text.nothing : side === "draft" ? text.draft : text.version(side),
	);
	return (
		<p className="graph-note compared" role="status">
			{text.changes(before ?? "", after ?? "")}
		</p>
	);
}
