import { Order } from "@tripline/contract/paging";
import { findFilterProblem, type ValueFilter } from "@tripline/contract/value-filter";
import * as z from "zod";

/** The parameters that lists of the knowledge store share. */
export const orderParam = Order.default("newest").meta({
	description: "`newest` first or `oldest` first, by creation time",
});

export const cursorParam = z.string().max(64).nullable().default(null).meta({
	description: "`next_cursor` of the previous page; null starts from the beginning",
});

export const limitParam = (fallback: number, most: number) =>
	z.int().min(1).max(most).default(fallback).meta({ description: "Maximum number of results" });

export const filterParam = () =>
	z
		.custom<ValueFilter>((value) => findFilterProblem(value) === null, {
			error: ({ input }) => findFilterProblem(input) ?? "",
		})
		.meta({ type: "object", additionalProperties: { type: ["string", "number", "boolean", "null"] } });
