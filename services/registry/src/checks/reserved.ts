import { builtIn } from "@tripline/components/catalogue";
import { apiRecipes, authRecipes } from "@tripline/components/seeds/seeds";
import type { Taken } from "./names.ts";

/** Names that submissions cannot use. */
export const RESERVED: readonly Taken[] = [
	...builtIn.map(({ id }) => ({ id, by: "a built-in component" })),
	...apiRecipes.map(({ id }) => ({ id, by: "a bundled recipe" })),
];

/** Auth recipe names that submissions cannot use: they would redirect other users' credentials. */
export const RESERVED_AUTH: readonly Taken[] = authRecipes.map(({ id }) => ({
	id,
	by: "a bundled auth recipe",
}));
