import { advice } from "@tripline/components/advice";
import { apiRecipes, authRecipes } from "@tripline/components/seeds/seeds";
import type { Diagnostic } from "@tripline/contract/workflows";
import { compileSource } from "@tripline/engine/compile";
import type { Source } from "@tripline/engine/source";
import { yamlSource } from "@tripline/engine/yaml";
import { TenantCatalogue } from "@tripline/executor/catalogue/tenant-catalogue";
import type { DocumentSource } from "@tripline/executor/client";

const ONLY_THE_SERVICE_KNOWS = "(Only the service knows your own recipes and installed components)";

/** Diagnostics for a document, as far as possible without the service. */
export async function compileLocally(source: DocumentSource): Promise<readonly Diagnostic[]> {
	const { diagnostics } = compileSource(toSource(source), {
		catalogue: createBundledCatalogue(),
		advice,
		named: true,
	});
	return diagnostics.map((diagnostic) =>
		diagnostic.code === "unknown_component"
			? { ...diagnostic, hint: [diagnostic.hint, ONLY_THE_SERVICE_KNOWS].filter(Boolean).join(" ") }
			: diagnostic,
	);
}

export const toSource = (source: DocumentSource): Source =>
	"yaml" in source ? yamlSource(source.yaml) : source;

function createBundledCatalogue(): TenantCatalogue {
	const none = {
		apiRecipes: new Map(),
		authRecipes: new Map(),
		installed: new Map(),
		mcpServers: new Map(),
	};
	return new TenantCatalogue(none, {
		...none,
		apiRecipes: indexById(apiRecipes),
		authRecipes: indexById(authRecipes),
	});
}

const indexById = <Recipe extends { readonly id: string }>(recipes: readonly Recipe[]): Map<string, Recipe> =>
	new Map(recipes.map((recipe) => [recipe.id, recipe]));
