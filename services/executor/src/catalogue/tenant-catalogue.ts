import { builtInCatalogue } from "@tripline/components/catalogue";
import type { Effects } from "@tripline/components/effects";
import { createManifestComponents } from "@tripline/components/installed/component";
import { createMcpComponents } from "@tripline/components/mcp/component";
import { createRecipeComponents } from "@tripline/components/recipes/component";
import { listAuthIds } from "@tripline/contract/auth-ids";
import { type McpServerWithName, toMcpComponentId } from "@tripline/contract/mcp-servers";
import type { ApiRecipe, AuthRecipe } from "@tripline/contract/recipes";
import type { Catalogue, Component } from "@tripline/engine/component";
import type { OwnedComponents } from "./owned-components.ts";
import { SIGNING_SECRET } from "./signing-secret.ts";

export type Source = "built-in" | "recipe" | "installed" | "mcp";

export interface Listed {
	readonly source: Source;
	readonly component: Component<Effects>;
}

export interface ListedAuthRecipe {
	readonly source: "own" | "seeded" | "installed";
	readonly recipe: AuthRecipe;
}

/** Before the name of an MCP server. */
const MCP = "mcp:";

/**
 * The components of a tenant: built-in ones, which nothing shadows, then installed ones, its own recipes and the seeded
 * ones, and the tools of its MCP servers. Components are created on first use.
 */
export class TenantCatalogue implements Catalogue<Effects> {
	readonly #own: OwnedComponents;
	readonly #seeded: OwnedComponents;
	readonly #made = new Map<string, ReadonlyMap<string, Component<Effects>>>();

	constructor(own: OwnedComponents, seeded: OwnedComponents) {
		this.#own = own;
		this.#seeded = seeded;
	}

	get(id: string): Component<Effects> | undefined {
		return builtInCatalogue.get(id) ?? this.#getGroup(id.split(".", 1)[0] as string).get(id);
	}

	ids(): readonly string[] {
		return [...builtInCatalogue.ids(), ...this.#listGroups().flatMap((group) => this.#listIds(group))];
	}

	/** All components, in the order of `ids`. */
	list(): Listed[] {
		return this.ids().flatMap((id) => {
			const component = this.get(id);
			return component === undefined ? [] : [{ component, source: this.getSource(id) }];
		});
	}

	getSource(id: string): Source {
		if (builtInCatalogue.get(id) !== undefined) return "built-in";
		if (id.startsWith(MCP)) return "mcp";
		return this.#own.installed.has(id.split(".", 1)[0] as string) ? "installed" : "recipe";
	}

	/** An auth recipe from an installed component is prefixed with that component's id. */
	findAuthRecipe(id: string): AuthRecipe | null {
		if (id === SIGNING_SECRET.id) return SIGNING_SECRET;
		const known = this.#own.authRecipes.get(id) ?? this.#seeded.authRecipes.get(id);
		if (known !== undefined) return known;
		const [component = "", name = "", ...more] = id.split(".");
		if (more.length > 0) return null;
		const brought = this.#own.installed.get(component)?.manifest.auth_recipes ?? {};
		return Object.hasOwn(brought, name) ? ({ ...brought[name], id } as AuthRecipe) : null;
	}

	/** Whether the tenant wrote it. */
	hasOwnAuthRecipe(id: string): boolean {
		return this.#own.authRecipes.has(id);
	}

	/** Sorted by id. */
	listAuthRecipes(): ListedAuthRecipe[] {
		const { authRecipes, installed } = this.#own;
		const brought = [...installed.values()].flatMap(({ manifest }) =>
			Object.keys(manifest.auth_recipes ?? {}).map((name) => `${manifest.id}.${name}`),
		);
		const ids = new Set([
			SIGNING_SECRET.id,
			...authRecipes.keys(),
			...this.#seeded.authRecipes.keys(),
			...brought,
		]);
		return [...ids].sort().flatMap((id) => {
			const recipe = this.findAuthRecipe(id);
			const source = brought.includes(id) ? "installed" : authRecipes.has(id) ? "own" : "seeded";
			return recipe === null ? [] : [{ source, recipe } as const];
		});
	}

	#listGroups(): string[] {
		const { installed, apiRecipes, mcpServers } = this.#own;
		const recipes = new Set([...installed.keys(), ...apiRecipes.keys(), ...this.#seeded.apiRecipes.keys()]);
		return [...recipes, ...[...mcpServers.keys()].map((name) => MCP + name)];
	}

	#listIds(group: string): string[] {
		const server = this.#findServer(group);
		if (server !== undefined) return server.tools.map(({ name }) => toMcpComponentId(server.name, name));
		const manifest = this.#own.installed.get(group)?.manifest;
		if (manifest?.kind === "code") return [group];
		const recipe = manifest?.recipe ?? this.#findRecipe(group);
		return Object.keys(recipe?.operations ?? {}).map((operation) => `${group}.${operation}`);
	}

	#findServer(group: string): McpServerWithName | undefined {
		return group.startsWith(MCP) ? this.#own.mcpServers.get(group.slice(MCP.length)) : undefined;
	}

	#findRecipe(id: string): ApiRecipe | undefined {
		return this.#own.apiRecipes.get(id) ?? this.#seeded.apiRecipes.get(id);
	}

	#getGroup(group: string): ReadonlyMap<string, Component<Effects>> {
		const known = this.#made.get(group);
		if (known !== undefined) return known;
		const made = new Map(this.#makeGroup(group).map((component) => [component.id, component]));
		// Unknown names are not cached, because any caller can send them.
		if (made.size > 0) this.#made.set(group, made);
		return made;
	}

	#makeGroup(group: string): Component<Effects>[] {
		const server = this.#findServer(group);
		if (server !== undefined) return createMcpComponents(server);
		const installed = this.#own.installed.get(group);
		if (installed !== undefined) return createManifestComponents(installed.manifest);
		const recipe = this.#findRecipe(group);
		if (recipe === undefined) return [];
		const authHosts = listAuthIds(recipe.auth).flatMap((id) => this.findAuthRecipe(id)?.hosts ?? []);
		return createRecipeComponents(recipe, { authHosts });
	}
}
