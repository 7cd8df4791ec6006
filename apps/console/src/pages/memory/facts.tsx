import { api } from "../../api/api.ts";
import type { ConversationName } from "../../api/types.ts";
import { useAction } from "../../api/use-action.ts";
import { useQuery } from "../../api/use-query.ts";
import { Link } from "../../router.tsx";
import { buildExecutionPath, buildNodePath } from "../../shell/places.ts";
import { useTexts } from "../../texts/texts.ts";
import { Card } from "../../ui/card.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Time } from "../../ui/time.tsx";
import { MEMORY } from "./texts.ts";

/** Facts that a conversation has led to, with the runs that have stated them. */
export function Facts({ of }: { readonly of: ConversationName }) {
	const text = useTexts(MEMORY);
	const query = useQuery(`facts of ${JSON.stringify(of)}`, (signal) =>
		api.conversations.facts(of, undefined, signal),
	);
	const more = useAction(async () => {
		const next = await api.conversations.facts(of, query.data?.next_cursor ?? undefined);
		query.set({ ...next, facts: [...(query.data?.facts ?? []), ...next.facts] });
	});
	return (
		<Card title={text.facts}>
			<Loaded query={query}>
				{({ source, facts, next_cursor }) =>
					facts.length === 0 ? (
						<p className="soft">{text.noFacts}</p>
					) : (
						<>
							<p className="soft">{text.factsHint}</p>
							<ul className="memory-facts" aria-label={text.facts}>
								{facts.map(({ id, subject, predicate, object, execution_id, at }) => (
									<li key={id}>
										<p>
											<Node name={subject} /> <span className="soft">{predicate}</span> <Node name={object} />
										</p>
										<p className="soft line">
											<Time at={at} />
											{execution_id !== null && <Link to={buildExecutionPath(execution_id)}>{text.run}</Link>}
										</p>
									</li>
								))}
							</ul>
							{next_cursor !== null && <LoadMore more={more} />}
							<p className="soft">
								{text.source}: <code>{source}</code>
							</p>
						</>
					)
				}
			</Loaded>
		</Card>
	);
}

function Node({ name }: { readonly name: string }) {
	const text = useTexts(MEMORY);
	return (
		<Link to={buildNodePath(name)} title={text.node(name)}>
			<bdi>{name}</bdi>
		</Link>
	);
}
