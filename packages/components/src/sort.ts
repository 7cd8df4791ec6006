import type { Json } from "@tripline/contract/json";
import type { Expression } from "@tripline/engine/component";
import * as z from "zod";
import { define } from "./define.ts";
import { evaluateEach, inferSameList, items } from "./items.ts";
import { compareKeys, countComparedText, toKey } from "./order.ts";
import { anyList, expression } from "./schemas.ts";

export const sort = define({
	id: "sort",
	title: "Sort",
	description:
		"Sorts a list by a value of each element: numbers, then text, then false and true; null is last in both directions. Text is compared by character code, so that capital letters come before small ones on every machine. Elements with equal values keep their order.",
	params: z.strictObject({
		items: items(),
		by: expression().meta({
			description:
				"CEL expression for the sort key; the element is `item`. For a list of numbers or text use `item`",
		}),
		order: z
			.enum(["asc", "desc"])
			.default("asc")
			.meta({ description: "`asc` puts the smallest first, `desc` the largest" }),
	}),
	expressions: { by: "item" },
	output: anyList().meta({ description: "The sorted list" }),
	inferOutput: inferSameList,
	isPure: true,
	examples: [
		{
			title: "Most expensive first",
			input: { orders: [{ total: 5 }, { total: 50 }, { total: 7 }] },
			params: { items: "{{input.orders}}", by: "item.total", order: "desc" },
			output: [{ total: 50 }, { total: 7 }, { total: 5 }],
		},
		{
			title: "Values of several types",
			params: { items: ["b", null, 10, "B", true, 9], by: "item" },
			output: [9, 10, "B", "b", true, null],
		},
		{
			title: "A list cannot be a sort key",
			params: { items: [1, [2]], by: "item" },
			error: "items[1]: by must be a number, text, true, false or null, not a list",
		},
	],
	run(call) {
		const by = call.expressions.by as Expression;
		const { items: list, order } = call.params;
		const sign = order === "asc" ? 1 : -1;
		return evaluateEach(
			call,
			list,
			(item, index) => toKey("by", by(item, index)),
			(keys) => {
				call.meter.spend(4 * keys.length);
				return keys
					.map((key, index) => ({ key, index }))
					.sort((a, b) => {
						call.meter.spend(2 + countComparedText(a.key, b.key) / 64);
						return compareKeys(a.key, b.key, sign);
					})
					.map(({ index }) => list[index] as Json);
			},
		);
	},
});
