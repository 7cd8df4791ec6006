import type { TenantExecutor } from "@tripline/executor/client";
import { quoteWord } from "../quote-word.ts";
import type { Needs } from "./needs.ts";

/** Something that workflows need and the target does not have. */
export interface Missing {
	readonly kind: "component" | "credential" | "auth recipe" | "workflow";
	readonly name: string;
	readonly needed_by: readonly string[];
	/** How to add it. */
	readonly hint: string;
}

/** What a service has, by id or name. */
type Inventory = Awaited<ReturnType<typeof readInventory>>;

export async function readInventory({ components, credentials, listAuthRecipes, workflows }: TenantExecutor) {
	return {
		components: new Map((await components.list()).components.map((each) => [each.id, each])),
		credentials: new Map((await credentials.list()).credentials.map((each) => [each.name, each])),
		recipes: new Set((await listAuthRecipes()).auth_recipes.map(({ id }) => id)),
		workflows: new Set((await workflows.list()).workflows.map(({ name }) => name)),
	};
}

/** Lists what the target lacks for these workflows, which are promoted together. */
export function listMissing(
	needsByName: ReadonlyMap<string, Needs>,
	{ source, target, to }: { readonly source: Inventory; readonly target: Inventory; readonly to: string },
): Missing[] {
	const missing = new Map<string, Missing>();
	for (const [workflow, needs] of needsByName) {
		for (const id of needs.components)
			if (!target.components.has(id)) add(workflow, "component", id, describeInstalling(id));
		for (const name of needs.credentials) {
			const recipe = source.credentials.get(name)?.auth_recipe;
			if (!target.credentials.has(name)) add(workflow, "credential", name, describeStoring(name, recipe));
			if (recipe !== undefined && source.recipes.has(recipe) && !target.recipes.has(recipe))
				add(workflow, "auth recipe", recipe, describeRecipe(recipe));
		}
		for (const name of needs.workflows)
			if (!target.workflows.has(name) && !needsByName.has(name))
				add(workflow, "workflow", name, "promote it too, or save it there first");
	}
	return [...missing.values()];

	function add(workflow: string, kind: Missing["kind"], name: string, hint: string): void {
		const key = `${kind} ${name}`;
		const needed_by = [...(missing.get(key)?.needed_by ?? []), workflow];
		missing.set(key, { kind, name, needed_by, hint });
	}

	function describeInstalling(id: string): string {
		const found = source.components.get(id);
		const [group = id] = id.split(".");
		if (found?.source === "installed")
			return `tripline components install ${group}@${found.version} --service ${to}`;
		return found === undefined ? "it exists at neither service" : `save the API recipe ${group} there`;
	}

	function describeStoring(name: string, recipe = "<id>"): string {
		return `tripline creds push --name ${quoteWord(name)} --recipe ${recipe} --service ${to}`;
	}

	function describeRecipe(id: string): string {
		const [group, inner] = id.split(".");
		return inner === undefined
			? `tripline auth-recipe show ${id} --json > ${id}.json, then tripline auth-recipe push ${id}.json --service ${to}`
			: `it comes with the component ${group}`;
	}
}
