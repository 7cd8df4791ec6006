import { createPaginate } from "@tripline/contract/paginate";
import * as z from "zod";
import { Place } from "./place.ts";

export const MAX_PAGES = 100;
export const MAX_ITEMS = 100_000;

export const Paginate = createPaginate(Place, {
	max_pages: z
		.int()
		.min(1)
		.max(MAX_PAGES)
		.default(10)
		.meta({ description: "Number of pages to read at most" }),
	limit: z.int().min(1).max(MAX_ITEMS).optional().meta({ description: "Number of items to return at most" }),
});
export type Paginate = z.output<typeof Paginate>;
