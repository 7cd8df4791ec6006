import * as z from "zod";
import { Place } from "./place.ts";

const stop = {
	max_pages: z.int().min(1).max(100).default(10).meta({ description: "Number of pages to read at most" }),
	limit: z.int().min(1).max(100_000).optional().meta({ description: "Number of items to return at most" }),
};

const Name = z.string().min(1, "must not be empty").max(200);

const Items = Place.meta({
	description:
		"Path of the list in the body of a response; without `data.`, which only the node's output has",
	examples: ["items", "result.rows"],
});
const OwnItems = Items.optional().meta({
	description: "Path of the list in the body of a response; left out if the body itself is the list",
});

export const Paginate = z.discriminatedUnion("by", [
	z.strictObject({
		by: z.literal("link").meta({ description: "Follow the link to the next page" }),
		url: Place.optional().meta({
			description: 'Path of the next page\'s URL in the body; default: the `Link` header with `rel="next"`',
			examples: ["links.next", '["@odata.nextLink"]'],
		}),
		items: OwnItems,
		...stop,
	}),
	z
		.strictObject({
			by: z.literal("cursor").meta({ description: "Send the cursor of each page to get the next one" }),
			cursor: Place.meta({
				description: "Path of the cursor in the body of a response; reading ends when it is null or empty",
				examples: ["meta.next", "response_metadata.next_cursor"],
			}),
			optional: z.boolean().default(false).meta({
				description:
					"Whether the API leaves the cursor out of its last page; else a first page without it fails the node",
			}),
			param: Name.optional().meta({ description: "Query parameter that takes the cursor" }),
			body: Place.optional().meta({
				description: "Instead of `param`: path in `json` that takes the cursor",
				examples: ["variables.after"],
			}),
			items: Items,
			...stop,
		})
		.refine(({ param, body }) => (param === undefined) !== (body === undefined), {
			path: ["param"],
			error: "or body must say where the cursor goes; set exactly one",
		}),
	z
		.strictObject({
			by: z.literal("page").meta({ description: "Count pages or offsets up to a page that is not full" }),
			param: Name.meta({
				description: "Query parameter that takes the number",
				examples: ["page", "offset"],
			}),
			start: z.int().min(0).default(1).meta({ description: "Number of the first page" }),
			step: z.int().min(1).default(1).meta({ description: "Added for each page; for offsets the page size" }),
			size_param: Name.optional().meta({ description: "Query parameter that takes `size`" }),
			size: z
				.int()
				.min(1)
				.optional()
				.meta({ description: "Items of a full page; without it reading ends at an empty page" }),
			items: OwnItems,
			...stop,
		})
		.refine(({ size_param, size }) => size_param === undefined || size !== undefined, {
			path: ["size_param"],
			error: "needs size, the value to send",
		}),
]);
export type Paginate = z.output<typeof Paginate>;
