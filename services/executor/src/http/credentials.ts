import {
	CredentialList,
	CredentialName,
	WriteCredential,
	WrittenCredential,
} from "@tripline/contract/credentials";
import { DeletedAnswer } from "@tripline/contract/entries";
import { invalid, notFound } from "@tripline/contract/failures";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { Catalogues } from "../catalogue/catalogues.ts";
import type { Caller } from "../domain/callers.ts";
import { findCredentialProblems } from "../domain/credential-problems.ts";
import type { Vault } from "../vault/vault.ts";

const tag = "Credentials";
const Name = z.object({ name: CredentialName });

export function credentialRoutes({
	vault,
	catalogues,
}: {
	readonly vault: Vault;
	readonly catalogues: Catalogues;
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
				return reply(written.created ? 201 : 200, written);
			},
		}),
		route({
			method: "GET",
			path: "/credentials",
			tag,
			summary: "List the tenant's credentials, without their values",
			responses: { 200: { description: "By name", body: CredentialList } },
			async handle({ caller }) {
				return reply(200, { credentials: await vault.list(caller.namespace) });
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
