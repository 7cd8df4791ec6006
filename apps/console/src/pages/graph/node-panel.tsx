import { useState } from "react";
import { Link } from "../../router.tsx";
import { useTexts } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import type { Fact, GraphNode, Known } from "./knowledge-graph.ts";
import { type FactGroup, findReplacement, groupFacts } from "./node-facts.ts";
import { GRAPH } from "./texts.ts";
import { DEFAULT_FACTS, type Expansion, MAX_FACTS } from "./use-exploration.ts";

interface Props {
	readonly node: GraphNode;
	readonly known: Known;
	readonly facts: readonly Fact[];
	readonly isStart: boolean;
	readonly isBusy: boolean;
	readonly expansion: Expansion | undefined;
	readonly predicate: string | null;
	onFact(key: string): void;
	onExpand(more?: { readonly limit?: number; readonly predicate?: string }): void;
	pathTo(name: string): string;
}

/** The facts of a node. */
export function NodePanel(props: Props) {
	const { node, known, facts, isStart, isBusy, expansion, predicate, onFact, onExpand, pathTo } = props;
	const text = useTexts(GRAPH);
	const limit = expansion?.limit ?? DEFAULT_FACTS;
	return (
		<>
			<h2>{node.name}</h2>
			{node.gloss !== null && <p>{node.gloss}</p>}
			<div className="actions">
				{expansion === undefined && (
					<Button isSmall icon="plus" kind="primary" isBusy={isBusy} onClick={() => onExpand()}>
						{text.expand}
					</Button>
				)}
				{!isStart && (
					<Link className="button small" to={pathTo(node.name)}>
						{text.startHere}
					</Link>
				)}
				<Link className="button small" to={`/knowledge?${new URLSearchParams({ q: node.name })}`}>
					{text.searchKnowledge}
				</Link>
			</div>
			{expansion === undefined && <p className="soft">{text.notExpanded}</p>}
			{expansion?.isTruncated === true && (
				<div className="kg-note">
					<p>{limit < MAX_FACTS ? text.nodeTruncated(limit) : text.nodeTruncatedAtMax(limit)}</p>
					{limit < MAX_FACTS ? (
						<Button isSmall isBusy={isBusy} onClick={() => onExpand({ limit: MAX_FACTS })}>
							{text.expandMore}
						</Button>
					) : (
						predicate !== null && (
							<Button isSmall isBusy={isBusy} onClick={() => onExpand({ limit: MAX_FACTS, predicate })}>
								{text.showMoreOfPredicate(predicate)}
							</Button>
						)
					)}
				</div>
			)}
			{groupFacts(node.key, facts).map((group) => (
				<Group key={group.key} group={group} node={node} known={known} onFact={onFact} />
			))}
		</>
	);
}

const FIRST = 30;

interface GroupProps {
	readonly group: FactGroup;
	readonly node: GraphNode;
	readonly known: Known;
	onFact(key: string): void;
}

function Group({ group: { predicate, direction, facts }, node, known, onFact }: GroupProps) {
	const text = useTexts(GRAPH);
	const [most, setMost] = useState(FIRST);
	const isOut = direction === "out";
	const spoken = isOut ? text.outwardFact(predicate, node.name) : text.inwardFact(predicate, node.name);
	return (
		<section className="fact-group" aria-label={spoken}>
			<h3>{isOut ? text.outwardPredicate(predicate) : text.inwardPredicate(predicate)}</h3>
			<ul>
				{facts.slice(0, most).map((fact) => {
					const replacement = findReplacement(fact, known.facts.values());
					const getNodeName = (key: string) => known.nodes.get(key)?.name ?? key;
					return (
						<li key={fact.key}>
							<button
								type="button"
								className={fact.isActive ? "fact" : "fact old"}
								onClick={() => onFact(fact.key)}
							>
								<span>{getNodeName(isOut ? fact.object : fact.subject)}</span>
								{!fact.isActive && <Badge>{text.outdated}</Badge>}
								{replacement !== null && (
									<span className="soft">
										{text.now} {getNodeName(replacement.object)}
									</span>
								)}
							</button>
						</li>
					);
				})}
			</ul>
			{facts.length > most && (
				<Button isSmall kind="quiet" onClick={() => setMost(most + 200)}>
					{text.showRest(facts.length - most)}
				</Button>
			)}
		</section>
	);
}
