import { useState } from "react";
import { api } from "../../api/api.ts";
import { resolveDeletion } from "../../api/not-found.ts";
import type { ComponentDetail, JsonObject } from "../../api/types.ts";
import { useAction } from "../../api/use-action.ts";
import { useQuery } from "../../api/use-query.ts";
import { navigate } from "../../router.tsx";
import { useTexts } from "../../texts/texts.ts";
import { BackLink } from "../../ui/back-link.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { COMMON } from "../../ui/common-texts.ts";
import { Snippet } from "../../ui/copy.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Page } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Prose } from "../../ui/prose.tsx";
import { toast } from "../../ui/toasts.tsx";
import { InsertDialog } from "./insert-dialog.tsx";
import { Missing } from "./missing.tsx";
import { Parameters } from "./parameters-table.tsx";
import { COMPONENTS } from "./texts.ts";

export function ComponentDetailPage({ id }: { readonly id: string }) {
	const [text, common] = [useTexts(COMPONENTS), useTexts(COMMON)];
	const query = useQuery(`component ${id}`, (signal) => api.components.get(id, signal));
	const [asked, setAsked] = useState<"insert" | "uninstall" | null>(null);
	const uninstall = useAction(async (installed: string) => {
		const isUninstalled = await resolveDeletion(api.components.uninstall(installed));
		toast(isUninstalled ? text.uninstalled(installed) : common.alreadyDeleted);
		navigate("/components");
	});
	const close = () => {
		uninstall.clear();
		setAsked(null);
	};
	const component = query.data;
	// The nodes of an installed recipe are its operations: `recipe.operation`.
	const installed = id.split(".")[0] ?? id;
	return (
		<Page
			title={component?.title ?? id}
			heading={
				<span className="line">
					{component?.title ?? id}
					{component !== undefined && <Badge>{text.sources[component.source]}</Badge>}
				</span>
			}
			lead={<BackLink to="/components">{text.allComponents}</BackLink>}
			actions={
				component !== undefined && (
					<>
						{component.source === "installed" && (
							<Button icon="trash" onClick={() => setAsked("uninstall")}>
								{text.uninstall}
							</Button>
						)}
						<Button kind="primary" icon="plus" onClick={() => setAsked("insert")}>
							{text.insert}
						</Button>
					</>
				)
			}
		>
			<Loaded
				query={query}
				lines={10}
				missing={<Missing id={id} why={text.missing} to="/components" list={text.allComponents} />}
			>
				{(of) => <Detail of={of} />}
			</Loaded>
			{asked === "insert" && component !== undefined && (
				<InsertDialog component={component} onClose={close} />
			)}
			{asked === "uninstall" && (
				<Confirm
					title={text.uninstallTitle(installed)}
					verb={text.uninstall}
					isBusy={uninstall.isBusy}
					onConfirm={() => uninstall.run(installed)}
					onClose={close}
				>
					<p>{text.uninstallText}</p>
					{uninstall.problem !== null && <Problem error={uninstall.problem} />}
				</Confirm>
			)}
		</Page>
	);
}

function Detail({ of }: { readonly of: ComponentDetail }) {
	const text = useTexts(COMPONENTS);
	return (
		<div className="component-detail">
			<div className="stack">
				<Card>
					<Prose of={of.description} />
				</Card>
				<Card title={text.parameters} isFlush>
					<Parameters schema={of.params} expressions={of.expressions} />
				</Card>
				{of.examples.length > 0 && (
					<Card title={text.examples}>
						<div className="stack">
							{of.examples.map((example) => (
								<Example key={JSON.stringify(example)} of={example} />
							))}
						</div>
					</Card>
				)}
			</div>
			<Card className="component-facts">
				<dl>
					<dt>{text.name}</dt>
					<dd>
						<code>{of.id}</code>
					</dd>
					<dt>{text.version}</dt>
					<dd>{of.version}</dd>
					<dt>{text.hosts}</dt>
					<dd>{describeHosts(of, text)}</dd>
					<dt>{text.credentials}</dt>
					<dd>{describeCredentials(of, text)}</dd>
				</dl>
			</Card>
		</div>
	);
}

type Texts = (typeof COMPONENTS)["en"];

function describeHosts({ hosts, takes_credentials: takes }: ComponentDetail, text: Texts): string {
	if (hosts.includes("*") || (hosts.length === 0 && takes)) return text.anyHost;
	return hosts.length === 0 ? text.noHosts : hosts.join(", ");
}

function describeCredentials(
	{ takes_credentials: takes, auth_recipes: recipes }: ComponentDetail,
	text: Texts,
): string {
	if (!takes) return text.noCredentials;
	return recipes === null ? text.anyCredential : recipes.join(", ");
}

function Example({ of }: { readonly of: JsonObject }) {
	const text = useTexts(COMPONENTS);
	const parts = [
		[text.input, of.input],
		[text.settings, of.params],
		[text.output, of.output ?? of.error],
	] as const;
	return (
		<article className="example">
			<h3>{String(of.title ?? "")}</h3>
			{parts.map(
				([label, value]) =>
					value !== undefined && (
						<div key={label}>
							<p className="soft">{label}</p>
							<Snippet of={JSON.stringify(value, null, 2)} label={`${of.title}: ${label}`} />
						</div>
					),
			)}
		</article>
	);
}
