import { useState } from "react";
import { api } from "../../../api/api.ts";
import type { DescribedOperations, ImportedRecipe } from "../../../api/types.ts";
import { useAction } from "../../../api/use-action.ts";
import { navigate } from "../../../router.tsx";
import { buildRecipePath } from "../../../shell/places.ts";
import { useTexts } from "../../../texts/texts.ts";
import { BackLink } from "../../../ui/back-link.tsx";
import { Page } from "../../../ui/page.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { RECIPES } from "../texts.ts";
import { OperationChooser } from "./operation-chooser.tsx";
import { RecipePreview } from "./recipe-preview.tsx";
import { type Selection, withoutEmpty } from "./selection.ts";
import { type Source, SourceForm } from "./source-form.tsx";
import { IMPORT } from "./texts.ts";

const NOTHING: Selection = { ids: new Set(), server: "", name: "" };

/** From a description to a saved recipe: read it, choose operations, look at the recipe. */
export default function ImportPage() {
	const [text, recipes] = [useTexts(IMPORT), useTexts(RECIPES)];
	const [source, setSource] = useState<Source | null>(null);
	const [described, setDescribed] = useState<DescribedOperations | null>(null);
	const [selection, setSelection] = useState(NOTHING);
	const [made, setMade] = useState<ImportedRecipe | null>(null);
	const reading = useAction(async (from: Source, deprecated: boolean) => {
		const answer = await api.recipes.describe({ ...from, deprecated });
		setDescribed(answer);
		if (!deprecated) setSelection({ ...NOTHING, server: answer.servers[0] ?? "" });
		setSource(from);
	});
	const making = useAction(async () => setMade(await api.recipes.make(buildRequest())));
	const saving = useAction(async (id: string) => {
		await api.recipes.make({ ...buildRequest(), id, save: true });
		toast(text.saved(id));
		navigate(buildRecipePath(id));
	});
	return (
		<Page
			title={text.title}
			lead={made === null ? text.lead : <BackLink to="/recipes">{recipes.allRecipes}</BackLink>}
		>
			{made !== null ? (
				<RecipePreview
					of={made}
					saving={saving}
					onBack={() => {
						saving.clear();
						setMade(null);
					}}
				/>
			) : (
				<div className="stack">
					<SourceForm
						reading={reading}
						onRead={(from) => reading.run(from, false)}
						onChange={() => setDescribed(null)}
					/>
					{described !== null && source !== null && (
						<OperationChooser
							of={described}
							selection={selection}
							making={making}
							onChange={setSelection}
							onDeprecated={() => reading.run(source, true)}
							onPreview={() => making.run()}
						/>
					)}
				</div>
			)}
		</Page>
	);

	function buildRequest() {
		const { ids, server, name } = selection;
		return { ...source, operations: [...ids], ...withoutEmpty({ server, id: name.trim() }) };
	}
}
