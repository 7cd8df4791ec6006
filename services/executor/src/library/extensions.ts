import { manifestHash } from "@tripline/components/installed/canonical";
import { SYSTEM_OWNER } from "@tripline/contract/names";
import type { ApiRecipe, AuthRecipe } from "@tripline/contract/recipes";
import type { Manifest } from "@tripline/contract/registry";
import type { Clock } from "@tripline/platform/clock";
import type { Log } from "@tripline/platform/log";
import type { ExtensionStorage, ExtensionTexts } from "../storage/extensions.ts";
import { seededIn, seededText } from "./seeded.ts";

/** A component from the registry, as it was at installation. */
export interface Installed {
	readonly manifest: Manifest;
	readonly sha256: string;
	readonly installed_at: string;
}

/** One owner's additions to the built-in components, by id. */
export interface Extensions {
	readonly apiRecipes: ReadonlyMap<string, ApiRecipe>;
	readonly authRecipes: ReadonlyMap<string, AuthRecipe>;
	readonly installed: ReadonlyMap<string, Installed>;
}

/** How long a change made by another process may go unnoticed. */
const CACHE_MS = 5_000;
const MOST_OWNERS = 1_000;

type Texts =
	| readonly [api: ExtensionTexts, auth: ExtensionTexts, installed: ExtensionTexts]
	| readonly [seeded: string | null];
interface Kept {
	readonly texts: Texts;
	readonly extensions: Extensions;
	readonly until: number;
}

/** Extensions by owner. Returns the same object until something changes, so that derived values can be cached by it. */
export function ownedExtensions(deps: { storage: ExtensionStorage; clock: Clock; log: Log }) {
	const { storage, clock, log } = deps;
	const kept = new Map<string, Kept>();
	let changes = 0;

	return {
		async of(owner: string): Promise<Extensions> {
			const known = kept.get(owner);
			return known !== undefined && clock.now() < known.until ? known.extensions : read(owner);
		},

		/** Call it after a change made by this process. */
		forget(owner: string): void {
			changes++;
			kept.delete(owner);
		},
	};

	async function read(owner: string): Promise<Extensions> {
		const before = changes;
		const texts = await textsOf(owner);
		const known = kept.get(owner);
		const isSame = known !== undefined && sameTexts(known.texts, texts);
		const extensions = isSame ? known.extensions : await parsed(owner, texts);
		if (before === changes) {
			kept.delete(owner);
			if (kept.size >= MOST_OWNERS) kept.delete(kept.keys().next().value as string);
			kept.set(owner, { texts, extensions, until: clock.now() + CACHE_MS });
		}
		return extensions;
	}

	async function textsOf(owner: string): Promise<Texts> {
		if (owner === SYSTEM_OWNER) return [await seededText(storage)];
		return Promise.all([
			storage.texts(owner, "api_recipe"),
			storage.texts(owner, "auth_recipe"),
			storage.texts(owner, "installed_component"),
		]);
	}

	async function parsed(owner: string, texts: Texts): Promise<Extensions> {
		if (texts.length === 1) return seededExtensions(texts[0]);
		const [api, auth, components] = texts;
		const installed = new Map<string, Installed>();
		for (const [id, text] of components) {
			const component = JSON.parse(text) as Installed;
			if ((await manifestHash(component.manifest)) === component.sha256) installed.set(id, component);
			else log("error", "an installed component does not match its hash", { owner, component: id });
		}
		return { apiRecipes: recipesIn(api), authRecipes: recipesIn(auth), installed };
	}
}

function recipesIn<Recipe extends { readonly id: string }>(texts: ExtensionTexts): Map<string, Recipe> {
	return new Map([...texts].map(([id, text]) => [id, { ...JSON.parse(text), id } as Recipe]));
}

function seededExtensions(text: string | null): Extensions {
	const { recipes, auth_recipes } = seededIn(text);
	return { apiRecipes: byId(recipes), authRecipes: byId(auth_recipes), installed: new Map() };
}

const byId = <Recipe extends { readonly id: string }>(recipes: readonly Recipe[]): Map<string, Recipe> =>
	new Map(recipes.map((recipe) => [recipe.id, recipe]));

const sameTexts = (a: Texts, b: Texts): boolean =>
	a.every((texts, kind) => {
		const others = b[kind];
		if (!(texts instanceof Map && others instanceof Map)) return texts === others;
		return texts.size === others.size && [...texts].every(([id, text]) => others.get(id) === text);
	});
