import { useState } from "react";
import { api } from "../../api/api.ts";
import { resolveDeletion } from "../../api/not-found.ts";
import type { Tokens } from "../../api/types.ts";
import { useAction } from "../../api/use-action.ts";
import { useQuery } from "../../api/use-query.ts";
import { endSession } from "../../session/session.ts";
import { useTexts } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { COMMON } from "../../ui/common-texts.ts";
import { Confirm } from "../../ui/dialog.tsx";
import { Empty } from "../../ui/empty.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toasts.tsx";
import { CONNECT } from "./texts.ts";

type Token = Tokens["tokens"][number];

export function TokenList() {
	const [text, common] = [useTexts(CONNECT), useTexts(COMMON)];
	const tokens = useQuery("tokens", (signal) => api.tokens.list(undefined, signal));
	const [leaving, setLeaving] = useState<Token | null>(null);
	const more = useAction(async () => {
		const next = await api.tokens.list(tokens.data?.next_cursor ?? undefined);
		tokens.set({ ...next, tokens: [...(tokens.data?.tokens ?? []), ...next.tokens] });
	});
	const revocation = useAction(async ({ id, current }: Token) => {
		const isRevoked = await resolveDeletion(api.tokens.revoke(id));
		if (current) return endSession("logged out");
		const now = tokens.data;
		if (now !== undefined) tokens.set({ ...now, tokens: now.tokens.filter((each) => each.id !== id) });
		setLeaving(null);
		toast(isRevoked ? text.revoked : common.alreadyDeleted);
	});
	return (
		<Card title={text.tokens} isFlush className="tokens">
			<p className="soft tokens-text">{text.tokensText}</p>
			<Loaded query={tokens}>
				{(page) => (
					<>
						{page.tokens.length > 0 && <Rows tokens={page.tokens} onRevoke={setLeaving} />}
						{page.tokens.length === 0 && page.next_cursor === null && (
							<Empty icon="connect" title={text.noTokens}>
								{text.noTokensText}
							</Empty>
						)}
						{page.tokens.length === 0 && page.next_cursor !== null && (
							<p className="soft tokens-text">{text.noValidTokens}</p>
						)}
						{page.next_cursor !== null && <LoadMore more={more} />}
					</>
				)}
			</Loaded>
			{leaving !== null && (
				<Confirm
					title={text.revokeTitle(leaving.client_name ?? text.unnamed)}
					verb={text.revoke}
					isBusy={revocation.isBusy}
					onConfirm={() => revocation.run(leaving)}
					onClose={() => {
						revocation.clear();
						setLeaving(null);
					}}
				>
					{revocation.problem !== null && <Problem error={revocation.problem} />}
					<p>{leaving.current ? text.revokeOwnText : text.revokeText}</p>
				</Confirm>
			)}
		</Card>
	);
}

function Rows({ tokens, onRevoke }: { readonly tokens: readonly Token[]; onRevoke(token: Token): void }) {
	const text = useTexts(CONNECT);
	return (
		<Table columns={[text.client, text.issued, text.expires]} actions={text.actions}>
			{tokens.map((token) => (
				<tr key={token.id}>
					<td title={token.client_id}>
						<span className="line">
							{token.client_name ?? <span className="soft">{text.unnamed}</span>}
							{token.current && <Badge tone="accent">{text.thisBrowser}</Badge>}
						</span>
					</td>
					<td data-label={text.issued}>
						<Time at={token.issued_at} />
					</td>
					<td data-label={text.expires}>
						<Time at={token.expires_at} />
					</td>
					<td className="row-actions">
						<Button
							isSmall
							aria-label={text.revokeOne(token.client_name ?? text.unnamed)}
							onClick={() => onRevoke(token)}
						>
							{text.revoke}
						</Button>
					</td>
				</tr>
			))}
		</Table>
	);
}
