import { listAuthIds } from "@tripline/contract/auth-ids";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { compileSource } from "@tripline/engine/compile";
import type { Component } from "@tripline/engine/component";
import { run } from "@tripline/engine/run";
import type { OutboundHttp } from "@tripline/platform/http";
import { createTokens } from "../../src/auth/tokens.ts";
import type { Effects } from "../../src/effects.ts";
import { createOutbound } from "../../src/outbound/create.ts";
import { createPlaceholders } from "../../src/outbound/placeholders.ts";
import { createRecipeComponents } from "../../src/recipes/component.ts";
import { apiRecipes, authRecipes } from "../../src/seeds/seeds.ts";
import { tenantFiles } from "./test-files.ts";

const clock = { now: () => Date.now() };
const placeholders = createPlaceholders();

const components = new Map<string, Component<Effects>>(
	apiRecipes.flatMap((recipe) => {
		const ids = listAuthIds(recipe.auth);
		const authHosts = authRecipes.flatMap(({ id, hosts }) => (ids.includes(id) ? hosts : []));
		return createRecipeComponents(recipe, { authHosts }).map(
			(component) => [component.id, component] as const,
		);
	}),
);

export const findComponent = (id: string): Component<Effects> => {
	const component = components.get(id);
	if (component === undefined) throw new Error(`there is no component ${id}`);
	return component;
};

/** `Effects.http` of a tenant whose only credential is `mine`. */
export function createOutboundWith(
	send: OutboundHttp["send"],
	authRecipe: string,
	fields: Readonly<Record<string, string>>,
): Effects["http"] {
	const recipe = authRecipes.find(({ id }) => id === authRecipe);
	if (recipe === undefined) throw new Error(`there is no auth recipe ${authRecipe}`);
	return createOutbound({
		send,
		clock,
		placeholders,
		tokens: createTokens({ clock, sharesPromises: true }),
		credential: async (name) => (name === "mine" ? { recipe, fields, key: "mine" } : null),
	});
}

/** Compiles a workflow of one node and runs it, as the executor does. */
export async function runOperation(
	component: string,
	params: JsonObject,
	http: Effects["http"],
): Promise<{ output: Json } | { error: string }> {
	const catalogue = {
		get: (id: string) => components.get(id),
		ids: () => [...components.keys()],
	};
	const json = {
		triplets: ["input >> ON_SUCCESS >> call"],
		config: { call: { component, credential: "mine", ...params } },
	};
	const { plan, diagnostics } = compileSource({ json }, { catalogue, named: false });
	if (plan === null) throw new Error(diagnostics.map(({ message }) => message).join("; "));
	const { files } = tenantFiles;
	const effects = { clock, http, files, credentialText: placeholders.text } as Partial<Effects> as Effects;
	const outcome = await run(plan, {
		input: {},
		context: {},
		workflow: { name: "test" },
		execution: { id: "test" },
		budget: { stepsLeft: 10 },
		deadline: clock.now() + 10_000,
		timeoutMs: 10_000,
		clock,
		effects,
	});
	return outcome.success ? { output: outcome.data } : { error: outcome.error ?? "" };
}
