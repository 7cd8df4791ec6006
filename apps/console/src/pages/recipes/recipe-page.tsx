import { listAuthIds } from "@tripline/contract/auth-ids";
import { useState } from "react";
import { api } from "../../api/api.ts";
import type { WriteApiRecipe } from "../../api/types.ts";
import { useQuery } from "../../api/use-query.ts";
import { navigate, type PageProps } from "../../router.tsx";
import { safeLink } from "../../safe-link.ts";
import { buildRecipePath } from "../../shell/places.ts";
import { useTexts } from "../../texts/texts.ts";
import { BackLink } from "../../ui/back-link.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ButtonLink } from "../../ui/button-link.tsx";
import { Card } from "../../ui/card.tsx";
import { COMMON } from "../../ui/common-texts.ts";
import { Empty } from "../../ui/empty.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Page } from "../../ui/page.tsx";
import { Prose } from "../../ui/prose.tsx";
import { Removal } from "../../ui/removal.tsx";
import { Operations } from "./operations.tsx";
import { RecipeCredentials } from "./recipe-credentials.tsx";
import { RECIPES } from "./texts.ts";

export default function RecipePage({ params: { id = "" } }: PageProps) {
	const [text, common] = [useTexts(RECIPES), useTexts(COMMON)];
	const query = useQuery(`recipe ${id}`, (signal) => api.recipes.get(id, signal));
	const list = useQuery("recipes", api.recipes.list);
	const [isLeaving, setLeaving] = useState(false);
	const isOwn = list.data?.find((each) => each.id === id)?.source === "own";
	const title = query.data?.title ?? id;
	return (
		<Page
			title={title}
			heading={
				<span className="line">
					{title}
					{isOwn && <Badge tone="accent">{text.own}</Badge>}
				</span>
			}
			lead={<BackLink to="/recipes">{text.allRecipes}</BackLink>}
			actions={
				query.data !== undefined &&
				list.data !== undefined && (
					<>
						{isOwn && (
							<Button icon="trash" onClick={() => setLeaving(true)}>
								{common.delete}
							</Button>
						)}
						<ButtonLink to={`${buildRecipePath(id)}/edit`} icon="edit">
							{isOwn ? text.edit : text.customize}
						</ButtonLink>
					</>
				)
			}
		>
			<Loaded
				query={{ ...query, reload: reloadAll }}
				lines={10}
				missing={
					<Empty
						icon="search"
						title={text.missingTitle(id)}
						action={<ButtonLink to="/recipes">{text.allRecipes}</ButtonLink>}
					>
						{text.missing}
					</Empty>
				}
			>
				{(recipe) => <Detail id={id} of={recipe} />}
			</Loaded>
			{isLeaving && (
				<Removal
					title={text.deleteTitle(title)}
					done={text.deleted(id)}
					remove={() => api.recipes.delete(id)}
					onRemoved={() => navigate("/recipes")}
					onClose={() => setLeaving(false)}
				>
					{text.deleteText}
				</Removal>
			)}
		</Page>
	);

	/** Reloads both queries, because one message covers both. */
	function reloadAll(): void {
		query.reload();
		if (list.problem !== null) list.reload();
	}
}

function Detail({ id, of }: { readonly id: string; readonly of: WriteApiRecipe }) {
	const text = useTexts(RECIPES);
	const docs = of.docs_url === undefined ? null : safeLink(of.docs_url);
	return (
		<div className="component-detail">
			<div className="stack">
				<Card>
					<Prose of={of.description} />
				</Card>
				<Card title={text.operations} isFlush>
					<Operations recipe={id} of={of.operations} auth={listAuthIds(of.auth)} />
				</Card>
			</div>
			<div className="stack">
				<Card className="component-facts">
					<dl>
						<dt>{text.name}</dt>
						<dd>
							<code>{id}</code>
						</dd>
						{of.category !== undefined && (
							<>
								<dt>{text.category}</dt>
								<dd>{text.categories[of.category]}</dd>
							</>
						)}
						<dt>{text.baseUrl}</dt>
						<dd>
							<code className="recipe-url">{of.base_url}</code>
						</dd>
						{docs !== null && (
							<>
								<dt>{text.documentation}</dt>
								<dd>
									<a href={docs} target="_blank" rel="noreferrer" className="recipe-url">
										{of.docs_url}
									</a>
								</dd>
							</>
						)}
					</dl>
				</Card>
				<RecipeCredentials title={of.title} auth={listAuthIds(of.auth)} />
			</div>
		</div>
	);
}
