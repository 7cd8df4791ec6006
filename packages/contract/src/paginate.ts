import * as z from "zod";

const Name = z.string().min(1, "must not be empty").max(200);

/** How a request reads several pages. `place` is the schema of a path in a response or a body; `stop` says where to end. */
export function createPaginate<Stop extends z.ZodRawShape>(place: z.ZodType<string, string>, stop: Stop) {
	const listed = {
		items: place.optional().meta({
			description:
				"Path of the list in the body of a response, without `data.`, which only a node's output has; left out if the body itself is the list",
			examples: ["items", "result.rows"],
		}),
		optional_items: z.boolean().optional().meta({
			description:
				"Whether the API leaves the list out of a page without items; else a page without it fails the node",
			default: false,
		}),
	};
	return z.discriminatedUnion("by", [
		z.strictObject({
			by: z.literal("link").meta({ description: "Follow the link to the next page" }),
			url: place.optional().meta({
				description: 'Path of the next page\'s URL in the body; default: the `Link` header with `rel="next"`',
				examples: ["links.next", '["@odata.nextLink"]'],
			}),
			...listed,
			...stop,
		}),
		z
			.strictObject({
				by: z.literal("cursor").meta({ description: "Send the cursor of each page to get the next one" }),
				cursor: place.optional().meta({
					description: "Path of the cursor in the body of a response; reading ends when it is null or empty",
					examples: ["meta.next", "response_metadata.next_cursor"],
				}),
				last: place.optional().meta({
					description:
						"Instead of `cursor`: path of the cursor in the last item of a page; reading ends at an empty page",
					examples: ["id"],
				}),
				more: place.optional().meta({
					description:
						"Path in the body of what is true if there are more pages; reading ends when it is not",
					examples: ["has_more", "pageInfo.hasNextPage"],
				}),
				optional: z.boolean().optional().meta({
					description:
						"Whether the API leaves the cursor out of its last page; else a first page without it fails the node",
					default: false,
				}),
				param: Name.optional().meta({ description: "Query parameter that takes the cursor" }),
				body: place.optional().meta({
					description: "Instead of `param`: path in the JSON body of the request that takes the cursor",
					examples: ["variables.after"],
				}),
				...listed,
				...stop,
			})
			.superRefine((paginate, context) => {
				const { cursor, last, param, body } = paginate as Cursor;
				const problem = (name: string, message: string) =>
					context.addIssue({ code: "custom", path: [name], message });
				if ((cursor === undefined) === (last === undefined))
					problem("cursor", "or last must say where the cursor is; set exactly one");
				if (cursor !== undefined && (paginate as Cursor).items === undefined)
					problem("items", "is required with cursor");
				if ((param === undefined) === (body === undefined))
					problem("param", "or body must say where the cursor goes; set exactly one");
			}),
		z
			.strictObject({
				by: z.literal("page").meta({ description: "Count pages or offsets up to a page that is not full" }),
				param: Name.optional().meta({
					description: "Query parameter that takes the number",
					examples: ["page", "offset"],
				}),
				body: place.optional().meta({
					description: "Instead of `param`: path in the JSON body of the request that takes the number",
					examples: ["offset", "page.number"],
				}),
				start: z.int().min(0).optional().meta({ description: "Number of the first page", default: 1 }),
				step: z
					.int()
					.min(1)
					.optional()
					.meta({ description: "Added for each page; for offsets the page size", default: 1 }),
				size_param: Name.optional().meta({ description: "Query parameter that takes `size`" }),
				size_body: place.optional().meta({
					description: "Path in the JSON body of the request that takes `size`",
					examples: ["limit"],
				}),
				size: z
					.int()
					.min(1)
					.optional()
					.meta({ description: "Items of a full page; without it reading ends at an empty page" }),
				...listed,
				...stop,
			})
			.superRefine((paginate, context) => {
				const { param, body, size_param, size_body, size } = paginate as Numbers;
				const problem = (name: string, message: string) =>
					context.addIssue({ code: "custom", path: [name], message });
				if ((param === undefined) === (body === undefined))
					problem("param", "or body must say where the number goes; set exactly one");
				if (size_param !== undefined && size_body !== undefined)
					problem("size_body", "must not be set with size_param");
				if (size !== undefined) return;
				if (size_param !== undefined) problem("size_param", "needs size, the value to send");
				if (size_body !== undefined) problem("size_body", "needs size, the value to send");
			}),
	]);
}

type Cursor = Partial<Record<"cursor" | "last" | "param" | "body" | "items", string>>;
type Numbers = Partial<Record<"param" | "body" | "size_param" | "size_body", string>> & { size?: number };
