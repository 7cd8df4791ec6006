import { api } from "../../api/api.ts";
import { useQuery } from "../../api/use-query.ts";
import { Link } from "../../router.tsx";
import { useTexts } from "../../texts/texts.ts";
import { Card } from "../../ui/card.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { NodeSearch } from "./node-search.tsx";
import { GRAPH } from "./texts.ts";

const SUGGESTED = 14;

/** Shown before a node is selected: a search and the nodes of recent facts. */
export function StartChooser({
	onPick,
	pathTo,
}: {
	onPick(name: string): void;
	pathTo(name: string): string;
}) {
	const text = useTexts(GRAPH);
	const start = useQuery("graph start", (signal) => api.graph.start(SUGGESTED, signal));
	return (
		<Loaded query={start} lines={6}>
			{({ nodes }) =>
				nodes.length === 0 ? (
					<Empty
						icon="graph"
						title={text.emptyTitle}
						action={
							<Link className="button primary" to="/connect">
								<Icon name="connect" />
								{text.connectAssistant}
							</Link>
						}
					>
						{text.emptyHint("ingest_triplet")}
					</Empty>
				) : (
					<Card className="kg-start" title={text.startTitle}>
						<div className="stack">
							<p className="soft">{text.startHint}</p>
							<NodeSearch onPick={onPick} hasFocus />
							<h3>{text.recent}</h3>
							<ul className="kg-chips">
								{nodes.map(({ name }) => (
									<li key={name}>
										<Link className="kg-chip" to={pathTo(name)}>
											{name}
										</Link>
									</li>
								))}
							</ul>
						</div>
					</Card>
				)
			}
		</Loaded>
	);
}
