import type { AuthRecipe } from "@tripline/contract/recipes";

/** Built in and never shadowed, because webhook signatures are verified with it. */
export const SIGNING_SECRET: AuthRecipe = {
	id: "signing_secret",
	title: "Signing secret of a webhook",
	type: "signature",
	fields: [{ name: "secret", secret: true, help: "The shared secret, as the sender displays it" }],
	hosts: [],
	inject: {},
};
