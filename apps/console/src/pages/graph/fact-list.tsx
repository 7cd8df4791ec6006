import { useTexts } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Empty } from "../../ui/empty.tsx";
import { VirtualList } from "../../ui/virtual-list.tsx";
import type { Fact, GraphNode } from "./knowledge-graph.ts";
import { GRAPH } from "./texts.ts";

const ROW_HEIGHT = 40;

interface Props {
	readonly facts: readonly Fact[];
	readonly nodes: ReadonlyMap<string, GraphNode>;
	onNode(key: string): void;
	onFact(key: string): void;
}

/** The facts of the canvas as a list that can be navigated by keyboard. */
export function FactList({ facts, nodes, onNode, onFact }: Props) {
	const text = useTexts(GRAPH);
	if (facts.length === 0) return <Empty icon="graph" title={text.nothingToShow} />;
	return (
		<VirtualList
			className="fact-list"
			items={facts}
			rowHeight={ROW_HEIGHT}
			label={text.factList}
			getKey={({ key }) => key}
			row={(fact) => (
				<div className={fact.isActive ? "fact-row" : "fact-row old"}>
					<button type="button" onClick={() => onNode(fact.subject)}>
						{nodes.get(fact.subject)?.name}
					</button>
					<button type="button" className="fact-predicate" onClick={() => onFact(fact.key)}>
						{fact.predicate}
						{!fact.isActive && <Badge>{text.outdated}</Badge>}
					</button>
					<button type="button" onClick={() => onNode(fact.object)}>
						{nodes.get(fact.object)?.name}
					</button>
				</div>
			)}
		/>
	);
}
