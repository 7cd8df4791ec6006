import { useState } from "react";
import { api } from "../../api/api.ts";
import type { McpServerItem } from "../../api/types.ts";
import { useQuery } from "../../api/use-query.ts";
import { Link } from "../../router.tsx";
import { buildMcpServerPath } from "../../shell/places.ts";
import { useTexts } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Page } from "../../ui/page.tsx";
import { AddServer } from "./add-server.tsx";
import { MCP_SERVERS } from "./texts.ts";

export default function McpServersPage() {
	const text = useTexts(MCP_SERVERS);
	const query = useQuery("mcp-servers", api.mcpServers.list);
	const [isAdding, setAdding] = useState(false);
	const add = (
		<Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
			{text.add}
		</Button>
	);
	return (
		<Page title={text.title} lead={text.lead} actions={add}>
			<Loaded query={query} lines={4}>
				{(servers) =>
					servers.length === 0 ? (
						<Empty icon="connect" title={text.emptyTitle}>
							{text.empty}
						</Empty>
					) : (
						<ul className="component-grid">
							{servers.map((server) => (
								<li key={server.name}>
									<Item of={server} />
								</li>
							))}
						</ul>
					)
				}
			</Loaded>
			{isAdding && (
				<AddServer taken={query.data?.map(({ name }) => name) ?? []} onClose={() => setAdding(false)} />
			)}
		</Page>
	);
}

function Item({ of }: { readonly of: McpServerItem }) {
	const text = useTexts(MCP_SERVERS);
	return (
		<Link to={buildMcpServerPath(of.name)} className="component-item">
			<span className="component-title">
				{of.title ?? of.name} {of.offered !== null && <Badge tone="warn">{text.changed}</Badge>}
				{of.error !== null && <Badge tone="bad">{text.failed}</Badge>}
			</span>
			<span className="soft">
				<code>{of.name}</code> · {text.toolCount(of.components.length)}
			</span>
			<span className="component-summary recipe-url">{of.url}</span>
		</Link>
	);
}
