import { api } from "../../api/api.ts";
import type { Entry, Triplet } from "../../api/types.ts";
import { useQuery } from "../../api/use-query.ts";
import { Link } from "../../router.tsx";
import { useTexts } from "../../texts/texts.ts";
import { Card } from "../../ui/card.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { frequentOf } from "./candidates.ts";
import { NodeSearch } from "./node-search.tsx";
import { GRAPH } from "./texts.ts";

const SUGGESTED = 14;

/** Before a node is chosen: a search, and the nodes that recent facts are about. */
export function StartChooser({
	onPick,
	pathTo,
}: {
	onPick(name: string): void;
	pathTo(name: string): string;
}) {
	const text = useTexts(GRAPH);
	const recent = useQuery("recent triplets", async (signal) => {
		const { entries } = await api.entries.list({ entry_type: "triplet", limit: 100 }, signal);
		return entries.flatMap((entry) => statementOf(entry) ?? []);
	});
	return (
		<Loaded query={recent} lines={6}>
			{(triplets) =>
				triplets.length === 0 ? (
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
								{frequentOf(triplets, SUGGESTED).map((name) => (
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

type Statement = Pick<Triplet, "subject" | "predicate" | "object">;

/** A triplet's entry has its statement in its metadata. */
export function statementOf({ metadata_json }: Pick<Entry, "metadata_json">): Statement | null {
	const { subject, predicate, object } = JSON.parse(metadata_json) as Partial<Statement>;
	if (subject === undefined || predicate === undefined || object === undefined) return null;
	return { subject, predicate, object };
}
