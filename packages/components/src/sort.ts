import type { Json } from "@tripline/contract/json";
import type { Expression } from "@tripline/engine/component";
import * as z from "zod";
import { define } from "./define.ts";
import { items, withEach } from "./items.ts";
import { compare, keyOf, textCompared } from "./order.ts";
import { anyList, expression } from "./schemas.ts";

export const sort = define({
	id: "sort",
	title: "Sort",
	description:
		"Orders a list by a value of each element: numbers, then text, then false and true, and null at the end in either order. Text is ordered by its characters' codes, so capital letters come before small ones, the same on every machine. Elements with equal values keep their order.",
	params: z.strictObject({
		items: items(),
		by: expression().meta({
			description: "CEL; the element is `item`. Use `item` itself for a list of numbers or text",
		}),
		order: z.enum(["asc", "desc"]).default("asc").meta({ description: "Smallest or largest first" }),
	}),
	expressions: { by: "item" },
	output: anyList().meta({ description: "The elements in order" }),
	examples: [
		{
			title: "The dearest first",
			input: { orders: [{ total: 5 }, { total: 50 }, { total: 7 }] },
			params: { items: "{{input.orders}}", by: "item.total", order: "desc" },
			output: [{ total: 50 }, { total: 7 }, { total: 5 }],
		},
		{
			title: "Values of several kinds",
			params: { items: ["b", null, 10, "B", true, 9], by: "item" },
			output: [9, 10, "B", "b", true, null],
		},
		{
			title: "A list has no place in the order",
			params: { items: [1, [2]], by: "item" },
			error: "items[1]: by must give a number, text, true, false or null, not a list",
		},
	],
	run(call) {
		const by = call.expressions.by as Expression;
		const { items: list, order } = call.params;
		const sign = order === "asc" ? 1 : -1;
		return withEach(
			call,
			list,
			(item, index) => keyOf("by", by(item, index)),
			(keys) => {
				call.meter.spend(4 * keys.length);
				return keys
					.map((key, index) => ({ key, index }))
					.sort((a, b) => {
						call.meter.spend(2 + textCompared(a.key, b.key) / 64);
						return compare(a.key, b.key, sign);
					})
					.map(({ index }) => list[index] as Json);
			},
		);
	},
});
