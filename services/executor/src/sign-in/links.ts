import {
	buildAuthorizeUrl,
	buildCodeRequest,
	isSignInRecipe,
	type SignInRecipe,
} from "@tripline/components/auth/authorization-code";
import type { SignInLink } from "@tripline/contract/credentials";
import { Failed, invalid, notFound } from "@tripline/contract/failures";
import { TerminalError } from "@tripline/engine/terminal-error";
import { toIsoTime } from "@tripline/platform/clock";
import type * as z from "zod";
import type { Catalogues } from "../catalogue/catalogues.ts";
import type { Revealed, Vault } from "../vault/vault.ts";
import type { SignInFlows } from "./flows.ts";

export type CreateSignInLink = ReturnType<typeof signInLinks>;

/** Links with which an owner signs in at a service, for a credential that has a sign-in. */
export function signInLinks(deps: {
	readonly vault: Vault;
	readonly catalogues: Catalogues;
	readonly flows: SignInFlows;
	/** By the namespace; a number is the seconds to wait. */
	readonly rate: { take(key: string): number | null };
	/** The service's public address; throws `Failed` if it is not known. */
	requireBaseUrl(): string;
}) {
	return async (namespace: string, name: string): Promise<z.output<typeof SignInLink>> => {
		const revealed = await deps.vault.reveal(namespace, name, { isFresh: true });
		if (revealed === null) throw notFound();
		const { auth_recipe, put } = revealed;
		const recipe = (await deps.catalogues.catalogue(namespace)).findAuthRecipe(auth_recipe);
		if (recipe === null || !isSignInRecipe(recipe))
			throw new Failed({ kind: "conflict", message: `${auth_recipe} has no sign-in` });
		const base = deps.requireBaseUrl();
		checkUrls(name, recipe, revealed);
		const wait = deps.rate.take(namespace);
		if (wait !== null)
			throw new Failed({ kind: "too_many", message: "too many links", retryAfterSeconds: wait });
		const target = { namespace, credential: name, auth_recipe, put };
		const { ticket, expiresAt } = await deps.flows.createTicket(target);
		return { url: `${base}/oauth/start/${ticket}`, expires_at: toIsoTime(expiresAt) };
	};
}

/** A wrong host in a field, for example, is better reported here than in the browser. */
function checkUrls(name: string, recipe: SignInRecipe, { fields }: Revealed): void {
	try {
		const credential = { name, recipe, fields, key: "" };
		buildAuthorizeUrl(credential, { redirectUri: "", state: "", challenge: "" });
		buildCodeRequest(credential, { code: "", verifier: "", redirectUri: "" });
	} catch (error) {
		if (!(error instanceof TerminalError)) throw error;
		throw invalid([{ path: "fields", message: error.message }]);
	}
}
