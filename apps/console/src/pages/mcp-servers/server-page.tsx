import { useState } from "react";
import { api } from "../../api/api.ts";
import type { McpServer, McpToolChanges } from "../../api/types.ts";
import { useAction } from "../../api/use-action.ts";
import { useQuery } from "../../api/use-query.ts";
import { navigate, type PageProps } from "../../router.tsx";
import { useTexts } from "../../texts/texts.ts";
import { BackLink } from "../../ui/back-link.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ButtonLink } from "../../ui/button-link.tsx";
import { Card } from "../../ui/card.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Page } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Prose } from "../../ui/prose.tsx";
import { Removal } from "../../ui/removal.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toasts.tsx";
import type { SigningIn } from "../credentials/sign-in-dialog.tsx";
import { openServerSignIn, ServerSignIn } from "./server-sign-in.tsx";
import { MCP_SERVERS } from "./texts.ts";
import { hasChanges, ToolChanges } from "./tool-changes.tsx";
import { Tools } from "./tools.tsx";

export default function McpServerPage({ params: { name = "" } }: PageProps) {
	const text = useTexts(MCP_SERVERS);
	const query = useQuery(`mcp-server ${name}`, (signal) => api.mcpServers.get(name, signal));
	const credentials = useQuery("credentials", api.credentials.list);
	const [changes, setChanges] = useState<McpToolChanges | null>(null);
	const [signingIn, setSigningIn] = useState<SigningIn | null>(null);
	const [isLeaving, setLeaving] = useState(false);
	const checking = useAction(async () => {
		const found = await api.mcpServers.refresh(name);
		setChanges(hasChanges(found) ? found : null);
		if (!hasChanges(found)) toast(text.unchanged);
		query.reload();
	});
	const accepting = useAction(async (hash: string) => {
		query.set(await api.mcpServers.accept(name, hash));
		setChanges(null);
		toast(text.accepted(name));
	});
	const title = query.data?.title ?? name;
	const credential = credentials.data?.find((each) => each.name === query.data?.credential);
	return (
		<Page
			title={title}
			lead={<BackLink to="/mcp-servers">{text.allServers}</BackLink>}
			actions={
				query.data !== undefined && (
					<>
						<Button icon="trash" onClick={() => setLeaving(true)}>
							{text.remove}
						</Button>
						{credential?.sign_in !== undefined && (
							<Button icon="connect" onClick={() => setSigningIn(openServerSignIn(name, {}, credential))}>
								{text.signInAgain}
							</Button>
						)}
						<Button kind="primary" icon="reload" isBusy={checking.isBusy} onClick={() => checking.run()}>
							{text.check}
						</Button>
					</>
				)
			}
		>
			{checking.problem !== null && <Problem error={checking.problem} />}
			<Loaded
				query={query}
				lines={10}
				missing={
					<Empty
						icon="search"
						title={text.missingTitle(name)}
						action={<ButtonLink to="/mcp-servers">{text.allServers}</ButtonLink>}
					>
						{text.missing}
					</Empty>
				}
			>
				{(server) => (
					<div className="stack">
						{server.error !== null && <Problem error={new Error(text.notListed(server.error))} />}
						{changes !== null ? (
							<ToolChanges of={changes} accepting={accepting} />
						) : (
							server.offered !== null && (
								<Card title={text.changesTitle}>
									<div className="stack">
										<p>{text.changesText}</p>
										<p>
											<Button isBusy={checking.isBusy} onClick={() => checking.run()}>
												{text.showChanges}
											</Button>
										</p>
									</div>
								</Card>
							)
						)}
						<Detail of={server} />
					</div>
				)}
			</Loaded>
			{signingIn !== null && (
				<ServerSignIn
					server={name}
					signingIn={signingIn}
					onClose={() => setSigningIn(null)}
					onDone={() => {
						setSigningIn(null);
						query.reload();
					}}
				/>
			)}
			{isLeaving && (
				<Removal
					title={text.removeTitle(title)}
					verb={text.remove}
					done={text.removed(name)}
					remove={() => api.mcpServers.delete(name)}
					onRemoved={() => navigate("/mcp-servers")}
					onClose={() => setLeaving(false)}
				>
					{text.removeText}
				</Removal>
			)}
		</Page>
	);
}

function Detail({ of }: { readonly of: McpServer }) {
	const text = useTexts(MCP_SERVERS);
	return (
		<div className="component-detail">
			<div className="stack">
				<Card title={text.tools} isFlush={of.tools.length > 0}>
					{of.tools.length === 0 ? <p className="soft">{text.noTools}</p> : <Tools of={of.tools} />}
				</Card>
				{of.skipped.length > 0 && (
					<Card title={text.skipped}>
						<ul className="stack">
							{of.skipped.map(({ name, reason }) => (
								<li key={name}>
									<code>{name}</code> <span className="soft">{reason}</span>
								</li>
							))}
						</ul>
					</Card>
				)}
			</div>
			<div className="stack">
				<Card className="component-facts">
					<dl>
						<dt>{text.name}</dt>
						<dd>
							<code>{of.name}</code>
						</dd>
						<dt>{text.address}</dt>
						<dd>
							<code className="recipe-url">{of.url}</code>
						</dd>
						<dt>{text.credential}</dt>
						<dd>{of.credential ?? <Badge>{text.ways.none}</Badge>}</dd>
						{of.server_version !== null && (
							<>
								<dt>{text.version}</dt>
								<dd>{of.server_version}</dd>
							</>
						)}
						<dt>{text.protocol}</dt>
						<dd>{of.protocol_version}</dd>
						<dt>{text.checkedAt}</dt>
						<dd>
							<Time at={of.checked_at} />
						</dd>
					</dl>
				</Card>
				{of.instructions !== null && (
					<Card title={text.instructions}>
						<Prose of={of.instructions} />
					</Card>
				)}
			</div>
		</div>
	);
}
