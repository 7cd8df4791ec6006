import * as z from "zod";
import { shorten } from "./budget.ts";
import { defineTool } from "./define-tool.ts";
import { cursor, limit, MAX_PAGE_CHARS, next, nextCursor } from "./fields.ts";
import { filterMatching } from "./matching.ts";
import { pickPage } from "./pages.ts";
import type { ToolContext } from "./tool.ts";

const MAX_LIST_CHARS = MAX_PAGE_CHARS - 1_000;

type Listed = Awaited<ReturnType<ToolContext["executor"]["components"]["list"]>>["components"][number];

const source = z.enum(["built-in", "recipe", "installed", "mcp"]);

export const listComponents = defineTool({
	name: "list_components",
	title: "List components",
	description:
		"Lists what the nodes of a workflow can run: built-in components, operations of services such as github.create_issue, and installed components. With query, best matches first. Then get_component returns the parameters.",
	hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
	input: z.strictObject({
		query: z
			.string()
			.min(1)
			.max(200)
			.optional()
			.meta({ description: "What the component should do, such as: send email" }),
		source: source.optional().meta({ description: "Only components of this source" }),
		limit: limit(50, 200),
		cursor,
	}),
	output: z.object({
		components: z.array(z.object({ id: z.string(), title: z.string(), description: z.string(), source })),
		total: z.int(),
		next_cursor: nextCursor,
		next,
	}),
	async call({ query, source, ...page }, { executor }) {
		const { components } = await executor.components.list();
		const ofSource = components.filter((each) => source === undefined || each.source === source);
		const wanted =
			query === undefined
				? ofSource
				: filterMatching(ofSource, query, ({ id, title, description }) => [id, title, description]);
		const { items, next_cursor } = pickPage(wanted.map(toItem), ({ id }) => id, {
			...page,
			room: MAX_LIST_CHARS,
		});
		const next =
			items.length > 0
				? "get_component returns a component's parameters, output and examples."
				: "No match: try other words, or omit query. http_request calls any web API, code runs JavaScript.";
		return { structured: { components: items, total: wanted.length, next_cursor, next } };
	},
});

const toItem = ({ id, title, description, source }: Listed) => ({
	id,
	title: shorten(title, 100),
	description: shorten(description.split("\n", 1)[0] ?? "", 160),
	source,
});
