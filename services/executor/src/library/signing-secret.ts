import type { AuthRecipe } from "@tripline/contract/recipes";

/** There without seeding, and never shadowed: signed webhooks are checked with it. */
export const SIGNING_SECRET: AuthRecipe = {
	id: "signing_secret",
	title: "Signing secret of a webhook",
	type: "signature",
	fields: [{ name: "secret", secret: true, help: "What sender and receiver share, as the sender shows it" }],
	hosts: [],
	inject: {},
};
