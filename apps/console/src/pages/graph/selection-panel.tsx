import { useTexts } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { FactPanel } from "./fact-panel.tsx";
import type { Fact } from "./knowledge-graph.ts";
import type { Link } from "./links.ts";
import { NodePanel } from "./node-panel.tsx";
import { GRAPH } from "./texts.ts";
import type { Exploration } from "./use-exploration.ts";

export type Selection =
	| { readonly kind: "none" }
	| { readonly kind: "node"; readonly key: string }
	| { readonly kind: "link"; readonly key: string }
	| { readonly kind: "fact"; readonly key: string; readonly back: Selection };

interface Props {
	readonly selection: Selection;
	readonly exploration: Exploration;
	readonly facts: readonly Fact[];
	readonly links: ReadonlyMap<string, Link>;
	readonly start: string;
	readonly predicate: string | null;
	onChoose(selection: Selection): void;
	pathTo(name: string): string;
}

/** Details of the selection, next to the canvas. */
export function SelectionPanel(props: Props) {
	const text = useTexts(GRAPH);
	const { selection, exploration } = props;
	const node = selection.kind === "node" ? exploration.known.nodes.get(selection.key) : undefined;
	const count = node === undefined ? 0 : listFactsAt(node.key, props.facts);
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
		<section className="kg-panel" aria-label={text.panel} tabIndex={0}>
			<p className="hidden-text" aria-live="polite">
				{node !== undefined && text.selectedNode(node.name, count)}
			</p>
			<Chosen {...props} />
		</section>
	);
}

const listFactsAt = (key: string, facts: readonly Fact[]): number =>
	facts.reduce((count, { subject, object }) => count + (subject === key || object === key ? 1 : 0), 0);

function Chosen({ selection, exploration, facts, links, start, predicate, onChoose, pathTo }: Props) {
	const text = useTexts(GRAPH);
	const { known, expanded, busy } = exploration;
	const onNode = (key: string) => onChoose({ kind: "node", key });
	const onFact = (key: string) => onChoose({ kind: "fact", key, back: selection });
	const node = selection.kind === "node" ? known.nodes.get(selection.key) : undefined;
	if (node !== undefined) {
		return (
			<NodePanel
				key={node.key}
				node={node}
				known={known}
				facts={facts}
				isStart={node.key === start}
				isBusy={busy.has(node.key)}
				expansion={expanded.get(node.key)}
				predicate={predicate}
				onFact={onFact}
				onExpand={(more) => exploration.expand(node.name, more)}
				pathTo={pathTo}
			/>
		);
	}
	if (selection.kind === "fact") {
		const fact = known.facts.get(selection.key);
		return (
			<>
				<Button
					kind="quiet"
					isSmall
					icon="left"
					className="panel-back"
					onClick={() => onChoose(selection.back)}
				>
					{text.back}
				</Button>
				{fact !== undefined && <FactPanel key={fact.key} fact={fact} known={known} onNode={onNode} />}
			</>
		);
	}
	const link = selection.kind === "link" ? links.get(selection.key) : undefined;
	if (link !== undefined) {
		const [only, ...more] = link.facts;
		if (only !== undefined && more.length === 0)
			return <FactPanel key={only.key} fact={only} known={known} onNode={onNode} />;
		return (
			<>
				<h2>{text.factsBetween}</h2>
				<ul className="fact-group">
					{link.facts.map((fact) => (
						<li key={fact.key}>
							<button
								type="button"
								className={fact.isActive ? "fact" : "fact old"}
								onClick={() => onFact(fact.key)}
							>
								<span>
									{known.nodes.get(fact.subject)?.name} {fact.predicate} {known.nodes.get(fact.object)?.name}
								</span>
								{!fact.isActive && <Badge>{text.outdated}</Badge>}
							</button>
						</li>
					))}
				</ul>
			</>
		);
	}
	return <p className="soft">{text.selectHint}</p>;
}
