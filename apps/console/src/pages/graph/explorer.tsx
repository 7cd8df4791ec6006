import { lazy, Suspense, useMemo, useState } from "react";
import { navigate, useSearch } from "../../router.tsx";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Skeleton } from "../../ui/loaded.tsx";
import { Problem } from "../../ui/problem.tsx";
import { FactList } from "./fact-list.tsx";
import { GraphToolbar } from "./graph-toolbar.tsx";
import { countPredicates, filterFacts, foldName } from "./knowledge-graph.ts";
import { groupLinks } from "./links.ts";
import type { Scene } from "./looks.ts";
import { PredicateFilter } from "./predicate-filter.tsx";
import { type Selection, SelectionPanel } from "./selection-panel.tsx";
import { GRAPH } from "./texts.ts";
import { MAX_FACTS, useExploration } from "./use-exploration.ts";
import { detectDrawing, resetDrawing } from "./webgl.ts";

const GraphCanvas = lazy(() => import("./graph-canvas.tsx"));

/** The neighbourhood of a node as a graph or list, with the details of the selection. */
export function Explorer({ node, pathTo }: { readonly node: string; pathTo(name: string): string }) {
	const text = useTexts(GRAPH);
	const [search, change] = useSearch();
	const predicate = search.get("predicate");
	const withDeprecated = search.get("deprecated") === "1";
	const depth = search.get("depth") === "1" ? 1 : 2;
	const isList = search.get("view") === "list";
	const exploration = useExploration(node, depth, withDeprecated);
	const [timesLost, setTimesLost] = useState(0);
	const { known, start: startAnswer, expanded, busy, problem } = exploration;
	const start = foldName(node);
	const [chosen, setChosen] = useState<Selection & { readonly of: string }>({
		of: start,
		kind: "node",
		key: start,
	});
	const selection: Selection | null = chosen.of === start ? chosen : { kind: "node", key: start };
	const choose = (next: Selection) => setChosen({ ...next, of: start });

	const facts = useMemo(
		() => filterFacts(known, { predicate, withDeprecated }),
		[known, predicate, withDeprecated],
	);
	const predicates = useMemo(
		() => countPredicates(filterFacts(known, { predicate: null, withDeprecated })),
		[known, withDeprecated],
	);
	const links = useMemo(() => groupLinks([...known.facts.values()]), [known]);
	const shown = useMemo(() => {
		const of = facts.length === known.facts.size ? links : groupLinks(facts);
		const shownLinks = new Map(of.map((link) => [link.key, link]));
		const shownNodes = new Set([start, ...facts.flatMap(({ subject, object }) => [subject, object])]);
		return { shownLinks, shownNodes };
	}, [known, facts, links, start]);
	const chosenNode = selection.kind === "node" ? selection.key : null;
	const chosenLink = selection.kind === "link" ? selection.key : null;
	const scene: Scene = useMemo(
		() => ({
			start,
			nodes: known.nodes,
			links,
			...shown,
			expanded: new Set(expanded.keys()),
			chosenNode: chosenNode !== null && known.nodes.has(chosenNode) ? chosenNode : null,
			chosenLink,
		}),
		[start, known, links, shown, expanded, chosenNode, chosenLink],
	);
	const expand = (key: string) => {
		choose({ kind: "node", key });
		if (!expanded.has(key)) exploration.expand(known.nodes.get(key)?.name ?? key);
	};
	const isLoaded = startAnswer !== null;
	const isUnknown = isLoaded && known.facts.size === 0;
	const isDrawn = detectDrawing().isPossible;

	return (
		<div className="kg">
			<GraphToolbar
				depth={depth}
				withDeprecated={withDeprecated}
				isList={isList}
				canDraw={isDrawn}
				onPick={(name) => navigate(pathTo(name))}
				onChange={change}
			/>
			{problem !== null && <Problem error={problem.error} retry={exploration.retry} />}
			{!isLoaded && problem === null && <Skeleton lines={6} />}
			{isUnknown && (
				<Empty icon="graph" title={text.unknownTitle(node)}>
					{text.unknownHint}
				</Empty>
			)}
			{isLoaded && !isUnknown && (
				<>
					<PredicateFilter
						predicates={predicates}
						chosen={predicate}
						onChoose={(next) => change({ predicate: next })}
					/>
					<div className="kg-counts">
						<p className="soft numbers" aria-live="polite">
							{text.shownCounts(shown.shownNodes.size, facts.length)}
						</p>
						{withDeprecated && (
							<p className="soft kg-legend">
								<span className="solid">{text.current}</span>
								<span className="dashed">{text.outdated}</span>
							</p>
						)}
						{startAnswer.isTruncated && (
							<div className="kg-note">
								<p>
									{startAnswer.limit < MAX_FACTS
										? text.truncated(startAnswer.limit)
										: text.truncatedAtMax(startAnswer.limit)}
								</p>
								{startAnswer.limit < MAX_FACTS && (
									<Button isSmall isBusy={busy.has(start)} onClick={exploration.showMore}>
										{text.showMore}
									</Button>
								)}
							</div>
						)}
						{!isDrawn && <p className="soft">{text.noWebgl}</p>}
					</div>
					<div className={isList || !isDrawn ? "kg-body as-list" : "kg-body"}>
						{isDrawn && !isList && (
							<Suspense fallback={<div className="kg-canvas" />}>
								<GraphCanvas
									key={`${timesLost} ${start}`}
									scene={scene}
									onNode={(key) => choose({ kind: "node", key })}
									onExpand={expand}
									onLink={(key) => choose({ kind: "link", key })}
									onNothing={() => choose({ kind: "none" })}
									onLost={() => {
										resetDrawing();
										setTimesLost((times) => times + 1);
									}}
								/>
							</Suspense>
						)}
						<div className="kg-list">
							<FactList
								facts={facts}
								nodes={known.nodes}
								onNode={(key) => choose({ kind: "node", key })}
								onFact={(key) => choose({ kind: "fact", key, back: selection })}
							/>
						</div>
						<SelectionPanel
							selection={selection}
							exploration={exploration}
							facts={facts}
							links={shown.shownLinks}
							start={start}
							predicate={predicate}
							onChoose={choose}
							pathTo={pathTo}
						/>
					</div>
				</>
			)}
		</div>
	);
}
