import { listAuthIds } from "@tripline/contract/auth-ids";
import type { Json } from "@tripline/contract/json";
import type { Manifest } from "@tripline/contract/registry";
import type { JsonObject } from "@tripline/contract/workflows";
import type { Component, NodeCall } from "@tripline/engine/component";
import type { Effects } from "../effects.ts";
import { createRecipeComponents } from "../recipes/component.ts";
import { createFromSchemas } from "../recipes/from-schemas.ts";
import { runCode } from "./code.ts";
import { createSandboxHttp } from "./http.ts";

type CodeManifest = Extract<Manifest, { kind: "code" }>;
type RecipeManifest = Extract<Manifest, { kind: "recipe" }>;

/** The components of a manifest from the registry. They can reach only what the manifest declares. */
export const createManifestComponents = (manifest: Manifest): Component<Effects>[] =>
	manifest.kind === "recipe" ? createFromRecipe(manifest) : [createFromCode(manifest)];

function createFromRecipe(manifest: RecipeManifest): Component<Effects>[] {
	const { id, title, description, version, hosts, recipe } = manifest;
	const auth =
		recipe.auth === null ? null : listAuthIds(recipe.auth).map((name) => resolveAuthId(manifest, name));
	return createRecipeComponents({ ...recipe, id, title, description, auth }, { hosts, version });
}

function createFromCode(manifest: CodeManifest): Component<Effects> {
	const authRecipes = manifest.credentials.map((name) => resolveAuthId(manifest, name));
	const component = createFromSchemas({
		id: manifest.id,
		version: manifest.version,
		title: manifest.title,
		description: manifest.description,
		schemas: { params: manifest.params, output: manifest.output },
		hosts: manifest.hosts,
		takesCredentials: false,
		authRecipes,
		alwaysUsesCredential: false,
		examples: manifest.examples.map(toExample),
		run(call: NodeCall<Effects>): Promise<Json> {
			const { params, effects, signal } = call;
			const http =
				manifest.hosts.length === 0
					? undefined
					: createSandboxHttp(call, { hosts: manifest.hosts, authRecipes });
			const log = (line: string) => call.log(line);
			return runCode(
				manifest.code,
				params,
				component.output,
				{ sandbox: effects.sandbox, http, log },
				signal,
			);
		},
	});
	return component;
}

/** An auth recipe that the manifest brings along is prefixed with the component's id. */
function resolveAuthId({ id, auth_recipes = {} }: Manifest, name: string): string {
	return Object.hasOwn(auth_recipes, name) ? `${id}.${name}` : name;
}

function toExample({ title, params, output, error, http }: CodeManifest["examples"][number]) {
	const given: JsonObject = params;
	// The service will not answer as recorded, so no output is shown.
	if (http !== undefined) return { title, params: given };
	return {
		title,
		params: given,
		...(output === undefined ? {} : { output }),
		...(error === undefined ? {} : { error }),
	};
}
