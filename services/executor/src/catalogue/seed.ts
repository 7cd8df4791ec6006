import { Failed } from "@tripline/contract/failures";
import { StoreRefused } from "@tripline/store/client";
import type { OwnedComponentStorage } from "../storage/owned-components.ts";
import { parseSeededRecipes, readFingerprint, readSeeded, writeSeeded } from "./seeded.ts";

interface Counts {
	readonly created: number;
	readonly updated: number;
	readonly unchanged: number;
}

export interface Seeded {
	readonly recipes: Counts;
	readonly auth_recipes: Counts;
}

interface Recipe {
	readonly id: string;
}

/** Like `seedRecipes`, but the recipes are loaded only if others than those with this fingerprint were stored last. */
export async function seedChangedRecipes(storage: OwnedComponentStorage, fingerprint: string): Promise<void> {
	if ((await readFingerprint(storage)) !== fingerprint) await seedRecipes(storage, fingerprint);
}

/** Writes the bundled recipes for all tenants if any is new or changed. Recipes that are no longer bundled are kept. */
export async function seedRecipes(storage: OwnedComponentStorage, fingerprint?: string): Promise<Seeded> {
	// Loaded on demand, because the recipes are large.
	const { apiRecipes, authRecipes } = await import("@tripline/components/seeds/seeds");
	const stored = await readSeeded(storage);
	const before = parseSeededRecipes(stored);
	const counts = {
		recipes: countChanges(before.recipes, apiRecipes),
		auth_recipes: countChanges(before.auth_recipes, authRecipes),
	};
	const isOutdated = fingerprint !== undefined || stored.index === null;
	if (isOutdated || sumChanges(counts.recipes) + sumChanges(counts.auth_recipes) > 0) {
		const recipes = mergeRecipes(before.recipes, apiRecipes);
		const auth_recipes = mergeRecipes(before.auth_recipes, authRecipes);
		const merged = { fingerprint, recipes, auth_recipes };
		await writeSeeded(storage, merged, stored).catch((error: unknown) => {
			throw error instanceof StoreRefused && error.status === 413 ? tooLarge() : error;
		});
	}
	return counts;
}

function countChanges(before: readonly Recipe[], bundled: readonly Recipe[]): Counts {
	const there = new Map(before.map((recipe) => [recipe.id, JSON.stringify(recipe)]));
	const counts = { created: 0, updated: 0, unchanged: 0 };
	for (const recipe of bundled) {
		const text = there.get(recipe.id);
		if (text === undefined) counts.created++;
		else if (text === JSON.stringify(recipe)) counts.unchanged++;
		else counts.updated++;
	}
	return counts;
}

const sumChanges = ({ created, updated }: Counts): number => created + updated;

const mergeRecipes = <Kind extends Recipe>(before: readonly Kind[], bundled: readonly Kind[]): Kind[] => [
	...bundled,
	...before.filter(({ id }) => !bundled.some((recipe) => recipe.id === id)),
];

const tooLarge = (): Failed =>
	new Failed({
		kind: "too_large",
		message: "the bundled recipes are too large for the store: set its MAX_BODY_BYTES to at least 524288",
	});
