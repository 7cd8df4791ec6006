import * as z from "zod";
import { RecipeId, WriteApiRecipe, WriteAuthRecipe } from "./recipes.ts";

/** As text; the same on every platform. Workers take less. */
export const MAX_DESCRIPTION_BYTES = 16 * 1024 * 1024;

/** Asks for the operations of an OpenAPI description, or for a recipe of some of them. */
export const ImportDescription = z
	.strictObject({
		description: z
			.string()
			.min(1)
			.optional()
			.meta({ description: "OpenAPI 3.0 or 3.1 or Swagger 2.0, as JSON or YAML text" }),
		url: z
			.string()
			.max(2_000)
			.regex(/^https?:\/\//i, "must be an address that starts with https://")
			.optional()
			.meta({ description: "Instead of `description`: the address to read it from" }),
		id: RecipeId.optional().meta({
			description: "Of the recipe; default: from the title, and not one that is taken",
		}),
		operations: z.array(z.string().min(1).max(300)).min(1).max(50).optional().meta({
			description: "Ids, paths or tags, at most 50 operations; left out, the operations are listed",
		}),
		server: z.string().min(1).max(500).optional().meta({
			description: "One of the servers, or the address to use instead; default: the first one",
		}),
		deprecated: z
			.boolean()
			.optional()
			.meta({ description: "List deprecated operations too", default: false }),
		save: z
			.boolean()
			.optional()
			.meta({ description: "Store the recipe and the auth recipe", default: false }),
	})
	.superRefine(({ description, url, operations, save }, context) => {
		const problem = (path: string, message: string) =>
			context.addIssue({ code: "custom", path: [path], message });
		if ((description === undefined) === (url === undefined))
			problem("description", "or url must be set, and only one of them");
		if (save === true && operations === undefined) problem("operations", "is required with save");
	})
	.meta({ id: "ImportDescription" });
export type ImportDescription = z.output<typeof ImportDescription>;

export const DescribedOperations = z
	.object({
		title: z.string(),
		version: z.string().meta({ description: "Of OpenAPI, such as 3.0.3" }),
		servers: z.array(z.string()),
		operations: z.array(
			z.object({
				id: z.string().meta({ description: "The operationId, or such as GET /orders" }),
				name: z.string().meta({ description: "In the recipe" }),
				method: z.string(),
				path: z.string(),
				title: z.string(),
				tag: z.string().nullable(),
				deprecated: z.boolean(),
				problems: z.array(z.string()).meta({ description: "What a recipe would lack" }),
			}),
		),
		deprecated: z.int().meta({ description: "How many operations are left out because they are deprecated" }),
	})
	.meta({ id: "DescribedOperations" });
export type DescribedOperations = z.output<typeof DescribedOperations>;

export const ImportedRecipe = z
	.object({
		recipe: WriteApiRecipe,
		auth_recipe: WriteAuthRecipe.nullable().meta({
			description: "A new auth recipe for it; null if it needs none, or one that is there already",
		}),
		not_understood: z
			.array(z.object({ path: z.string(), message: z.string() }))
			.meta({ description: "What the recipe lacks, with the place in the description" }),
		saved: z.boolean(),
	})
	.meta({ id: "ImportedRecipe" });
export type ImportedRecipe = z.output<typeof ImportedRecipe>;
