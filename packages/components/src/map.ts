import type { Expression } from "@tripline/engine/component";
import { listType } from "@tripline/engine/types/type";
import * as z from "zod";
import { define } from "./define.ts";
import { evaluateEach, items } from "./items.ts";
import { anyList, expression } from "./schemas.ts";

export const map = define({
	id: "map",
	title: "Map",
	description: "Builds a new list with one value per element, in the same order.",
	params: z.strictObject({
		items: items(),
		value: expression().meta({
			description: "CEL expression; the element is `item`, its position from 0 is `index`",
		}),
	}),
	expressions: { value: "item" },
	output: anyList().meta({ description: "The new list" }),
	isPure: true,
	examples: [
		{
			title: "One field of each element",
			input: { users: [{ name: "Ada" }, { name: "Alan" }] },
			params: { items: "{{input.users}}", value: "item.name" },
			output: ["Ada", "Alan"],
		},
		{
			title: "A new object per element",
			input: { prices: [2, 3] },
			params: { items: "{{input.prices}}", value: '{"place": index, "double": item * 2}' },
			output: [
				{ place: 0, double: 4 },
				{ place: 1, double: 6 },
			],
		},
	],
	inferOutput: ({ expression }) => listType(expression("value")),
	run(call) {
		const value = call.expressions.value as Expression;
		return evaluateEach(call, call.params.items, value, (values) => [...values]);
	},
});
