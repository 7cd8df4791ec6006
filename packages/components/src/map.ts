import type { Expression } from "@tripline/engine/component";
import * as z from "zod";
import { define } from "./define.ts";
import { items, withEach } from "./items.ts";
import { anyList, expression } from "./schemas.ts";

export const map = define({
	id: "map",
	title: "Map",
	description: "Makes a new list: one value for each element, in their order.",
	params: z.strictObject({
		items: items(),
		value: expression().meta({
			description: "CEL; the element is `item`, its place from 0 is `index`",
		}),
	}),
	expressions: { value: "item" },
	output: anyList().meta({ description: "The values" }),
	examples: [
		{
			title: "One field of each",
			input: { users: [{ name: "Ada" }, { name: "Alan" }] },
			params: { items: "{{input.users}}", value: "item.name" },
			output: ["Ada", "Alan"],
		},
		{
			title: "A new object of each",
			input: { prices: [2, 3] },
			params: { items: "{{input.prices}}", value: '{"place": index, "double": item * 2}' },
			output: [
				{ place: 0, double: 4 },
				{ place: 1, double: 6 },
			],
		},
	],
	run(call) {
		const value = call.expressions.value as Expression;
		return withEach(call, call.params.items, value, (values) => [...values]);
	},
});
