import { builtIn } from "@tripline/components/catalogue";
import { apiRecipes, authRecipes } from "@tripline/components/seeds/seeds";
import type { Taken } from "./names.ts";

/** Names that no submission can have. */
export const RESERVED: readonly Taken[] = [
	...builtIn.map(({ id }) => ({ id, by: "a built-in component" })),
	...apiRecipes.map(({ id }) => ({ id, by: "a bundled recipe" })),
];

/** Auth recipes that none can bring along: it would change where the credentials of others go. */
export const RESERVED_AUTH: readonly Taken[] = authRecipes.map(({ id }) => ({
	id,
	by: "a bundled auth recipe",
}));
