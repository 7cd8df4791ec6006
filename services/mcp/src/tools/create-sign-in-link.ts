import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { createNotFound } from "./not-found.ts";

export const createSignInLink = defineTool({
	name: "create_sign_in_link",
	title: "Create a link to sign in",
	description:
		"Creates a link with which the user signs in at the service of a credential that is not signed in. Give it to the user, do not open it: it works once, for 10 minutes. Go on when they have signed in.",
	hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
	input: z.strictObject({ credential: z.string().min(1).max(128).meta({ description: "Its name" }) }),
	output: z.object({ url: z.string(), expires_at: z.string() }),
	async call({ credential }, { executor }) {
		const link = await executor.credentials.signIn(credential);
		if (link !== null) return { structured: { url: link.url, expires_at: link.expires_at } };
		const { credentials } = await executor.credentials.list();
		const names = credentials.filter(({ sign_in }) => sign_in !== undefined).map(({ name }) => name);
		throw createNotFound("credential", credential, names, "The user adds credentials in the console.");
	},
});
