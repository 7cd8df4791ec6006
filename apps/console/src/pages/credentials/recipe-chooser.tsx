import { useState } from "react";
import type { AuthRecipe } from "../../api/types.ts";
import { useTexts } from "../../texts/texts.ts";
import { Icon } from "../../ui/icon.tsx";
import { NothingFound } from "../../ui/nothing-found.tsx";
import { focusFirstControl } from "./focus.ts";
import { findRecipes, listHosts } from "./recipe.ts";
import { CREDENTIALS } from "./texts.ts";

interface Props {
	readonly recipes: readonly AuthRecipe[];
	/** Initial search text. */
	readonly first: string;
	onChoose(id: string): void;
}

export function RecipeChooser({ recipes, first, onChoose }: Props) {
	const text = useTexts(CREDENTIALS);
	const [q, setQ] = useState(first);
	const found = findRecipes(recipes, q);
	return (
		<>
			<div className="search-box">
				<Icon name="search" />
				<input
					type="search"
					ref={focusFirstControl}
					autoComplete="off"
					aria-label={text.search}
					placeholder={text.search}
					value={q}
					onChange={(event) => setQ(event.target.value)}
				/>
			</div>
			<p className="hidden-text" role="status">
				{text.typeCount(found.length)}
			</p>
			{found.length === 0 && (
				<NothingFound title={text.nothingFoundTitle} onShowAll={() => setQ("")}>
					{text.nothingFoundHint}
				</NothingFound>
			)}
			<ul className="recipes">
				{found.map((recipe) => (
					<li key={recipe.id}>
						<button type="button" onClick={() => onChoose(recipe.id)}>
							<span>{recipe.title}</span>
							<span className="soft">{listHosts(recipe, text.hostToEnter)[0] ?? text.noHost}</span>
							<Icon name="right" />
						</button>
					</li>
				))}
			</ul>
		</>
	);
}
