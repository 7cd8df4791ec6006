import { useState } from "react";
import { api } from "../../api/api.ts";
import type { MarketDetail } from "../../api/types.ts";
import { useAction } from "../../api/use-action.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatNumber } from "../../numbers.ts";
import { navigate } from "../../router.tsx";
import { useTexts } from "../../texts/texts.ts";
import { BackLink } from "../../ui/back-link.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { COMMON } from "../../ui/common-texts.ts";
import { Snippet } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Page } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Prose } from "../../ui/prose.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toasts.tsx";
import { Missing } from "./missing.tsx";
import { Parameters } from "./parameters-table.tsx";
import { COMPONENTS } from "./texts.ts";

export function MarketDetailPage({ id }: { readonly id: string }) {
	const text = useTexts(COMPONENTS);
	const query = useQuery(`market component ${id}`, (signal) => api.registry.get(id, signal));
	const [isAsked, setAsked] = useState(false);
	const component = query.data;
	return (
		<Page
			title={component?.title ?? id}
			lead={<BackLink to="/components?in=market">{text.market}</BackLink>}
			actions={
				component !== undefined && (
					<Button kind="primary" icon="download" onClick={() => setAsked(true)}>
						{text.install}
					</Button>
				)
			}
		>
			<Loaded
				query={query}
				lines={10}
				missing={
					<Missing id={id} why={text.missingInMarket} to="/components?in=market" list={text.openMarket} />
				}
			>
				{(of) => <Detail of={of} />}
			</Loaded>
			{isAsked && component !== undefined && <Install of={component} onClose={() => setAsked(false)} />}
		</Page>
	);
}

function Detail({ of }: { readonly of: MarketDetail }) {
	const text = useTexts(COMPONENTS);
	const { manifest } = of;
	return (
		<div className="component-detail">
			<div className="stack">
				<Card>
					<Prose of={of.description} />
				</Card>
				{manifest.kind === "code" ? (
					<>
						<Card title={text.parameters} isFlush>
							<Parameters schema={manifest.params} />
						</Card>
						<Card title={text.code}>
							<div className="stack">
								<p className="soft">{text.codeHint}</p>
								<Snippet of={manifest.code.trim()} label={`${of.title}: ${text.code}`} />
							</div>
						</Card>
					</>
				) : (
					<Card title={text.includes}>
						<ul className="brings">
							{Object.keys(manifest.recipe.operations).map((operation) => (
								<li key={operation}>
									<code>
										{of.id}.{operation}
									</code>
								</li>
							))}
						</ul>
					</Card>
				)}
			</div>
			<div className="stack">
				<Card className="component-facts">
					<Grants of={of} />
					<dl>
						<dt>{text.publisher}</dt>
						<dd>{of.publisher}</dd>
						<dt>{text.license}</dt>
						<dd>{of.license}</dd>
						<dt>{text.version}</dt>
						<dd>
							{of.version} · {text.downloads(formatNumber(of.downloads))}
						</dd>
						<dt>{text.hash}</dt>
						<dd>
							<code>{of.sha256}</code>
						</dd>
					</dl>
				</Card>
				<Card title={text.versions}>
					<ul className="brings">
						{of.versions.map(({ version, published_at: at }) => (
							<li key={version}>
								{version} {at !== null && <Time at={at} />}
							</li>
						))}
					</ul>
				</Card>
			</div>
		</div>
	);
}

/** The permissions of the component. */
function Grants({
	of: { hosts, credentials },
}: {
	readonly of: Pick<MarketDetail, "hosts" | "credentials">;
}) {
	const text = useTexts(COMPONENTS);
	return (
		<dl className="grants-list">
			<dt>{text.canConnectTo}</dt>
			<dd className="grants">
				{hosts.length === 0 ? text.noHosts : hosts.map((host) => <Badge key={host}>{host}</Badge>)}
			</dd>
			<dt>{text.credentialTypes}</dt>
			<dd className="grants">
				{credentials.length === 0
					? text.noCredentials
					: credentials.map((credential) => <Badge key={credential}>{credential}</Badge>)}
			</dd>
		</dl>
	);
}

function Install({ of, onClose }: { readonly of: MarketDetail; onClose(): void }) {
	const [text, common] = [useTexts(COMPONENTS), useTexts(COMMON)];
	const install = useAction(async () => {
		await api.components.install(of.id, of.version, of.sha256);
		toast(text.installed(of.title));
		navigate(`/components?q=${encodeURIComponent(of.id)}`);
	});
	return (
		<Dialog
			title={text.installTitle(of.title)}
			onClose={onClose}
			actions={
				<>
					<Button onClick={onClose}>{common.cancel}</Button>
					<Button kind="primary" isBusy={install.isBusy} onClick={() => install.run()}>
						{text.install}
					</Button>
				</>
			}
		>
			<p>{text.installText}</p>
			<Grants of={of} />
			{install.problem !== null && <Problem error={install.problem} />}
		</Dialog>
	);
}
