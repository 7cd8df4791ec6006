import type { Json } from "@tripline/contract/json";
import type { Expression } from "@tripline/engine/component";
import { describeType } from "@tripline/engine/issues";
import { TerminalError } from "@tripline/engine/terminal-error";
import * as z from "zod";
import { define } from "./define.ts";
import { evaluateEach, inferSameList, items } from "./items.ts";
import { anyList, expression } from "./schemas.ts";

export const filter = define({
	id: "filter",
	title: "Filter",
	description: "Keeps the elements of a list that meet a condition, in their order.",
	params: z.strictObject({
		items: items(),
		where: expression().meta({
			description: "CEL condition; the element is `item`, its position from 0 is `index`",
		}),
	}),
	expressions: { where: "item" },
	conditions: ["where"],
	output: anyList().meta({ description: "The elements that meet the condition" }),
	inferOutput: inferSameList,
	isPure: true,
	examples: [
		{
			title: "By a number",
			input: { orders: [{ total: 5 }, { total: 50 }] },
			params: { items: "{{input.orders}}", where: "item.total > 10" },
			output: [{ total: 50 }],
		},
		{
			title: "By position and by a value of the trigger",
			input: { names: ["Ada", "Alan", "Grace", "Edsger"], first: "A" },
			params: { items: "{{input.names}}", where: "index % 2 == 0 && item.startsWith(input.first)" },
			output: ["Ada"],
		},
		{
			title: "A condition must be true or false",
			input: { numbers: [0, 1] },
			params: { items: "{{input.numbers}}", where: "item" },
			error: "items[0]: where must be true or false, not a number",
		},
	],
	run(call) {
		const where = call.expressions.where as Expression;
		const list = call.params.items;
		const isKept = (item: Json, index: number) => trueOrFalse(where(item, index));
		return evaluateEach(call, list, isKept, (kept) => list.filter((_, index) => kept[index]));
	},
});

function trueOrFalse(value: Json): boolean {
	if (typeof value === "boolean") return value;
	throw new TerminalError(`where must be true or false, not ${describeType(value)}`);
}
