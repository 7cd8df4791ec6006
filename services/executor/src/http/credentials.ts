import { isSignInRecipe } from "@tripline/components/auth/authorization-code";
import {
	ConnectionTest,
	CredentialList,
	CredentialName,
	type SignInState,
	WriteCredential,
	WrittenCredential,
} from "@tripline/contract/credentials";
import { DeletedAnswer } from "@tripline/contract/entries";
import { Failed, invalid, notFound } from "@tripline/contract/failures";
import type { AuthRecipe } from "@tripline/contract/recipes";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { Catalogues } from "../catalogue/catalogues.ts";
import type { Caller } from "../domain/callers.ts";
import { findCredentialProblems } from "../domain/credential-problems.ts";
import type { Outbound } from "../runs/outbound.ts";
import type { Vault } from "../vault/vault.ts";
import type { RateLimit } from "./rate-limit.ts";

const tag = "Credentials";
const Name = z.object({ name: CredentialName });

export function credentialRoutes({
	vault,
	catalogues,
	outbound,
	testRate,
}: {
	readonly vault: Vault;
	readonly catalogues: Catalogues;
	readonly outbound: Pick<Outbound, "testConnection">;
	/** Of tests, by the namespace. */
	readonly testRate: RateLimit;
}): Route<Caller>[] {
	return [
		route({
			method: "PUT",
			path: "/credentials/{name}",
			tag,
			summary: "Create or replace a credential",
			description: "Values are encrypted before they are stored and never returned.",
			params: Name,
			body: WriteCredential,
			responses: {
				200: { description: "Replaced", body: WrittenCredential },
				201: { description: "Created", body: WrittenCredential },
			},
			async handle({ caller, params, body }) {
				const catalogue = await catalogues.catalogue(caller.namespace);
				const recipe = catalogue.findAuthRecipe(body.auth_recipe);
				const problems = findCredentialProblems(recipe, body.fields);
				if (problems.length > 0) throw invalid(problems);
				const written = await vault.put(caller.namespace, params.name, body);
				const sign_in = describeSignIn(recipe, null);
				return reply(written.created ? 201 : 200, { ...written, ...(sign_in && { sign_in }) });
			},
		}),
		route({
			method: "GET",
			path: "/credentials",
			tag,
			summary: "List the tenant's credentials, without their values",
			responses: { 200: { description: "By name", body: CredentialList } },
			async handle({ caller }) {
				const catalogue = await catalogues.catalogue(caller.namespace);
				const listed = await vault.list(caller.namespace);
				const credentials = listed.map(({ session, ...credential }) => {
					const sign_in = describeSignIn(catalogue.findAuthRecipe(credential.auth_recipe), session);
					return { ...credential, ...(sign_in && { sign_in }) };
				});
				return reply(200, { credentials });
			},
		}),
		route({
			method: "POST",
			path: "/credentials/{name}/test",
			tag,
			summary: "Log in with a credential of a database or a mail server",
			description:
				"Connects and logs in, which takes at most 10 seconds, and says what happened. 400 for credentials that are sent with requests: they log in nowhere.",
			params: Name,
			responses: { 200: { description: "Whether the login worked", body: ConnectionTest } },
			async handle({ caller: { namespace }, params: { name } }) {
				const wait = testRate.take(namespace);
				if (wait !== null)
					throw new Failed({ kind: "too_many", message: "too many tests", retryAfterSeconds: wait });
				const tested = await outbound.testConnection(namespace, name);
				if (tested === null) throw notFound();
				if (tested.result === null)
					throw new Failed({
						kind: "bad_request",
						message: `a credential of the type ${tested.type} logs in nowhere, so it cannot be tested: run a workflow that uses it`,
					});
				return reply(200, tested.result);
			},
		}),
		route({
			method: "DELETE",
			path: "/credentials/{name}",
			tag,
			summary: "Delete a credential",
			params: Name,
			responses: { 200: { description: "Deleted", body: DeletedAnswer } },
			async handle({ caller, params }) {
				if (!(await vault.delete(caller.namespace, params.name))) throw notFound();
				return reply(200, { deleted: true });
			},
		}),
	];
}

/** Undefined if the recipe has no sign-in. */
function describeSignIn(
	recipe: AuthRecipe | null,
	session: Awaited<ReturnType<Vault["list"]>>[number]["session"],
): SignInState | undefined {
	if (recipe === null || !isSignInRecipe(recipe)) return undefined;
	if (session === null) return { state: "required", account: null, signed_in_at: null, expires_at: null };
	const { is_ended, account, signed_in_at, expires_at } = session;
	return { state: is_ended ? "required" : "done", account, signed_in_at, expires_at };
}
