import { sha256Hex } from "@tripline/contract/ids";
import { SYSTEM_OWNER } from "@tripline/contract/names";
import type { ApiRecipe, AuthRecipe } from "@tripline/contract/recipes";
import type { OwnedComponentStorage } from "../storage/owned-components.ts";
import { LazyMap } from "./lazy-map.ts";

interface SeededRecipes {
	readonly recipes: readonly ApiRecipe[];
	readonly auth_recipes: readonly AuthRecipe[];
}

/**
 * The stored seeded recipes as JSON. They are in a few parts, because an entry must stay below the store's limit, and not
 * in an entry each, because on Workers a request may make fewer calls through bindings than there are recipes.
 */
export interface SeededTexts {
	/** Names the parts; null if an earlier version stored them last, in one entry. */
	readonly index: string | null;
	readonly parts: readonly string[];
}

interface Index {
	/** Identifies the bundled recipes that were last compared with these. */
	readonly fingerprint?: string | undefined;
	/** The pages of the parts. */
	readonly parts: readonly string[];
}

const TYPE = "api_recipe";
const INDEX_PAGE = "seeded_index";
/** Of earlier versions. */
const SINGLE_PAGE = "seeded";
/** Of the request that stores a part: a quarter of the store's default limit. */
const MAX_PART_BYTES = 262_144;
/** Longer than another process takes from storing the parts to naming them. */
const MIN_UNUSED_S = 3_600;

/** The fingerprint that was given when the recipes were stored. */
export async function readFingerprint(storage: OwnedComponentStorage): Promise<string | null> {
	const index = await storage.text(SYSTEM_OWNER, TYPE, INDEX_PAGE);
	return index === null ? null : (parseIndex(index).fingerprint ?? null);
}

/** Returns `known` itself if it is what is stored. */
export async function readSeeded(storage: OwnedComponentStorage, known?: SeededTexts): Promise<SeededTexts> {
	const isKnown =
		known !== undefined &&
		known.index !== null &&
		(await storage.text(SYSTEM_OWNER, TYPE, INDEX_PAGE)) === known.index;
	if (isKnown) return known;
	const texts = await storage.texts(SYSTEM_OWNER, TYPE);
	const index = texts.get(INDEX_PAGE) ?? null;
	const pages = index === null ? [SINGLE_PAGE] : parseIndex(index).parts;
	const parts = pages.flatMap((page) => texts.get(page) ?? []);
	const isSame = known?.index === index && known.parts.join() === parts.join();
	return isSame ? known : { index, parts };
}

/** A part is named by its content and the index is written last, so that a reader never sees parts of different writes. */
export async function writeSeeded(
	storage: OwnedComponentStorage,
	{ fingerprint, ...recipes }: SeededRecipes & Pick<Index, "fingerprint">,
	before: SeededTexts,
): Promise<void> {
	const parts = await Promise.all(
		formatParts(recipes).map(async (text) => ({
			text,
			page: `seeded_${(await sha256Hex(text)).slice(0, 32)}`,
		})),
	);
	await Promise.all(parts.map(({ page, text }) => storage.putText(SYSTEM_OWNER, TYPE, page, text)));
	const index: Index = { fingerprint, parts: parts.map(({ page }) => page) };
	await storage.putText(SYSTEM_OWNER, TYPE, INDEX_PAGE, JSON.stringify(index));
	if (before.index === null) return;
	// What was used until now stays for a process of the version before, and for who is just reading it.
	const kept = new Set([INDEX_PAGE, ...index.parts, ...parseIndex(before.index).parts]);
	const isUnused = (page: string) => page.startsWith(SINGLE_PAGE) && !kept.has(page);
	await storage.deleteOld(SYSTEM_OWNER, TYPE, isUnused, MIN_UNUSED_S);
}

const parseIndex = (text: string): Index => JSON.parse(text) as Index;

export function parseSeededRecipes(seeded: SeededTexts): SeededRecipes {
	const { apiRecipes, authRecipes } = indexSeededRecipes(seeded);
	return { recipes: [...apiRecipes.values()], auth_recipes: [...authRecipes.values()] };
}

interface SeededById {
	readonly apiRecipes: ReadonlyMap<string, ApiRecipe>;
	readonly authRecipes: ReadonlyMap<string, AuthRecipe>;
}

/** The recipes by id, each parsed when it is first read: most tenants use few of them. */
export function indexSeededRecipes({ index, parts }: SeededTexts): SeededById {
	if (index === null) return parseSingle(parts[0]);
	const texts = { api: new Map<string, string>(), auth: new Map<string, string>() };
	for (const line of parts.flatMap((part) => part.split("\n"))) {
		const [, name = "", kind, id = ""] = LINE.exec(line) ?? [];
		if (kind === "api" || kind === "auth")
			texts[kind].set(id, line.slice(name.length, line.endsWith(",") ? -1 : undefined));
	}
	return { apiRecipes: new LazyMap(texts.api), authRecipes: new LazyMap(texts.auth) };
}

const LINE = /^("(api|auth)\/([^"\\]+)":)/;

/** JSON objects with one recipe per line. */
function formatParts({ recipes, auth_recipes }: SeededRecipes): string[] {
	const lines = [
		...recipes.map((recipe) => formatLine("api", recipe)),
		...auth_recipes.map((recipe) => formatLine("auth", recipe)),
	];
	const parts: string[][] = [];
	let room = 0;
	for (const line of lines) {
		// As it is in the body of the request, which is JSON that contains this JSON as text.
		const bytes = new TextEncoder().encode(JSON.stringify(line)).length + 4;
		room -= bytes;
		if (room < 0) {
			parts.push([]);
			room = MAX_PART_BYTES - bytes;
		}
		parts.at(-1)?.push(line);
	}
	return parts.map((part) => `{\n${part.join(",\n")}\n}`);
}

const formatLine = (kind: "api" | "auth", recipe: ApiRecipe | AuthRecipe): string =>
	`${JSON.stringify(`${kind}/${recipe.id}`)}:${JSON.stringify(recipe)}`;

function parseSingle(text = '{"recipes":[],"auth_recipes":[]}'): SeededById {
	const { recipes, auth_recipes } = JSON.parse(text) as SeededRecipes;
	return { apiRecipes: indexById(recipes), authRecipes: indexById(auth_recipes) };
}

const indexById = <Recipe extends { readonly id: string }>(recipes: readonly Recipe[]): Map<string, Recipe> =>
	new Map(recipes.map((recipe) => [recipe.id, recipe]));
