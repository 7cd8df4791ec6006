import { useMemo } from "react";
import { api } from "../../api/api.ts";
import type { RecipeItem } from "../../api/types.ts";
import { useQuery } from "../../api/use-query.ts";
import { Link, useSearch } from "../../router.tsx";
import { buildRecipePath } from "../../shell/places.ts";
import { useTexts } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";
import { ButtonLink } from "../../ui/button-link.tsx";
import { COMMON } from "../../ui/common-texts.ts";
import { Icon } from "../../ui/icon.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { buildSummary } from "../../ui/markdown.ts";
import { NothingFound } from "../../ui/nothing-found.tsx";
import { Page } from "../../ui/page.tsx";
import { filterRecipes, type Group, listGroups } from "./listing.ts";
import { RECIPES } from "./texts.ts";

export default function RecipesPage() {
	const text = useTexts(RECIPES);
	const query = useQuery("recipes", api.recipes.list);
	return (
		<Page
			title={text.title}
			lead={text.lead}
			actions={
				<>
					<ButtonLink to="/import-recipe" icon="upload">
						{text.import}
					</ButtonLink>
					<ButtonLink to="/new-recipe" kind="primary" icon="plus">
						{text.newRecipe}
					</ButtonLink>
				</>
			}
		>
			<Loaded query={query} lines={8}>
				{(recipes) => <List of={recipes} />}
			</Loaded>
		</Page>
	);
}

function List({ of }: { readonly of: readonly RecipeItem[] }) {
	const text = useTexts(RECIPES);
	const [search, setSearch] = useSearch();
	const q = search.get("q") ?? "";
	const groups = useMemo(() => listGroups(of), [of]);
	const group = groups.find((each) => each === search.get("category")) ?? "all";
	const found = useMemo(() => filterRecipes(of, { q, group }), [of, q, group]);
	return (
		<div className="components-lists">
			<div className="search-box">
				<Icon name="search" />
				<input
					type="search"
					aria-label={text.search}
					placeholder={text.search}
					value={q}
					onChange={(event) => setSearch({ q: event.target.value })}
				/>
			</div>
			<Groups
				of={groups}
				chosen={group}
				onChoose={(chosen) => setSearch({ category: chosen === "all" ? null : chosen })}
			/>
			<p className="hidden-text" role="status">
				{text.count(found.length)}
			</p>
			{found.length === 0 ? (
				<NothingFound title={text.noneFound} onShowAll={() => setSearch({ q: null, category: null })} />
			) : (
				<ul className="component-grid">
					{found.map((recipe) => (
						<li key={recipe.id}>
							<Item of={recipe} />
						</li>
					))}
				</ul>
			)}
		</div>
	);
}

interface GroupsProps {
	readonly of: readonly Group[];
	readonly chosen: Group;
	onChoose(group: Group): void;
}

function Groups({ of, chosen, onChoose }: GroupsProps) {
	const [text, common] = [useTexts(RECIPES), useTexts(COMMON)];
	return (
		<fieldset className="recipe-groups">
			<legend className="hidden-text">{text.category}</legend>
			{of.map((group) => (
				<button key={group} type="button" aria-pressed={group === chosen} onClick={() => onChoose(group)}>
					{group === "all" ? common.all : group === "own" ? text.own : text.categories[group]}
				</button>
			))}
		</fieldset>
	);
}

function Item({ of }: { readonly of: RecipeItem }) {
	const text = useTexts(RECIPES);
	return (
		<Link to={buildRecipePath(of.id)} className="component-item">
			<span className="component-title">
				{of.title} {of.source === "own" && <Badge tone="accent">{text.own}</Badge>}
			</span>
			<span className="soft">
				<code>{of.id}</code> · {text.operationCount(of.operations.length)}
			</span>
			<span className="component-summary">{buildSummary(of.description)}</span>
		</Link>
	);
}
