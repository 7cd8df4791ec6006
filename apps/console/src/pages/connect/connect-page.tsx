import { api } from "../../api/api.ts";
import { useQuery } from "../../api/use-query.ts";
import { useTexts } from "../../texts/texts.ts";
import { Card } from "../../ui/card.tsx";
import { Snippet } from "../../ui/copy.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Page } from "../../ui/page.tsx";
import { isLoopback } from "./address.ts";
import { ClientTabs } from "./client-tabs.tsx";
import { CONNECT } from "./texts.ts";
import { TokenList } from "./token-list.tsx";
import { VerifyCard } from "./verify-card.tsx";

export default function ConnectPage() {
	const text = useTexts(CONNECT);
	const connect = useQuery("connect", api.connect);
	return (
		<Page title={text.title} lead={text.lead}>
			<Loaded query={connect} lines={8}>
				{({ mcp_url, clients }) => (
					<div className="stack connect">
						<Card title={text.address}>
							<div className="stack">
								<Snippet of={mcp_url} label={text.addressToCopy} />
								{isLoopback(mcp_url) && <p className="soft">{text.loopback}</p>}
							</div>
						</Card>
						<Card title={text.instructions}>
							<ClientTabs clients={clients} isLocal={isLoopback(mcp_url)} />
						</Card>
					</div>
				)}
			</Loaded>
			<VerifyCard />
			<TokenList />
		</Page>
	);
}
