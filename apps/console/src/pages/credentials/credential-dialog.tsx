import { useState } from "react";
import type { AuthRecipe, Credential } from "../../api/types.ts";
import { useTexts } from "../../texts/texts.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { CredentialForm } from "./credential-form.tsx";
import { RecipeChooser } from "./recipe-chooser.tsx";
import { CREDENTIALS } from "./texts.ts";

/** What the dialog edits: a new credential of a type, or one to replace. */
export interface Wanted {
	readonly credential: Credential | null;
	/** ID of the recipe; "" or an unknown ID shows the list to choose from. */
	readonly recipe: string;
}

interface Props {
	readonly wanted: Wanted;
	readonly recipes: readonly AuthRecipe[];
	readonly taken: readonly string[];
	onClose(): void;
	onSaved(name: string, recipe: AuthRecipe): void;
}

export function CredentialDialog({ wanted, recipes, taken, onClose, onSaved }: Props) {
	const text = useTexts(CREDENTIALS);
	const [id, setId] = useState(wanted.recipe);
	const recipe = recipes.find((each) => each.id === id);
	const { credential } = wanted;
	const title =
		credential !== null
			? text.replaceTitle(credential.name)
			: recipe === undefined
				? text.chooseTitle
				: text.newTitle(recipe.title);
	return (
		<Dialog title={title} onClose={onClose} className="credential-dialog">
			{recipe === undefined ? (
				<RecipeChooser recipes={recipes} first={id} onChoose={setId} />
			) : (
				<CredentialForm
					key={recipe.id}
					recipe={recipe}
					credential={credential}
					taken={taken}
					onBack={recipes.length === 1 ? null : () => setId("")}
					onClose={onClose}
					onSaved={(name) => onSaved(name, recipe)}
				/>
			)}
		</Dialog>
	);
}
