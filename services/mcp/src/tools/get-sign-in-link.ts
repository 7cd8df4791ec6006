import { CredentialName, SignInLink } from "@tripline/contract/credentials";
import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { createNotFound } from "./not-found.ts";

export const getSignInLink = defineTool({
	name: "get_sign_in_link",
	title: "Get a link to sign in",
	description:
		"Returns a link with which the user signs in at the service of a credential, in a browser. Use it if a run or get_component says that the credential is not signed in. Give the link to the user and do not open it yourself; it can be used once, within 10 minutes. Afterwards get_component no longer lists the credential as not signed in.",
	hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
	input: z.strictObject({ credential: CredentialName.meta({ description: "The credential's name" }) }),
	output: z.object({ ...SignInLink.shape, next: z.string() }),
	async call({ credential }, { executor }) {
		const link = await executor.credentials.signIn(credential);
		if (link === null) {
			const { credentials } = await executor.credentials.list();
			const names = credentials.filter(({ sign_in }) => sign_in !== undefined).map(({ name }) => name);
			throw createNotFound("credential", credential, names, "The user adds credentials in the console.");
		}
		return { structured: { ...link, next: "Give the user the link, and go on when they have signed in." } };
	},
});
