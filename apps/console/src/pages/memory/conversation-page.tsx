import { useState } from "react";
import { api } from "../../api/api.ts";
import type { ConversationName, ConversationTurns } from "../../api/types.ts";
import { useAction } from "../../api/use-action.ts";
import { useQuery } from "../../api/use-query.ts";
import { Link, navigate, useSearch } from "../../router.tsx";
import { buildWorkflowPath } from "../../shell/places.ts";
import { useTexts } from "../../texts/texts.ts";
import { BackLink } from "../../ui/back-link.tsx";
import { Button } from "../../ui/button.tsx";
import { ButtonLink } from "../../ui/button-link.tsx";
import { Card } from "../../ui/card.tsx";
import { COMMON } from "../../ui/common-texts.ts";
import { Empty } from "../../ui/empty.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Page } from "../../ui/page.tsx";
import { DeleteConversation } from "./delete-conversation.tsx";
import { Facts } from "./facts.tsx";
import { MEMORY } from "./texts.ts";
import { TurnItem } from "./turn-item.tsx";

const LIST = "/memory";

export default function ConversationPage() {
	const [text, common] = [useTexts(MEMORY), useTexts(COMMON)];
	const [search] = useSearch();
	const of = { workflow: search.get("workflow") ?? "", key: search.get("key") ?? "" };
	const query = useQuery(`conversation ${JSON.stringify(of)}`, (signal) =>
		api.conversations.read(of, undefined, signal),
	);
	const [isLeaving, setLeaving] = useState(false);
	const more = useAction(async () => {
		const next = await api.conversations.read(of, query.data?.next_cursor ?? undefined);
		query.set({ ...next, turns: [...(query.data?.turns ?? []), ...next.turns] });
	});
	return (
		<Page
			title={of.key || text.title}
			lead={<BackLink to={LIST}>{text.all}</BackLink>}
			actions={
				query.data !== undefined && (
					<Button icon="trash" onClick={() => setLeaving(true)}>
						{common.delete}
					</Button>
				)
			}
		>
			<Loaded
				query={query}
				lines={10}
				missing={
					<Empty
						icon="search"
						title={text.missingTitle}
						action={<ButtonLink to={LIST}>{text.all}</ButtonLink>}
					>
						{text.missing}
					</Empty>
				}
			>
				{(page) => (
					<div className="component-detail">
						<Said of={page} more={more} />
						<About of={of} />
					</div>
				)}
			</Loaded>
			{isLeaving && (
				<DeleteConversation of={of} onClose={() => setLeaving(false)} onRemoved={() => navigate(LIST)} />
			)}
		</Page>
	);
}

function Said({
	of: { summary, turns, next_cursor },
	more,
}: {
	readonly of: ConversationTurns;
	readonly more: Parameters<typeof LoadMore>[0]["more"];
}) {
	const text = useTexts(MEMORY);
	return (
		<div className="stack">
			<Card title={text.said}>
				<p className="soft">{text.latestFirst}</p>
				<ul className="memory-turns" aria-label={text.said}>
					{turns.map((turn) => (
						<TurnItem key={turn.id} of={turn} />
					))}
				</ul>
				{next_cursor !== null && <LoadMore more={more} />}
			</Card>
			{summary !== null && (
				<Card title={text.summary}>
					<p className="message-text">{summary}</p>
				</Card>
			)}
		</div>
	);
}

function About({ of }: { readonly of: ConversationName }) {
	const text = useTexts(MEMORY);
	return (
		<div className="stack">
			<Card className="component-facts">
				<dl>
					<dt>{text.workflow}</dt>
					<dd>
						<Link to={buildWorkflowPath(of.workflow)}>
							<bdi>{of.workflow}</bdi>
						</Link>
					</dd>
				</dl>
			</Card>
			<Facts of={of} />
		</div>
	);
}
