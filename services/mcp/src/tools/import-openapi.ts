import { listAuthIds } from "@tripline/contract/auth-ids";
import type { Json } from "@tripline/contract/json";
import type { DescribedOperations, ImportedRecipe } from "@tripline/contract/openapi";
import { RecipeId } from "@tripline/contract/recipes";
import { describeAdding } from "@tripline/engine/add-credential";
import * as z from "zod";
import { buildWithin, fit, shorten } from "./budget.ts";
import { defineTool } from "./define-tool.ts";
import { cursor, limit, MAX_PAGE_CHARS, maxChars, next, nextCursor } from "./fields.ts";
import { filterMatching } from "./matching.ts";
import { pickPage } from "./pages.ts";

const MAX_LIST_CHARS = MAX_PAGE_CHARS - 1_000;
/** A model writes a text of this length only where it copies one. */
const MAX_DESCRIPTION_LENGTH = 200_000;

export const importOpenapi = defineTool({
	name: "import_openapi",
	title: "Import an OpenAPI description",
	description:
		"Makes components for a web API from its OpenAPI or Swagger 2.0 description. Without operations it lists them. With operations it returns the recipe, how its requests are authorized and what was not understood; save: true stores it, and each operation is a component <recipe>.<operation>.",
	hints: { readOnly: false, destructive: true, idempotent: true, openWorld: true },
	input: z.strictObject({
		description: z
			.string()
			.min(1)
			.max(MAX_DESCRIPTION_LENGTH)
			.optional()
			.meta({ description: "Its text, JSON or YAML; prefer url" }),
		url: z.string().max(2_000).optional().meta({ description: "The address of the description" }),
		operations: z
			.array(z.string().min(1).max(300))
			.min(1)
			.max(50)
			.optional()
			.meta({ description: "Ids, paths or tags, at most 50 operations in all" }),
		id: RecipeId.optional().meta({ description: "Of the recipe; one of that id is replaced" }),
		server: z
			.string()
			.min(1)
			.max(500)
			.optional()
			.meta({ description: "The address to call, if it names none or several" }),
		save: z.boolean().default(false).meta({ description: "Store the recipe" }),
		query: z.string().min(1).max(200).optional().meta({ description: "Words in the listed operations" }),
		limit: limit(50, 200),
		cursor,
		max_chars: maxChars,
	}),
	output: z.looseObject({ next }),
	async call({ query, limit: most, cursor: start, max_chars, ...request }, { executor, signal }) {
		const answer = await executor.importDescription(request, { signal });
		if (!("recipe" in answer)) return { structured: describeOperations(answer, query, most, start) };
		return { structured: buildWithin(max_chars, (room) => describeRecipe(answer, room)) };
	},
});

function describeOperations(
	{ title, servers, operations, deprecated }: DescribedOperations,
	query: string | undefined,
	most: number,
	start: string | undefined,
) {
	const wanted =
		query === undefined
			? operations
			: filterMatching(operations, query, (one) => [one.id, one.title, one.path, one.tag ?? ""]);
	const listed = wanted.map(({ id, method, path, title: what, tag }) => ({
		id,
		request: shorten(`${method} ${path}`, 200),
		title: shorten(what, 100),
		tag,
	}));
	const page = pickPage(listed, ({ request }) => request, {
		limit: most,
		cursor: start,
		room: MAX_LIST_CHARS,
	});
	return {
		title,
		servers: servers.slice(0, 10),
		operations: page.items,
		total: wanted.length,
		deprecated,
		next_cursor: nextCursor.parse(page.next_cursor),
		next: "Call it again with operations: the ids or tags that the workflow needs.",
	};
}

function describeRecipe({ recipe, auth_recipe, not_understood, saved }: ImportedRecipe, room: number) {
	const parts = { not_understood, auth_recipe, recipe };
	const { value, truncated } = fit(parts as unknown as Json, Math.max(room, MIN_ROOM));
	const auths = listAuthIds(recipe.auth);
	const credential =
		auths.length === 0 ? "" : ` It needs a credential: the user adds one ${describeAdding(auths)}.`;
	return {
		components: Object.keys(recipe.operations).map((name) => `${recipe.id}.${name}`),
		saved,
		...(value as object),
		truncated,
		next: saved
			? `get_component describes each component.${credential}`
			: "Call it again with save: true to store it, if this is what the user wants.",
	};
}

/** With less room, not every part would fit. */
const MIN_ROOM = 700;
