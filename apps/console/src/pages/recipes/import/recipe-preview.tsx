import { listAuthIds } from "@tripline/contract/auth-ids";
import { api } from "../../../api/api.ts";
import type { ImportedRecipe } from "../../../api/types.ts";
import type { Action } from "../../../api/use-action.ts";
import { useQuery } from "../../../api/use-query.ts";
import { useTexts } from "../../../texts/texts.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Snippet } from "../../../ui/copy.tsx";
import { Problem } from "../../../ui/problem.tsx";
import { Prose } from "../../../ui/prose.tsx";
import { Operations } from "../operations.tsx";
import { RECIPES } from "../texts.ts";
import { IMPORT } from "./texts.ts";

interface Props {
	readonly of: ImportedRecipe;
	readonly saving: Action<[id: string]>;
	onBack(): void;
}

/** The recipe before it is saved, and what it lacks. */
export function RecipePreview({ of, saving, onBack }: Props) {
	const [text, recipes] = [useTexts(IMPORT), useTexts(RECIPES)];
	const { recipe, not_understood: lacks } = of;
	const id = recipe.id ?? "";
	return (
		<>
			<div className="import-actions">
				<h2>{text.previewTitle(recipe.title)}</h2>
				<Button icon="left" onClick={onBack}>
					{text.back}
				</Button>
				<Button kind="primary" icon="check" isBusy={saving.isBusy} onClick={() => saving.run(id)}>
					{text.save}
				</Button>
			</div>
			{saving.problem !== null && <Problem error={saving.problem} />}
			<div className="component-detail">
				<div className="stack">
					<Card>
						<Prose of={recipe.description} />
					</Card>
					<Card
						title={
							<span className="line">
								{text.notUnderstood}
								{lacks.length > 0 && <Badge tone="warn">{lacks.length}</Badge>}
							</span>
						}
					>
						<Lacks of={lacks} />
					</Card>
					<Card title={recipes.operations} isFlush>
						<Operations of={recipe.operations} />
					</Card>
					<details className="import-json">
						<summary>{text.json}</summary>
						<Snippet of={JSON.stringify(recipe, null, 2)} label={text.json} />
					</details>
				</div>
				<div className="stack">
					<Card className="component-facts">
						<dl>
							<dt>{text.id}</dt>
							<dd>
								<code>{id}</code>
							</dd>
							<dt>{text.baseUrl}</dt>
							<dd>
								<code className="recipe-url">{recipe.base_url}</code>
							</dd>
						</dl>
					</Card>
					<Card title={text.authorization} className="component-facts">
						<Authorization of={of} />
					</Card>
				</div>
			</div>
		</>
	);
}

function Lacks({ of }: { readonly of: ImportedRecipe["not_understood"] }) {
	const text = useTexts(IMPORT);
	if (of.length === 0) return <p className="soft">{text.allUnderstood}</p>;
	return (
		<>
			<p className="soft">{text.notUnderstoodHint}</p>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
			<section className="import-lacks" tabIndex={0} aria-label={text.notUnderstoodHint}>
				<ul>
					{of.map(({ path, message }) => (
						<li key={`${path} ${message}`}>
							<code>{path}</code> {message}
						</li>
					))}
				</ul>
			</section>
		</>
	);
}

function Authorization({ of: { recipe, auth_recipe: created } }: { readonly of: ImportedRecipe }) {
	const text = useTexts(IMPORT);
	const ids = listAuthIds(recipe.auth);
	const known = useQuery(created === null && ids.length > 0 ? "auth-recipes" : null, api.authRecipes);
	if (ids.length === 0) return <p className="soft">{text.noAuth}</p>;
	if (created === null)
		return (
			<>
				<p className="soft">{text.knownAuth}</p>
				<ul>
					{ids.map((id) => (
						<li key={id}>{known.data?.find((each) => each.id === id)?.title ?? <code>{id}</code>}</li>
					))}
				</ul>
			</>
		);
	return (
		<>
			<p>{text.newAuth(created.title)}</p>
			<p className="soft">{text.authFields}</p>
			<ul>
				{created.fields.map(({ name }) => (
					<li key={name}>
						<code>{name}</code>
					</li>
				))}
			</ul>
		</>
	);
}
