import { useState } from "react";
import { api } from "../../api/api.ts";
import type { Conversation } from "../../api/types.ts";
import { useAction } from "../../api/use-action.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatNumber } from "../../numbers.ts";
import { Link } from "../../router.tsx";
import { buildConversationPath, buildWorkflowPath } from "../../shell/places.ts";
import { useTexts } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Empty } from "../../ui/empty.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Page } from "../../ui/page.tsx";
import { Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { DeleteConversation } from "./delete-conversation.tsx";
import { MEMORY } from "./texts.ts";

const EXAMPLE = 'memory:\n  key: "{{input.conversation}}"';

const buildKey = ({ workflow, key }: Conversation): string => JSON.stringify([workflow, key]);

export default function MemoryPage() {
	const text = useTexts(MEMORY);
	const query = useQuery("conversations", (signal) => api.conversations.list(undefined, signal));
	const [leaving, setLeaving] = useState<Conversation | null>(null);
	const more = useAction(async () => {
		const next = await api.conversations.list(query.data?.next_cursor ?? undefined);
		query.set({ ...next, conversations: [...(query.data?.conversations ?? []), ...next.conversations] });
	});
	return (
		<Page title={text.title} lead={text.lead}>
			<Loaded query={query} lines={5}>
				{({ conversations, next_cursor }) => (
					<Card isFlush={conversations.length > 0}>
						{conversations.length > 0 && (
							<Table
								columns={[text.key, text.workflow, text.turns, text.tokens, text.lastUsed]}
								actions={text.actions}
							>
								{conversations.map((each) => (
									<Row key={buildKey(each)} of={each} onDelete={() => setLeaving(each)} />
								))}
							</Table>
						)}
						{conversations.length === 0 && next_cursor === null && (
							<Empty icon="talk" title={text.emptyTitle}>
								<p>{text.emptyText}</p>
								<pre className="memory-example">{EXAMPLE}</pre>
								<p>{text.emptyGuide}</p>
							</Empty>
						)}
						{next_cursor !== null && <LoadMore more={more} />}
					</Card>
				)}
			</Loaded>
			{leaving !== null && (
				<DeleteConversation
					of={leaving}
					onClose={() => setLeaving(null)}
					onRemoved={() => {
						remove(leaving);
						setLeaving(null);
					}}
				/>
			)}
		</Page>
	);

	function remove(gone: Conversation): void {
		const now = query.data;
		if (now === undefined) return;
		const isOther = (each: Conversation) => buildKey(each) !== buildKey(gone);
		query.set({ ...now, conversations: now.conversations.filter(isOther) });
	}
}

function Row({ of, onDelete }: { readonly of: Conversation; onDelete(): void }) {
	const text = useTexts(MEMORY);
	const { workflow, key, turns, tokens, has_summary, last_at } = of;
	return (
		<tr>
			<th scope="row">
				<Link to={buildConversationPath(of)}>
					<bdi>{key}</bdi>
				</Link>{" "}
				{has_summary && <Badge>{text.summarised}</Badge>}
			</th>
			<td data-label={text.workflow}>
				<Link to={buildWorkflowPath(workflow)}>
					<bdi>{workflow}</bdi>
				</Link>
			</td>
			<td data-label={text.turns} className="numbers">
				{formatNumber(turns)}
			</td>
			<td data-label={text.tokens} className="numbers" title={text.tokensHint}>
				{formatNumber(tokens)}
			</td>
			<td data-label={text.lastUsed}>
				<Time at={last_at} />
			</td>
			<td className="row-actions">
				<Button isSmall kind="quiet" icon="trash" aria-label={text.deleteOne(key)} onClick={onDelete} />
			</td>
		</tr>
	);
}
