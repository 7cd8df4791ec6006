import { type ReactNode, useEffect, useRef } from "react";
import type { Connect } from "../../api/types.ts";
import { useSearch } from "../../router.tsx";
import { useTexts } from "../../texts/texts.ts";
import { Snippet } from "../../ui/copy.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { shortenTitle } from "./address.ts";
import { CONNECT } from "./texts.ts";

type Client = Connect["clients"][number];

interface Props {
	readonly clients: readonly Client[];
	/** The address can be reached only from this machine. */
	readonly isLocal: boolean;
}

export function ClientTabs({ clients, isLocal }: Props) {
	const text = useTexts(CONNECT);
	const [search, change] = useSearch();
	const client = clients.find(({ id }) => id === search.get("client")) ?? clients[0];
	const frame = useRef<HTMLDivElement>(null);
	const chosen = client?.id;
	// biome-ignore lint/correctness/useExhaustiveDependencies: the selected tab must be in view.
	useEffect(() => {
		const tab = frame.current?.querySelector<HTMLElement>('[aria-selected="true"]');
		const list = tab?.parentElement;
		if (tab && list)
			list.scrollLeft = tab.offsetLeft - list.offsetLeft - (list.clientWidth - tab.clientWidth) / 2;
	}, [chosen]);
	if (client === undefined) return null;
	return (
		<div ref={frame}>
			<Tabs
				label={text.assistants}
				tabs={clients.map(({ id, title }) => ({ id, label: shortenTitle(title) }))}
				chosen={client.id}
				onChoose={(id) => change({ client: id })}
			>
				<ClientSteps client={client} isLocal={isLocal} />
			</Tabs>
		</div>
	);
}

function ClientSteps({ client, isLocal }: { readonly client: Client; readonly isLocal: boolean }) {
	const text = useTexts(CONNECT);
	const { title, steps, snippet, token_snippet, note, needs_public_url, redirect_hosts_missing } = client;
	return (
		<div className="stack client">
			{title !== shortenTitle(title) && <p className="soft">{title}</p>}
			{needs_public_url && isLocal && <Warning>{text.needsPublicAddress}</Warning>}
			{redirect_hosts_missing.length > 0 && (
				<Warning>{text.hostsMissing(redirect_hosts_missing.join(", "))}</Warning>
			)}
			<ol className="steps">
				{steps.map((step) => (
					<li key={step}>{step}</li>
				))}
			</ol>
			{snippet !== null && (
				<div className="stack-tight">
					{token_snippet !== null && <h3>{text.withLogin}</h3>}
					<Snippet of={snippet.text} label={text.snippet(shortenTitle(title))} />
				</div>
			)}
			{token_snippet !== null && (
				<div className="stack-tight">
					<h3>{text.withToken}</h3>
					<Snippet of={token_snippet.text} label={text.tokenSnippet(shortenTitle(title))} />
				</div>
			)}
			{note !== null && (
				<p className="note soft">
					<Icon name="info" />
					<span>{note}</span>
				</p>
			)}
		</div>
	);
}

function Warning({ children }: { readonly children: ReactNode }) {
	return (
		<p className="warning">
			<Icon name="alert" />
			<span>{children}</span>
		</p>
	);
}
